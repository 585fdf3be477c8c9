"""Korat's search: every valid state of a state space, one per isomorphism class (exhaustive2003, section 3.4)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import nullcontext
from functools import partial
from itertools import islice
from types import ModuleType
from typing import Any

from harness.generators.describe import describe
from harness.generators.korat.completion import Completion
from harness.generators.korat.direct import DirectReads
from harness.generators.korat.failure import rep_ok_failure
from harness.generators.korat.narrowing import Narrowing
from harness.generators.korat.observe import Observer
from harness.generators.korat.observed_list import UnobservedRead
from harness.generators.korat.stack import AccessStack
from harness.generators.layout import Layout
from harness.kernel.dedicated.condition import Condition, listen
from harness.kernel.space import StateSpace
from harness.model.finitization import DomainKind


class KoratSearch:
    """Iterating yields the candidate vector of each valid state as it is found; memory stays constant.

    A state is valid if `bool(rep_ok(root))`. rep_ok may be any deterministic Python code that
    terminates and does not hang on the identity of objects (their `id`, the iteration order of
    sets of them). Vectors are tuples of `space.width` indices, 0 for fields that are not reachable.

    When a state is valid, the reachable fields that rep_ok did not read join the stack (breadth
    first from the root, in declaration order), so that every combination of their values is
    yielded. By corollary 1 those combinations need no execution, so with `pruning` they get none:
    `explored` counts executions of rep_ok. The classes of `module` are instrumented while an
    iterator lives; their other instances behave as ever.

    Args:
        pruning: skip candidates that differ only in fields rep_ok did not read.
        isomorphism_breaking: yield one state per isomorphism class, else every labelling of it.
        narrowing: skip candidates that fail a dedicated generator of rep_ok (section 5), where that settles it.

    Raises:
        SpecError: rep_ok raises, reads a field without a domain or a name nobody assigns; a class
            of the finitization is missing or cannot be observed.
    """

    def __init__(
        self,
        space: StateSpace,
        module: ModuleType,
        rep_ok: Callable[[Any], Any],
        *,
        pruning: bool = True,
        isomorphism_breaking: bool = True,
        narrowing: bool = True,
    ) -> None:
        self.space = space
        self.explored = 0
        self._module = module
        self._rep_ok = rep_ok
        self._pruning = pruning
        self._breaking = isomorphism_breaking
        self._narrow = narrowing
        self._layout = Layout(space)
        self._stack = AccessStack(space, isomorphism_breaking)
        self._most = sys.maxsize
        self._has_lists = any(owner.domain.kind is DomainKind.LIST for owner in space.objects)

    @property
    def current(self) -> str:
        """The present candidate as text; `?` stands for fields that rep_ok has not read."""
        return describe(self.space, self._stack.vector, self._stack.on)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        self.explored = 0
        stack = self._stack = AccessStack(self.space, self._breaking)
        completion = Completion(self._layout, stack)
        direct = DirectReads(self._rep_ok) if self._has_lists else nullcontext(False)
        with Observer(self._layout, stack, self._module) as observer, direct as is_direct:
            narrowing = Narrowing(observer, stack, self._narrow and not is_direct)
            valid: bool | None = self._execute(observer, narrowing)
            while valid is not None:
                height = len(stack.fields)
                if not self._pruning:
                    completion.push_reachable(observer.read_field)
                    if valid:
                        yield tuple(stack.vector)
                elif valid:
                    completion.push_reachable(stack.push)
                    yield from completion.vectors(height)
                if self._pruning and not narrowing.is_asked:
                    valid = yield from self._hurry(observer, narrowing, completion)
                else:
                    valid = self._execute(observer, narrowing) if observer.advance() else None

    def _execute(self, observer: Observer, narrowing: Narrowing) -> bool:
        """Runs rep_ok on the present candidate, which is as before afterwards, but for the fields read."""
        self.explored += 1
        narrowing.begin()
        return self._judge(observer, narrowing, partial(self._rep_ok, observer.objects[0]))

    def _judge(self, observer: Observer, narrowing: Narrowing, execute: Callable[[], Any]) -> bool:
        """Makes of an execution's end what it means; `execute` returns or raises as rep_ok does or did."""
        while True:
            listener = listen(narrowing)
            try:
                accepted = narrowing.conclude(execute())
            except (Exception, UnobservedRead) as error:
                if narrowing.abandon():
                    execute = partial(self._rep_ok, observer.objects[0])
                    continue
                candidate, numbers = self.current, observer.numbers
                raise rep_ok_failure(error, self._rep_ok, self.space, numbers, self._module, candidate) from error
            finally:
                listen(listener)
                observer.undo()
                observer.show()
            narrowing.end(accepted)
            return accepted

    def _hurry(
        self, observer: Observer, narrowing: Narrowing, completion: Completion
    ) -> Generator[tuple[int, ...], None, bool | None]:
        """Goes on as `__iter__` does, at more speed, as long as rep_ok raises nothing and asks no condition.

        Returns whether the candidate with which that ends is valid, or None at the end of the search.
        """
        stack, rep_ok, root = self._stack, self._rep_ok, observer.objects[0]
        fields, vector = stack.fields, stack.vector
        listener = listen(narrowing)
        try:
            while fields:
                field = fields[-1]
                place, key = observer.place(field)
                values = observer.values(field)
                unread: list[int] | None = None  # the reachable fields above it, if they hang on none of its values
                observer.calm = True
                for index in islice(stack.rests[-1], self._most - self.explored):
                    vector[field] = index
                    place[key] = values[index]
                    self.explored += 1
                    try:
                        result = rep_ok(root)
                        if result is False and observer.calm:
                            continue
                        is_plain = not narrowing.is_asked and not isinstance(result, Condition)
                        valid = is_plain and bool(result)
                    except (Exception, UnobservedRead) as error:
                        return self._judge(observer, narrowing, partial(_end, None, error))
                    if not is_plain:
                        return self._judge(observer, narrowing, partial(_end, result))
                    if observer.changed:
                        observer.undo()
                    if valid:
                        listen(listener)
                        if unread is None or not observer.calm:
                            pushed = completion.push_reachable(stack.push)
                            if completion.is_inert[field]:
                                unread = pushed
                        else:
                            pushed = unread
                            for reachable in pushed:
                                stack.push(reachable)
                        if pushed:
                            yield from completion.vectors(len(fields) - len(pushed))
                        else:
                            yield tuple(vector)
                        listen(narrowing)
                    if fields[-1] != field:
                        break
                    observer.calm = True
                else:
                    if self.explored == self._most:
                        break
                    observer.pop()
            return self._execute(observer, narrowing) if observer.advance() else None
        finally:
            listen(listener)


def _end(result: Any, error: BaseException | None = None) -> Any:
    """Ends as an execution has ended."""
    if error is not None:
        raise error
    return result
