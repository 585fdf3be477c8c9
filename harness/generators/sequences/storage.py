"""Stores sequences in a suite, each once."""

from __future__ import annotations

from collections.abc import Sequence

from harness.kernel.inputs.suites import NO_STATE, Call, SuiteWriter


class Storage:
    """Writes sequences to a suite, and remembers which ones it contains."""

    def __init__(self, writer: SuiteWriter) -> None:
        self._writer = writer
        self._states: dict[tuple[int, Call], int] = {}
        self._inputs: set[tuple[int, Call]] = set()

    @property
    def count(self) -> int:
        """The number of sequences in the suite."""
        return len(self._inputs)

    def has(self, calls: Sequence[Call]) -> bool:
        """Return whether the suite already has the same calls as an input."""
        state = NO_STATE
        for call in calls[:-1]:
            next_state = self._states.get((state, call))
            if next_state is None:
                return False
            state = next_state
        return (state, calls[-1]) in self._inputs

    def add(self, calls: Sequence[Call]) -> None:
        """Add a sequence that is not in the suite."""
        state = NO_STATE
        for call in calls[:-1]:
            if (state, call) not in self._states:
                self._states[state, call] = self._writer.add_state((state, self._writer.call_number(call)))
            state = self._states[state, call]
        self._inputs.add((state, calls[-1]))
        self._writer.add_input(state, calls[-1])
