"""Names the field because of which an exploration is not deterministic, in one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from harness.errors import SpecError
from harness.generators.sequences.matching import reachable
from harness.generators.sequences.protocol import SequenceTask
from harness.generators.sequences.replay import UNSTEADY, ReplayExecutor
from harness.kernel.inputs.call_source import show_sequence
from harness.kernel.inputs.suites import Call
from harness.kernel.objects.reading import ATOMS, contents, stored_fields

_REPEATED = 16
"""How often a sequence is executed to find a difference between two states that are known to differ."""


def unsteady(path: ReplayExecutor, task: SequenceTask, calls: Sequence[Call], result: int, key: bytes) -> None:
    """Execute a sequence once more.

    Raises:
        SpecError: it leads to another structure than before, so its state cannot be relied on.
    """
    text = show_sequence(task.bounds, calls)
    root = path.execute(calls)[result]
    if path.key(root) != key:
        where = _difference(path, calls, result, root)
        raise SpecError(
            f"{task.module.__file__}: {text} leads to another state when it is executed again: {where}; {UNSTEADY}"
        )


def _difference(path: ReplayExecutor, calls: Sequence[Call], result: int, root: Any) -> str:
    """Describe the first field that has another value after one of several further executions."""
    omits = path.matcher.scope.omission()
    for _ in range(_REPEATED):
        again = path.execute(calls)[result]
        for one, other in zip(reachable(root, omits), reachable(again, omits), strict=False):
            for (name, held), (_, another) in zip(_named_parts(one, omits), _named_parts(other, omits), strict=False):
                if (type(held), held if type(held) in ATOMS else 0) != (
                    type(another), another if type(another) in ATOMS else 0,
                ):  # fmt: skip
                    return f"{name} is {held!r}, then {another!r}"
    return "its objects are others, or in another order (as those of a set are that are told apart by their addresses)"


def _named_parts(value: Any, omits: Any) -> Iterator[tuple[str, Any]]:
    """Yield the fields of an object by their full names, and the elements and the length of a container."""
    name = type(value).__qualname__
    held = contents(value)
    if held or type(value).__module__ == "builtins":
        yield f"the length of a {name}", len(held)
        yield from ((f"an element of a {name}", element) for element in held)
    yield from ((f"{name}.{field}", content) for field, content in stored_fields(value, omits).items())
