"""The `korat-dedicated` generator: Korat over the predicate that a spec offers with dedicated generators."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from harness.errors import SpecError
from harness.generators.policies.korat.agreement import BUDGET, SUFFIX, Agreement, written
from harness.generators.policies.korat.production import KoratProduction
from harness.generators.processor_time import SEARCH, WRITE, ProcessorTime
from harness.generators.protocol import Task
from harness.generators.states.engine import Search
from harness.generators.states.packing import Look, Recipe
from harness.kernel.inputs.suites import SuiteWriter

PREDICATE = f"rep_ok{SUFFIX}"


class KoratDedicated:
    """The same states and inputs as `korat`, found with `rep_ok_dedicated` (exhaustive2003, section 5).

    Their order is the same, too, where that predicate reads fields in the order of rep_ok. Likewise a
    target's own precondition `name` is searched by `name_dedicated`, where the spec has one. Structures
    as arguments are searched as by `korat`. Each such predicate is compared with the one that it stands for.
    """

    name = "korat-dedicated"
    version = "1"

    def produce(self, task: Task) -> DedicatedProduction:
        """A streaming run; the seed has no influence.

        Raises:
            SpecError: the spec offers no such predicate.
        """
        if not callable(vars(task.spec.module).get(PREDICATE)):
            raise SpecError(
                f"{task.spec.module.__file__} has no function {PREDICATE}, which {self.name} searches by; "
                f"write it with harness.spec's dedicated generators, or choose --generator korat"
            )
        return DedicatedProduction(task)


class DedicatedProduction(KoratProduction):
    """A run of Korat by dedicated predicates, which are compared with the plain ones.

    Plain searches come first: of all smaller scopes, as far as they are short, then of the states that are searched
    next, from both ends. Of the states found, a sample is compared.

    Raises:
        SpecError: while it is iterated over; two predicates do not accept the same states, or a dedicated one changes
            a state that it accepts.
    """

    def __init__(self, task: Task) -> None:
        names = vars(task.spec.module)
        finitization = task.finitization.requiring(
            lambda requires: names.get(f"{getattr(requires, '__name__', '')}{SUFFIX}", requires)
        )
        spec = replace(task.spec, rep_ok=names[PREDICATE])
        # Without a workshop: narrowing is the reference engine's.
        super().__init__(replace(task, spec=spec, finitization=finitization, workshop=None))
        self._plain_task = replace(task, workshop=None)
        self._plain = KoratProduction(self._plain_task)
        self._plain.structures = self.structures  # which are searched once
        self._compared: list[Agreement | DedicatedProduction] = []
        self._comparing: Agreement | DedicatedProduction | None = None
        self._time = ProcessorTime()

    @property
    def headway(self) -> int:
        """Executions of predicates, those among them that only compare."""
        return super().headway + sum(
            each.explored if isinstance(each, Agreement) else each.headway for each in self._compared
        )

    @property
    def current(self) -> str:
        """The present candidate."""
        return super().current if self._comparing is None else self._comparing.current

    @property
    def executing(self) -> str:
        """The name of the function that is executed on it."""
        return super().executing if self._comparing is None else self._comparing.executing

    def write(self, writer: SuiteWriter, look: Look) -> None:
        """Writes the groups; the time of comparing counts as that of a look at samples."""
        super().write(writer, look)
        self.cpu_seconds[SEARCH] -= self._time.seconds
        self.cpu_seconds[WRITE] += self._time.seconds

    def agreements(self) -> Iterator[Agreement]:
        """The pairs of predicates, each to be compared before the next one is asked for."""
        for agreement, _, _ in self._pairs():
            if agreement is not None:
                with self._compare(agreement):
                    yield agreement

    def _searches(self) -> Iterator[tuple[Search, Recipe]]:
        self._compare_smaller()
        for agreement, search, recipe in self._pairs():
            if agreement is None:
                yield search, recipe
                continue
            with self._compare(agreement):
                agreement.sample()
            yield search, replace(recipe, groups=agreement.watched(recipe.groups))
            agreement.conclude()

    def _pairs(self) -> Iterator[tuple[Agreement | None, Search, Recipe]]:
        """Yield the searches, each with the comparison of its predicates, or None if it has only one."""
        for (search, recipe), (plain, _) in zip(super()._searches(), self._plain._searches(), strict=True):
            is_one = written(search.rep_ok) is written(plain.rep_ok)
            yield None if is_one else Agreement(search, plain), search, recipe

    def _compare_smaller(self) -> None:
        """Compares the predicates on states of smaller scopes, as far as these have few."""
        task, left = self._plain_task, BUDGET
        for scope in range(1, task.scope or 1):
            try:
                smaller = DedicatedProduction(replace(task, finitization=task.spec.finitization(scope), scope=scope))
            except SpecError:
                continue  # errors at the scope that is asked for are reported
            with self._compare(smaller):
                for agreement in smaller.agreements():
                    agreement.compare(max(1, left))
                    left -= agreement.explored
            if left <= 0:
                break
        if task.scope is not None:
            task.spec.finitization(task.scope)  # what it may keep for rep_ok is to be of this scope again

    @contextmanager
    def _compare(self, comparing: Agreement | DedicatedProduction) -> Iterator[None]:
        self._compared.append(comparing)
        self._comparing = comparing
        with self._time:
            yield
        self._comparing = None
