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
        state = NO_STATE
        for call in calls[:-1]:
            key = (state, self._writer.call_number(call))
            known = self._states.get(key)
            state = self._states[key] = self._writer.add_state(key) if known is None else known
        self._writer.add_input(state, calls[-1])
