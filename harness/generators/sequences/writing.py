"""Writes whole sequences to a suite, which stores each prefix once."""

from __future__ import annotations

from collections.abc import Sequence

from harness.kernel.inputs.suites import NO_STATE, Call, SuiteWriter


class SequenceWriter:
    """Writes sequences to one suite."""

    def __init__(self, writer: SuiteWriter) -> None:
        self._writer = writer
        self._states: dict[tuple[int, int], int] = {}

    def add(self, calls: Sequence[Call]) -> None:
        """Add an input: the last call, on the state to which the calls before it lead."""
        state, states, number_of = NO_STATE, self._states, self._writer.call_number
        for call in calls[:-1]:
            key = (state, number_of(call))
            next_state = states.get(key)
            if next_state is None:
                next_state = states[key] = self._writer.add_state(key)
            state = next_state
        self._writer.add_input(state, calls[-1])
