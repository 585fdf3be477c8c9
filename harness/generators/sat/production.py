"""What both generators on a solver share: the solver, its witness, and inputs of the instances chosen."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self, cast

from harness.errors import SpecError, UsageError
from harness.generators.processor_time import WHOLE, ProcessorTime
from harness.generators.productions import ProductionBase, ProductionFacts
from harness.generators.protocol import Task
from harness.generators.sat.estimate import check_gates
from harness.generators.sat.extension import Written
from harness.generators.sat.inputs import InputsOfInstances
from harness.generators.sat.instances import Instances, sat_instances
from harness.generators.sat.options import Options
from harness.generators.sat.pairs import Instance
from harness.generators.sat.solver import version
from harness.generators.sat.told import details
from harness.generators.sat.witness import Witness
from harness.generators.states.arguments import Group
from harness.kernel.inputs.state_space import StateSpace
from harness.model.ended import Ended

Opening = Callable[[Task, str], Instances]
"""Loads the task's invariant into the solver of that name."""

INVARIANT = "invariant"


def _solver_version() -> str:
    return f"python-sat {version()}"


def opened(task: Task, solver: str) -> Instances:
    """The instances of the spec's invariant, by python-sat.

    Raises:
        UsageError: the spec has no invariant, python-sat is not installed, or the formula is beyond memory.
        SpecError: the invariant cannot be used.
    """
    invariant = invariant_of(task)
    check_gates(task, invariant)
    return sat_instances(task.finitization, invariant, solver=solver, seed=task.seed, begins=task.begins)


def invariant_of(task: Task) -> Callable[..., Any]:
    """The spec's declarative invariant.

    Raises:
        UsageError: it has none.
    """
    found = vars(task.spec.module).get(INVARIANT)
    if not callable(found):
        raise UsageError(
            f"{task.spec.module.__file__} has no function {INVARIANT}(thiz, heap), which the solver makes instances "
            "of; write it with harness.relational (docs/field_exhaustive.md shows how), or choose --generator korat"
        )
    return cast(Callable[..., Any], found)


class SolverGenerator:
    """A generator on a solver: its name has its options behind a colon, its version hangs on the solver's.

    Derived classes say what `kind` they are, which options are `allowed` and the `number` of their version, and
    have `produce`.
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
        """Hangs on the solver's: another one finds other instances.

        Raises:
            UsageError: python-sat is not installed.
        """
        return f"{self.number} ({_solver_version()})"

    def with_parameter(self, text: str) -> Self:
        """The generator whose name has `text` behind a colon.

        Raises:
            UsageError: it tells no options.
        """
        return type(self)(Options.read(self.kind, text, self.allowed), self._opening)

    def beginning(self, instances: int) -> Self:
        """The generator of a suite of the first instances that this one finds: what an interrupted run has found."""
        return type(self)(replace(self._options, part=100, instances=instances), self._opening)


NOT_PROVEN_MINIMAL = "perhaps there are fewer instances that have the same pairs: the search for fewest was given up"
"""What is told of a suite of `reduce=minimal` that the solver did not prove to be minimal."""


class SatProduction(ProductionBase, ABC):
    """One run: instances are found and looked at, some are chosen, and each gets its inputs.

    Attributes:
        extension: as `harness.generators.sat.extension.written`, complete at the end.
        solving: what a suite's header keeps of the solver: its name, version, seed, sizes of the formula, calls;
            how many instances it gave, and how many are kept.
        cpu_seconds: processor seconds of loading the invariant, finding instances and writing the suite, complete at
            the end.
    """

    def __init__(self, task: Task, name: str, options: Options, opening: Opening) -> None:
        self._task = task
        self._name = name
        self._options = options
        self._space = StateSpace(task.finitization)
        self._witness = Witness(task, self._space, name)
        self._spent = ProcessorTime()
        with self._spent:
            self._instances = opening(task, options.solver)
        self._calls = 0
        self.structures: dict[str, list[list[int]]] = {}
        self.extension: Written = {}
        self.solving: dict[str, Any] = {}
        self.cpu_seconds: dict[str, float] = {}

    ended: Ended | None = None
    """`instances` where these ended the search, so that the extension is not known."""

    def facts(self) -> ProductionFacts:
        """Return the extension and the solver; the scopes of a solver are beyond a search that executes rep_ok."""
        return ProductionFacts(
            ended=self.ended,
            details=details(self.extension, self.solving),
            notices=[NOT_PROVEN_MINIMAL] * (self.solving.get("proven_minimal") is False),
            cpu_seconds=self.cpu_seconds,
            searchable=False,
        )

    @property
    def explored(self) -> int:
        """Executions of rep_ok: one for each instance."""
        return self._witness.explored

    @property
    def headway(self) -> int:
        """Answers of the solver."""
        return self._calls

    @property
    def current(self) -> str:
        """The instance that was found last."""
        return self._witness.current

    def __iter__(self) -> Iterator[Group]:
        """The groups of the instances chosen.

        Raises:
            InvariantError: rep_ok refuses an instance.
            InstrumentError: the solver gives what it must not.
            SpecError: no instance satisfies the invariant, or rep_ok or a precondition raises.
        """
        with self._spent:
            yield from self._groups()
        self.cpu_seconds = {WHOLE: self._spent.seconds}

    def _groups(self) -> Iterator[Group]:
        inputs = InputsOfInstances(self._task, self._space)
        self.structures = inputs.structures
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
            **self._told(),
        }
        for instance in chosen:
            yield from inputs.groups(instance.vector)

    def _next(self) -> Instance | None:
        """The solver's next instance, looked at."""
        found = self._instances.next()
        self._calls += 1
        if found is not None:
            self._witness.look(found)
        return found

    @abstractmethod
    def _chosen(self) -> Sequence[Instance]:
        """Finds all instances that there are to find; the suite's, in its order."""

    def _told(self) -> dict[str, Any]:
        """What else the header keeps."""
        return {}
