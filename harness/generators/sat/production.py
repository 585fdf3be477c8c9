"""The common parts of both generators on a solver: the solver, the check of instances, and their inputs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, cast

from harness.errors import InstrumentError, InvariantError, SpecError, UsageError
from harness.generators.processor_time import WHOLE, ProcessorTime
from harness.generators.protocol import GeneratorWithOptions, Group, ProductionBase, ProductionFacts, Task
from harness.generators.sat.extension import Written, details
from harness.generators.sat.instances import Instances, sat_instances
from harness.generators.sat.options import Options
from harness.generators.sat.pairs import Instance, field_names, pairs_of
from harness.generators.sat.solver import version
from harness.generators.states.canonical_form import renumbered, smallest_first
from harness.generators.states.describe import describe
from harness.generators.states.inputs import InputsOfStates, structures_of
from harness.generators.states.reference.failure import rep_ok_failure
from harness.kernel.inputs.state_space import Decoder, StateSpace
from harness.model.stop_reason import StopReason

Vector = tuple[int, ...]
INVARIANT = "invariant"


def _solver_version() -> str:
    return f"python-sat {version()}"


def opened(task: Task, solver: str) -> Instances:
    """Return the instances of the spec's invariant, by python-sat.

    Raises:
        UsageError: the spec has no invariant, python-sat is not installed, or the formula does not fit into memory.
        SpecError: the invariant cannot be used.
    """
    return sat_instances(task.finitization, invariant_of(task), solver=solver, seed=task.seed, begins=task.begins)


def invariant_of(task: Task) -> Callable[..., Any]:
    """Return the spec's declarative invariant.

    Raises:
        UsageError: the spec has none.
    """
    invariant = vars(task.spec.module).get(INVARIANT)
    if not callable(invariant):
        raise UsageError(
            f"{task.spec.module.__file__} has no function {INVARIANT}(thiz, heap), which the solver makes instances "
            "of; write it with harness.relational (docs/field_exhaustive.md shows how), or choose --generator korat"
        )
    return cast(Callable[..., Any], invariant)


class SolverGenerator(GeneratorWithOptions):
    """A generator on a solver: its version depends on the solver's.

    Derived classes define their `kind`, the options that are `allowed`, the `number` of their version, and `produce`.
    """

    options_class = Options
    number: ClassVar[str]

    @property
    def version(self) -> str:
        """The version, which includes the solver's, because another version finds other instances.

        Raises:
            UsageError: python-sat is not installed.
        """
        return f"{self.number} ({_solver_version()})"


class RepOkCheck:
    """Checks instances as they are found, and stores those that rep_ok refuses.

    Attributes:
        explored: the number of executions of rep_ok, one for each instance.
        refused: the vectors of the instances that rep_ok does not accept.
    """

    def __init__(self, task: Task, space: StateSpace, generator: str) -> None:
        self._task = task
        self._space = space
        self._names = field_names(space)
        self._generator = generator
        self._decoder = Decoder(space, task.module)
        self._found: set[Vector] = set()
        self.explored = 0
        self.refused: list[Vector] = []
        self._vector: Vector = (0,) * space.width

    @property
    def current(self) -> str:
        """The state on which rep_ok is executed, or was last, as text."""
        return describe(self._space, self._vector)

    def look(self, instance: Instance) -> None:
        """Check an instance.

        Raises:
            InstrumentError: the instance has other pairs than its vector, is not numbered breadth-first, or is
                isomorphic to an earlier one.
            SpecError: rep_ok raises.
        """
        vector = self._vector = instance.vector
        if instance.pairs != frozenset(pairs_of(self._space, self._names, vector)):
            raise self._wrong("has pairs that its vector does not have, or lacks some")
        if vector != renumbered(self._space, vector):
            raise self._wrong("is not numbered breadth-first")
        if vector in self._found:
            raise self._wrong("is isomorphic to an earlier one")
        self._found.add(vector)
        if not self._accepts(vector):
            self.refused.append(vector)

    def conclude(self) -> None:
        """Report refused instances, after all were checked.

        Raises:
            InvariantError: rep_ok has refused some; the message has the smallest.
        """
        if self.refused:
            smallest = describe(self._space, smallest_first(self._space, self.refused)[0])
            raise InvariantError(
                f"{self._task.spec.module.__file__}: rep_ok refuses {len(self.refused):,} of the {self.explored:,} "
                f"instances of invariant that {self._generator} found, the smallest of them {smallest}; correct one of "
                "the two ('mutascope difference SUBJECT --invariant' shows the smallest of all)"
            )

    def _accepts(self, vector: Vector) -> bool:
        state = self._decoder.decode(vector)
        root = state.root
        numbers = {id(state.made(number)): number for number in range(len(self._space.objects))}
        self.explored += 1
        rep_ok = self._task.spec.rep_ok
        try:
            return bool(rep_ok(root))
        except Exception as error:
            raise rep_ok_failure(error, rep_ok, self._space, numbers, self._task.module, self.current) from error

    def _wrong(self, defect: str) -> InstrumentError:
        return InstrumentError(
            f"{self._generator}: an instance that the solver gave {defect}: {self.current}; please report this with "
            f"{self._task.spec.module.__file__}"
        )


NOT_PROVEN_MINIMAL = "perhaps there are fewer instances that have the same pairs: the search for fewest was given up"
"""The notice about a suite of `reduce=minimal` that the solver did not prove to be minimal."""


class SatProduction(ProductionBase, ABC):
    """One run: instances are found and checked, some are chosen, and each gets its inputs.

    Attributes:
        extension: the result of `harness.generators.sat.extension.written`, complete at the end.
        solving: the facts about the solver for a suite's header: its name, version, seed, sizes of the formula, and
            the numbers of calls, of instances and of kept instances.
        cpu_seconds: processor seconds of loading the invariant, finding instances and writing the suite, complete at
            the end.
    """

    def __init__(self, task: Task, name: str, options: Options) -> None:
        self._task = task
        self._name = name
        self._options = options
        self._space = StateSpace(task.finitization)
        self._witness = RepOkCheck(task, self._space, name)
        self._spent = ProcessorTime()
        with self._spent:
            self._instances = opened(task, options.solver)
        self._calls = 0
        self.structures: dict[str, list[list[int]]] = {}
        self.extension: Written = {}
        self.solving: dict[str, Any] = {}
        self.cpu_seconds: dict[str, float] = {}

    stop_reason: StopReason | None = None
    """The reason why the search stopped: `INSTANCES` if the option ended it, so that the extension is unknown."""

    def facts(self) -> ProductionFacts:
        """Return the facts about the run; it is not searchable: its scopes are too large for a search by rep_ok."""
        return ProductionFacts(
            stop_reason=self.stop_reason,
            details=details(self.extension, self.solving),
            notices=[NOT_PROVEN_MINIMAL] * (self.solving.get("proven_minimal") is False),
            cpu_seconds=self.cpu_seconds,
            searchable=False,
        )

    @property
    def explored(self) -> int:
        """The number of executions of rep_ok: one for each instance."""
        return self._witness.explored

    @property
    def headway(self) -> int:
        """The number of answers of the solver."""
        return self._calls

    @property
    def current(self) -> str:
        """The instance that was found last, as text."""
        return self._witness.current

    def __iter__(self) -> Iterator[Group]:
        """Yield the groups of the chosen instances.

        Raises:
            InvariantError: rep_ok refuses an instance.
            InstrumentError: the solver returns an instance that violates the encoding.
            SpecError: no instance satisfies the invariant, or rep_ok or a precondition raises.
        """
        with self._spent:
            yield from self._groups()
        self.cpu_seconds = {WHOLE: self._spent.seconds}

    def _groups(self) -> Iterator[Group]:
        self.structures = structures_of(self._task.finitization, self._task.module, self._task.workshop)
        inputs = InputsOfStates(self._task.module, self._space, self.structures)
        chosen = self._chosen()
        self._witness.conclude()
        if not self.explored:
            of_fields = f" and has a field of {'+'.join(self._options.fields)}" * bool(self._options.fields)
            raise SpecError(
                f"{self._task.spec.module.__file__}: no instance of the finitization satisfies {INVARIANT}{of_fields}; "
                "correct it, or the field domains"
            )
        self.solving = {
            "solver": self._options.solver,
            "version": _solver_version(),
            "seed": self._task.seed,
            "variables": self._instances.variables,
            "clauses": self._instances.clauses,
            "calls": self._calls,
            "instances": self.explored,
            "kept": len(chosen),
            **self._further_details(),
        }
        for instance in chosen:
            yield from inputs.groups(instance.vector)

    def _next(self) -> Instance | None:
        """Return the solver's next instance, after checking it."""
        instance = self._instances.next()
        self._calls += 1
        if instance is not None:
            self._witness.look(instance)
        return instance

    @abstractmethod
    def _chosen(self) -> Sequence[Instance]:
        """Find all instances to be found, and return those of the suite, in its order."""

    def _further_details(self) -> dict[str, Any]:
        """Return further facts for the header."""
        return {}
