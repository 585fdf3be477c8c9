"""The interface of generators, which are plug-ins that make inputs for a task, and the defaults that they inherit."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, TypeVar, cast

from harness.errors import UsageError
from harness.generators.named_options import NamedOptions
from harness.generators.sampled import STATE_SAMPLE
from harness.kernel.inputs.suites import Call, InputKind, SuiteHeader, SuiteWriter
from harness.model.details import checked_details

if TYPE_CHECKING:
    from harness.generators.states.engine import Workshop
    from harness.kernel.program.loader import ModuleText
    from harness.kernel.specs.spec import Spec
    from harness.model.finitization import Finitization
    from harness.model.sequence import SequenceScope

Result = TypeVar("Result")


class GeneratorBase(Protocol):
    """The defaults of a generator; generators of states and of sequences derive from it.

    Attributes:
        name: the name on the command line.
        input_kind: the kind of the inputs: a generator of states has `produce`, one of sequences has `explore`.
        imports: names of modules that a run needs. They are imported before any code of users runs, and not where a
            generator is only named.
    """

    name: str
    input_kind: InputKind = InputKind.STATES
    imports: tuple[str, ...] = ()

    def with_parameter(self, text: str) -> Self:
        """Return the generator whose name has `text` after a colon.

        Raises:
            UsageError: `text` does not describe options, or the generator has none.
        """
        raise UsageError(f"generator {self.name!r} takes nothing behind a colon; leave out ':{text}'")

    def repeating(self, inputs: int) -> Self:
        """Return the generator that makes a suite of `inputs` inputs of this one again.

        It is another one if suites depend on more than the name, such as a limit of time.
        """
        return self


class AnyGenerator(GeneratorBase, Protocol):
    """A generator of states or of sequences; its class derives from `GeneratorBase`."""

    @property
    def version(self) -> str:
        """The version, which is part of every suite's identity, and changes whenever the inputs of some task do."""


class GeneratorWithOptions(GeneratorBase):
    """A generator whose options follow a colon in its name.

    Attributes:
        kind: the name before the colon.
        options_class: the class of the options.
        allowed: the names of its options; None: all of the class.
    """

    kind: ClassVar[str]
    options_class: ClassVar[type[NamedOptions]]
    allowed: ClassVar[tuple[str, ...] | None] = None

    def __init__(self, options: Any = None) -> None:
        self._options: Any = options or self.options_class()
        self.name = self._options.named(self.kind)

    def with_parameter(self, text: str) -> Self:
        """Return the generator whose name has `text` after a colon.

        Raises:
            UsageError: `text` does not describe options.
        """
        return type(self)(self.options_class.read(self.kind, text, self.allowed))


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
        """The values beyond the bounds of the spec, for a generator of states (`Finitization.extended`).

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


class AnyProduction(ProductionBase, Protocol):
    """One run of a generator; a class of productions derives from `ProductionBase`.

    The same task gives the same states, inputs and calls in the same order.
    """

    @property
    def explored(self) -> int:
        """The number of executions of rep_ok, or of sequences, so far; it grows while the run makes headway."""

    @property
    def current(self) -> str:
        """The current candidate or sequence as short text, for messages about code that does not return."""


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


@dataclass(frozen=True)
class Task:
    """The task of a generator: a spec's finitization at one scope, and the module of the executed implementation."""

    spec: Spec
    module: ModuleType
    finitization: Finitization
    seed: int
    workshop: Workshop | None = None
    """The folder and limits of the compiled engine, which changes no input; None for the reference engine only."""
    scope: int | None = None
    """The finitization's scope, for generators that search smaller ones first; None if it is unknown."""
    begins: Callable[[str], None] = lambda what: None
    """A function that is called with the name of long work that begins before the search, for the waiting user."""


class Production(AnyProduction, Protocol):
    """One run of a generator of states, iterated over once.

    Each group is a valid state's candidate vector with the calls on it. Groups may be empty, and no call comes twice
    with the same vector. A class that does not write its groups one by one defines `write_states`.
    """

    @property
    def structures(self) -> dict[str, list[list[int]]]:
        """The vectors for the indices of `Structures` parameters, by `structure_key`; complete at the end."""

    def __iter__(self) -> Iterator[Group]:
        """Yield the groups as they are found."""


class Generator(AnyGenerator, Protocol):
    """A generator of states."""

    def produce(self, task: Task) -> Production:
        """Start a run.

        Raises:
            SpecError, UsageError: now or during the iteration over the run.
        """


@dataclass(frozen=True)
class SequenceTask:
    """The task of a generator of sequences: a spec's bounds at one scope, and the implementation, executed without step
    counting.

    Attributes:
        notice: a function that reports one line to the user.
        concrete: numbers of routines whose arguments must not be symbolic, each with the reason (`NotSymbolic`).
        text: the program's text, for generators that execute their own version; None: they use the module.
    """

    spec: Spec
    module: ModuleType
    bounds: SequenceScope
    scope: int
    seed: int
    notice: Callable[[str], object] = lambda text: None
    text: ModuleText | None = None
    concrete: Mapping[int, str] = field(default_factory=dict)


class NotSymbolic(Exception):
    """Arguments of routines cannot be symbolic: the production must be repeated with their values tried one by one.

    Args:
        targets: the numbers of these routines.
        why: the reason, as text.
    """

    def __init__(self, targets: Iterable[int], why: str) -> None:
        super().__init__(why)
        self.targets = tuple(targets)
        self.why = why


def until_symbolic(make: Callable[[Mapping[int, str]], Result]) -> Result:
    """Return what `make` returns for the routines whose arguments cannot be symbolic, which it finds one by one.

    Raises:
        NotSymbolic: it names no further routine.
    """
    concrete: dict[int, str] = {}
    while True:
        try:
            return make(concrete)
        except NotSymbolic as found:
            more = {**dict.fromkeys(found.targets, found.why), **concrete}
            if more == concrete:
                raise
            concrete = more


class SequenceProduction(AnyProduction, Protocol):
    """One run of a generator of sequences."""

    def write(self, writer: SuiteWriter) -> None:
        """Write the suite: each state by `add_state((state before or NO_STATE, number of the call))`, and each input by
        `add_input(state before or NO_STATE, call)`; `harness.model.sequence` defines the numbers in calls.

        Raises:
            SpecError, UsageError: the spec requires something impossible, or a call fails that should not.
            NotSymbolic: the suite is useless, and must be made again with routines in `task.concrete`.
        """


class SequenceGenerator(AnyGenerator, Protocol):
    """A generator of sequences, with `input_kind = InputKind.SEQUENCES`."""

    def explore(self, task: SequenceTask) -> SequenceProduction:
        """Start a run.

        Raises:
            SpecError, UsageError: now or while the production writes.
        """
