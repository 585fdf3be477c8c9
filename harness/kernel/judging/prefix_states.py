"""Makes the states before the last calls of sequences, with a copy of the original that nobody else uses."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import ModuleType

from harness.kernel.inputs.routines import ABSENT
from harness.kernel.inputs.snapshots import encode
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.judging.prepared_sequences import PreparedSequence, SequenceProgram
from harness.model.sequence import SequenceScope

_STEPS_SIZE = 8


def with_steps(steps: int, state: bytes) -> bytes:
    """Prepend the steps that the original takes, in `__hash__` and `__eq__`, when the state is restored in it."""
    return steps.to_bytes(_STEPS_SIZE, "big") + state


def steps_of(data: bytes) -> int:
    """Return the steps in the result of `with_steps`."""
    return int.from_bytes(data[:_STEPS_SIZE], "big")


def state_of(data: bytes) -> bytes:
    """Return the state in the result of `with_steps`."""
    return data[_STEPS_SIZE:]


class PrefixStates:
    """The states before the last calls of inputs, as bytes: made by running the prefixes on a module.

    Nobody else uses the module, because restoring a state empties its global variables. A live prefix, which continues
    from the last one instead of starting again, still refers to them.

    Args:
        load: loads the original once more. `sys.modules` names that copy, and the other modules of a program of
            several files, only while it runs.
        check: called before each call that is run.
    """

    def __init__(
        self,
        load: Callable[[], ModuleType],
        bounds: SequenceScope,
        suite: SuiteReader,
        check: Callable[[PreparedSequence], None] = lambda prepared: None,
    ) -> None:
        before = dict(sys.modules)
        self._module = load()
        self._own = {name: held for name, held in sys.modules.items() if before.get(name, held) is not held}
        sys.modules.update({name: before[name] for name in self._own})
        self._program = SequenceProgram(self._module, bounds, suite)
        self._check = check
        self._live = PreparedSequence(self._program.routines, [], [])
        self._key: object = None
        self._bytes = b""

    def before(self, number: int) -> bytes:
        """Return the state before the last call of input `number`: numbers of calls, and their results.

        Raises:
            NotRestorable: the state's readable content does not suffice to make it again.
        """
        *prefix, last = self._program.calls(number)
        routines = self._live.routines
        numbers = {earlier for call in (*prefix, last) for earlier in call.earlier(routines.routines[call.target])}
        numbers.update(at for at, call in enumerate(prefix) if not routines.routines[call.target].has_receiver)
        key = (prefix, numbers)
        if key != self._key:
            with self._among_its_own():
                live = self._live
                if prefix[: len(live.results)] == live.calls[: len(live.results)] and len(prefix) >= len(live.results):
                    live.calls = prefix
                else:
                    live = self._live = PreparedSequence(live.routines, prefix, [])
                while not live.is_over:  # here, as the original may go as deep as in calls that are observed
                    self._check(live)
                    with suppress(BaseException):
                        live.invoke()
                present = tuple(at for at in sorted(numbers) if live.results[at] is not ABSENT)
                self._bytes = encode([present, *(live.results[at] for at in present)], self._module)
            self._key = key
        return self._bytes

    @contextmanager
    def _among_its_own(self) -> Iterator[None]:
        replaced = {name: sys.modules[name] for name in self._own}
        sys.modules.update(self._own)
        try:
            yield
        finally:
            sys.modules.update(replaced)
