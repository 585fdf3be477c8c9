"""Executes calls of the unchanged implementation on plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.errors import SpecError
from harness.kernel.inputs.routines import Routines
from harness.kernel.inputs.suites import Call
from harness.kernel.program.recursion import recursion_limited


def carried_out(routines: Routines, calls: Sequence[Call]) -> tuple[list[Any], str]:
    """Return the results of calls up to the first that raises, and the name of its exception, or "".

    Raises:
        SpecError: a call cannot be made.
    """
    results: list[Any] = []
    try:
        with recursion_limited():
            for call in calls:
                ready = routines.ready(call, results)
                results.append(ready.function(*ready.passed))
    except SpecError:
        raise
    except Exception as error:
        return results, type(error).__qualname__
    return results, ""
