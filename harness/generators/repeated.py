"""Is a finitization the same whenever it is asked for? What an input's numbers mean hangs on it."""

from __future__ import annotations

from typing import Any

from harness.errors import SpecError
from harness.model.finitization import Structures
from harness.model.targets import StateBounds


def check_repeated(first: StateBounds, second: StateBounds, where: str) -> None:
    """Compares two finitizations of one scope, types of values included.

    Raises:
        SpecError: they differ.
    """
    one, other = _parts(first), _parts(second)
    for what in {**one, **other}:
        if one.get(what) != other.get(what):
            raise SpecError(
                f"{where} is not the same when it is called again: {what} differs; "
                f"make it hang on the scope alone (no random, time, set order or state of its own)"
            )


def _parts(finitization: StateBounds) -> dict[str, Any]:
    """What is compared, by the words for it."""
    found: dict[str, Any] = {}
    for domain in finitization.domains:
        name = f"class domain {domain.number} ({domain.class_name})"
        found[name] = domain.class_name, domain.size, domain.kind, domain.keys, domain.maxlen
        for field, values in finitization.fields_of(domain):
            found[f"the field domain of {domain.class_name}.{field} in class domain {domain.number}"] = _values(values)
    found["the order of targets"] = [target.name for target in finitization.targets]
    for target in finitization.targets:
        found[f"target {target.name!r}"] = target.kind, target.requires is None, target.keywords, len(target.parameters)
        for position, parameter in enumerate(target.parameters):
            what = f"parameter {position + 1} of target {target.name!r}"
            if isinstance(parameter, Structures):
                found.update({f"{what}, {part}": value for part, value in _parts(parameter.finitization).items()})
            else:
                found[what] = _values(parameter)
    return found


def _values(values: tuple[Any, ...]) -> list[tuple[type, str]]:
    return [(type(value), repr(value)) for value in values]
