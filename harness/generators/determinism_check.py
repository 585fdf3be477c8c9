"""Checks that a finitization is the same at every call, because the meaning of an input's numbers depends on it."""

from __future__ import annotations

from typing import Any

from harness.errors import SpecError
from harness.model.finitization import Structures
from harness.model.targets import StateBounds


def check_repeated(first: StateBounds, second: StateBounds, where: str) -> None:
    """Compare two finitizations of one scope, including the types of values.

    Raises:
        SpecError: the finitizations differ.
    """
    one, other = _parts(first), _parts(second)
    for name in {**one, **other}:
        if one.get(name) != other.get(name):
            raise SpecError(
                f"{where} is not the same when it is called again: {name} differs; "
                f"make it depend on the scope alone (no random, time, set order or state of its own)"
            )


def _parts(finitization: StateBounds) -> dict[str, Any]:
    """Return the compared parts of a finitization by their descriptions."""
    parts: dict[str, Any] = {}
    for domain in finitization.domains:
        name = f"class domain {domain.number} ({domain.class_name})"
        parts[name] = domain.class_name, domain.size, domain.kind, domain.keys, domain.maxlen
        for field, values in finitization.fields_of(domain):
            parts[f"the field domain of {domain.class_name}.{field} in class domain {domain.number}"] = _values(values)
    parts["the order of targets"] = [target.name for target in finitization.targets]
    for target in finitization.targets:
        parts[f"target {target.name!r}"] = (
            target.kind,
            target.requires is None,
            target.any_state,
            target.keywords,
            len(target.parameters),
        )
        for position, parameter in enumerate(target.parameters):
            prefix = f"parameter {position + 1} of target {target.name!r}"
            if isinstance(parameter, Structures):
                parts.update({f"{prefix}, {part}": value for part, value in _parts(parameter.finitization).items()})
            else:
                parts[prefix] = _values(parameter)
    return parts


def _values(values: tuple[Any, ...]) -> list[tuple[type, str]]:
    return [(type(value), repr(value)) for value in values]
