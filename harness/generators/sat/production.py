"""The common parts of both generators on a solver: the solver, the check of instances, and their inputs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Self, cast

from harness.errors import SpecError, UsageError
from harness.generators.processor_time import WHOLE, ProcessorTime
from harness.generators.protocol import GeneratorBase, Group, ProductionBase, ProductionFacts, Task
from harness.generators.sat.extension import Written, details
from harness.generators.sat.instances import Instances, sat_instances
from harness.generators.sat.options import Options
from harness.generators.sat.pairs import Instance
from harness.generators.sat.rep_ok_check import RepOkCheck
from harness.generators.sat.solver import version
from harness.generators.states.inputs import InputsOfStates, structures_of
from harness.kernel.inputs.state_space import StateSpace
from harness.model.stop_reason import StopReason

Opening = Callable[[Task, str], Instances]
"""A function that loads the task's invariant into the solver of that name."""

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


class SolverGenerator(GeneratorBase):
    """A generator on a solver: its options follow a colon in its name, its version depends on the solver's.

    Derived classes define their `kind`, the options that are `allowed`, the `number` of their version, and `produce`.
    """

    kind: ClassVar[str]
    allowed: ClassVar[tuple[str, ...]]
    number: ClassVar[str]

    def __init__(self, options: Options | None = None, opening: Opening = opened) -> None:
        self._options = options or Options()
        self._opening = opening
        self.name = self._options.named(self.kind)

    @property
    def version(self) -> str:
        """The version, which includes the solver's, because another version finds other instances.

        Raises:
            UsageError: python-sat is not installed.
        """
        return f"{self.number} ({_solver_version()})"

    def with_parameter(self, text: str) -> Self:
        """Return the generator whose name has `text` after a colon.

        Raises:
            UsageError: `text` does not describe options.
        """
        return type(self)(Options.read(self.kind, text, self.allowed), self._opening)


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

    def __init__(self, task: Task, name: str, options: Options, opening: Opening) -> None:
        self._task = task
        self._name = name
        self._options = options
        self._space = StateSpace(task.finitization)
        self._witness = RepOkCheck(task, self._space, name)
        self._spent = ProcessorTime()
        with self._spent:
            self._instances = opening(task, options.solver)
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
