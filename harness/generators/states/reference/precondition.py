"""A target's own precondition as a predicate of one object, whose fields are the pre-state and the arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

THIS = "this"


@dataclass(frozen=True)
class Precondition:
    """Called with a record: `requires(record.this, record.argument1, ...)`; the arguments' fields are read first.

    Args:
        rep_ok: it has to accept `record.this` before; None: any state will do.
        decoders: by parameter; None where the field's value is the argument itself.
    """

    requires: Callable[..., Any]
    decoders: tuple[Callable[[int], Any] | None, ...]
    rep_ok: Callable[[Any], Any] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The fields of the arguments, in the order in which they are read."""
        return tuple(f"argument{number + 1}" for number in range(len(self.decoders)))

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        return self.requires

    def __call__(self, record: Any) -> Any:
        arguments = []
        for name, decode in zip(self.names, self.decoders, strict=True):
            value = getattr(record, name)
            arguments.append(value if decode is None else decode(value))
        this = record.this
        return (self.rep_ok is None or self.rep_ok(this)) and self.requires(this, *arguments)
