"""The common part of the runs of generators of states and of sequences, and the facts that they report at the end."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from harness.errors import UsageError
from harness.generators.sampled import STATE_SAMPLE
from harness.kernel.inputs.suite_header import SuiteHeader
from harness.kernel.inputs.suites import Call, SuiteWriter
from harness.model.details import checked_details

Look = Callable[[Sequence[int]], bool]
"""A function that checks a valid state, and returns whether rep_ok accepts it."""
Group = tuple[Sequence[int], Sequence[Call]]
"""A candidate vector and the calls on it."""


@dataclass(frozen=True)
class StateCheck:
    """The check of a sample of the states of a suite, while they are written.

    Attributes:
        look: a function that checks a state that satisfies rep_ok.
        by_rep_ok: the numbers of the targets whose states satisfy rep_ok: all without `any_state`.
    """

    look: Look
    by_rep_ok: frozenset[int]

    def of(self, calls: Iterable[Call]) -> Look | None:
        """Return the function for the state of these calls; None if it need not satisfy rep_ok."""
        return self.look if any(call.target in self.by_rep_ok for call in calls) else None


@dataclass(frozen=True, kw_only=True)
class ProductionFacts:
    """Facts of a run of a generator, for the header of its suite (`SuiteHeader`).

    Attributes:
        stop_reason: the reason why the run stopped early (`harness.model.stop_reason`); None or an empty text if it
            did not.
        details: facts that only this generator reports (`harness.model.details`); each trial stores the facts with a
            single value, and tables show them.
        notices: lines for the user about the suite.
        engines: the search engines that were used.
        cpu_seconds: processor seconds for each kind of work (`harness.generators.processor_time`).
        unread: names of fields that rep_ok left unread in some valid state.
        searchable: whether a search that executes rep_ok could find the same states.
        classes: the equivalence classes that were covered, each with its first state.
        distinct: the number of structures.
        exploring_seconds: seconds spent on finding structures, without the work on their inputs.
    """

    stop_reason: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    notices: Sequence[str] = ()
    engines: Sequence[str] = ()
    cpu_seconds: Mapping[str, float] = field(default_factory=dict)
    unread: Sequence[str] = ()
    searchable: bool = True
    classes: Mapping[Hashable, Sequence[int]] = field(default_factory=dict)
    distinct: int | None = None
    exploring_seconds: float | None = None

    def keep_in(self, header: SuiteHeader) -> None:
        """Write the facts to the header of a suite, all but `classes`.

        Raises:
            SpecError: `details` is not a valid table of facts.
        """
        header.ended = str(self.stop_reason or "")
        header.details = checked_details(self.details, header.generator)
        header.notices = list(self.notices)
        header.engines = list(self.engines)
        header.cpu_seconds = dict(self.cpu_seconds)
        header.unread = list(self.unread)
        header.searchable = self.searchable
        header.distinct = self.distinct
        header.exploring_seconds = self.exploring_seconds


class ProductionBase(Protocol):
    """The part of a run that most generators need not define; productions of states and of sequences derive from it."""

    @property
    def headway(self) -> int:
        """A number that grows even while the run repeats earlier work, so that `explored` does not grow."""
        return 0

    @property
    def executing(self) -> str:
        """The name of the function that is executed on the current candidate."""
        return "rep_ok"

    @property
    def remedy(self) -> str:
        """Advice for the message about a call that does not return, such as an option that leaves the call out."""
        return ""

    @property
    def outside(self) -> Mapping[str, Sequence[str]]:
        """The values beyond the bounds of the spec, for a generator of states (`harness.model.widened_bounds`).

        It is read before the first state is asked for.
        """
        return {}

    def facts(self) -> ProductionFacts:
        """Return the facts for the header of the suite; called once, at the end of the run."""
        return ProductionFacts()

    def write_states(self, writer: SuiteWriter, check: StateCheck) -> None:
        """Write the groups of a run of states, one by one."""
        for vector, calls in cast(Iterable[Group], self):
            write_groups([(vector, calls)], writer, check.of(calls))


def write_groups(groups: Iterable[Group], writer: SuiteWriter, look: Look | None) -> None:
    """Write groups one by one.

    Args:
        look: called with a sample of the states.
    """
    for state, calls in groups:
        number = writer.add_state(state)
        if look is not None and STATE_SAMPLE.has(number):
            look(state)
        writer.add_inputs(number, writer.row(calls))


def check_production(production: object, generator: str) -> None:
    """Refuse a run of a plug-in that lacks a part of `ProductionBase`.

    Early versions had no such base, so a plug-in may not derive from it yet.

    Raises:
        UsageError: the run lacks a part.
    """
    parts = ("headway", "executing", "remedy", "outside", "facts", "write_states")
    missing = [name for name in parts if not hasattr(production, name)]
    if missing:
        raise UsageError(
            f"generator {generator}: {type(production).__name__} has no {' and no '.join(missing)}; "
            "derive it from harness.generators.productions.ProductionBase"
        )
