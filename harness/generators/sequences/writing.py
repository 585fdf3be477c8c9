"""Writes whole sequences to a suite, in which each beginning stands once."""

from __future__ import annotations

from collections.abc import Sequence

from harness.kernel.inputs.suites import NO_STATE, Call, SuiteWriter


class SequenceWriter:
    """Adds sequences to one suite."""

    def __init__(self, writer: SuiteWriter) -> None:
        self._writer = writer
        self._states: dict[tuple[int, int], int] = {}

    def add(self, calls: Sequence[Call]) -> None:
        """Adds an input: its last call, on the state that the calls before it lead to."""
        state, states, number_of = NO_STATE, self._states, self._writer.call_number
        for call in calls[:-1]:
            key = (state, number_of(call))
            known = states.get(key)
            if known is None:
                known = states[key] = self._writer.add_state(key)
            state = known
        self._writer.add_input(state, calls[-1])
