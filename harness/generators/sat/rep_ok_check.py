"""Checks every instance against the operational rep_ok, its own vector, and the earlier instances."""

from __future__ import annotations

from harness.errors import InstrumentError, InvariantError
from harness.generators.protocol import Task
from harness.generators.sat.pairs import Instance, field_names, pairs_of, renumbered
from harness.generators.states.canonical_form import canonical_form
from harness.generators.states.describe import describe
from harness.generators.states.layout import Layout
from harness.generators.states.reference.failure import rep_ok_failure
from harness.kernel.inputs.state_space import Decoder, StateSpace

Vector = tuple[int, ...]


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
        self._forms: set[Vector] = set()
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
        form, _ = canonical_form(self._space, vector)
        if form in self._forms:
            raise self._wrong("is isomorphic to an earlier one")
        self._forms.add(form)
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


def smallest_first(space: StateSpace, vectors: list[Vector]) -> list[Vector]:
    """Return vectors sorted by the number of objects that the root reaches, then by value."""
    layout = Layout(space)
    return sorted(vectors, key=lambda vector: (len(layout.reachable(vector)[1]), vector))
