"""Listens to a sandboxed process that tells what it is at: every silence and every standstill has an end."""

from __future__ import annotations

import time
from typing import Any

from harness.sandbox.process import SandboxedProcess, WorkerDied

STARTING_SECONDS = 60.0
"""For a process to start, besides: it may have to wait for a busy machine."""

_BRIEF = 4
"""What a process calls brief is waited for this part of the patience."""


class Silent(WorkerDied):
    """The process lives, but says nothing, or makes no headway."""


def death_remedy(death: WorkerDied) -> str:
    """What to do about it, as messages end."""
    if isinstance(death, Silent):
        return "make it end (an endless loop, or code in C that does not return?), or raise MUTASCOPE_CANDIDATE_SECONDS"
    return "correct what makes the process end"


class Listener:
    """The facts of `child`, beats apart; its parent's own clock counts how long there is none.

    Args:
        patience: seconds without a word, or of beats that tell no headway, after which the process is given up; a
            part of them where what it does is brief.
    """

    def __init__(self, child: SandboxedProcess, patience: float) -> None:
        self._child = child
        self._patience = patience
        self._limit = patience + STARTING_SECONDS
        self._reached: object = None
        self._since = time.monotonic()
        self.at = "starting"
        """What the process last said that it begins to do."""

    def fact(self) -> dict[str, Any]:
        """The next fact that is neither a beat nor tells what begins.

        Raises:
            WorkerDied: it ended, while doing what the text says.
            Silent: it is alive, and stuck at what the text says.
            MutascopeError: the process reported an error of the user's making.
        """
        while True:
            asked = time.monotonic()
            try:
                fact = self._child.fact(self._limit)
            except WorkerDied as death:
                if time.monotonic() - asked >= self._limit:
                    raise Silent(f"while {self.at}: no word within {self._limit:g} s") from None
                raise WorkerDied(f"while {self.at}: {death.how}") from None
            self._limit = min(self._limit, self._patience)
            if "begins" in fact:
                self.at = str(fact["begins"])
                self._limit = self._patience / (_BRIEF if fact.get("is_brief") is True else 1)
                self._moved(fact)
            elif "beat" in fact:
                self._heard(fact["beat"])
            else:
                self._moved(fact)
                return fact

    def _moved(self, reached: object) -> None:
        self._reached, self._since = reached, time.monotonic()

    def _heard(self, reached: object) -> None:
        if reached != self._reached:
            self._moved(reached)
        elif time.monotonic() - self._since >= self._limit:
            raise Silent(f"while {self.at}: no headway within {self._limit:g} s")
