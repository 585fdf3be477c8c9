"""Korat's search: every valid state of a state space, one per isomorphism class (exhaustive2003, section 3.4)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from types import ModuleType
from typing import Any

from harness.generators.states.describe import describe
from harness.generators.states.layout import Layout
from harness.generators.states.reference.failure import rep_ok_failure
from harness.generators.states.reference.narrowing import Narrowing
from harness.generators.states.reference.observe import StateObserver
from harness.generators.states.reference.observed_list import UnobservedRead
from harness.generators.states.reference.stack import AccessStack, Completion
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.specs.dedicated.condition import listen


class KoratSearch:
    """Iterating yields the candidate vector of each valid state as it is found; memory stays constant.

    A state is valid if `bool(rep_ok(root))`. rep_ok may be any deterministic Python code that terminates. It must not
    depend on the identity of objects (their `id`, or the iteration order of sets of them). Vectors are tuples of
    `space.width` indices, 0 for fields that are not reachable.

    When a state is valid, its reachable fields that rep_ok left unread join the stack (breadth first from the root, in
    declaration order). Every combination of their values is yielded. By corollary 1 those combinations need no
    execution: `explored` counts executions of rep_ok. The classes of `module` are instrumented while an iterator
    lives; their other instances behave as before.

    Args:
        narrowing: skip candidates that fail a dedicated generator of rep_ok (section 5), if that decides rep_ok.
        most: the number of executions after which the search ends; None: it ends with the last candidate.

    Attributes:
        cut: the next candidate of a search that has ended after `most` executions.

    Raises:
        SpecError: rep_ok raises, reads a field without a domain or a name that is never assigned; a class
            of the finitization is missing or cannot be observed.
    """

    def __init__(
        self,
        space: StateSpace,
        module: ModuleType,
        rep_ok: Callable[[Any], Any],
        *,
        narrowing: bool = True,
        most: int | None = None,
    ) -> None:
        self.space = space
        self.explored = 0
        self.most = most
        self.cut: tuple[int, ...] | None = None
        self.unread: set[int] = set()
        """Fields that rep_ok left unread in some valid state."""
        self._module = module
        self._rep_ok = rep_ok
        self._narrow = narrowing
        self._layout = Layout(space)
        self._stack = AccessStack(space)

    @property
    def current(self) -> str:
        """The present candidate as text; `?` stands for fields that rep_ok has not read."""
        return describe(self.space, self._stack.vector, self._stack.on)

    @property
    def executing(self) -> str:
        """The function that is executed on the present candidate."""
        return "rep_ok"

    def __iter__(self) -> Generator[tuple[int, ...], None, None]:
        self.explored = 0
        stack = self._stack = self._new_stack()
        completion = Completion(self._layout, stack)
        with StateObserver(self._layout, stack, self._module) as observer:
            narrowing = Narrowing(observer, stack, self._narrow and not observer.eager)
            more = True
            while more:
                if self.explored == self.most:
                    self.cut = tuple(stack.vector)
                    return
                valid = self._execute(observer, narrowing)
                if valid:
                    yield from self._vectors_of_candidate(observer, stack, completion)
                more = observer.advance()

    def _vectors_of_candidate(
        self, observer: StateObserver, stack: AccessStack, completion: Completion
    ) -> Iterator[tuple[int, ...]]:
        """Yield the vectors of the present candidate, which is valid, and leave the stack ready to advance."""
        height = len(stack.fields)
        completion.push_reachable(stack.push)
        self.unread.update(stack.fields[height:])
        yield from completion.vectors(height)

    def _new_stack(self) -> AccessStack:
        """Return a stack that tries the values of fields in the order of their domains."""
        return AccessStack(self.space)

    def _execute(self, observer: StateObserver, narrowing: Narrowing) -> bool:
        """Run rep_ok on the present candidate, which does not change, apart from the fields that become read."""
        self.explored += 1
        narrowing.begin()
        while True:
            if observer.eager:
                observer.eager.begin()
            listener = listen(narrowing)
            try:
                accepted = narrowing.conclude(self._rep_ok(observer.objects[0]))
            except (Exception, UnobservedRead) as error:
                if narrowing.abandon():
                    continue
                candidate, numbers = self.current, observer.numbers
                raise rep_ok_failure(error, self._rep_ok, self.space, numbers, self._module, candidate) from error
            finally:
                listen(listener)
                observer.undo()
                observer.show()
            narrowing.end(accepted)
            return accepted
