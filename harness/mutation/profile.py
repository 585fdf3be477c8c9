"""TypeProfile: the types observed while the original ran, as the mutator reads them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Types = frozenset[str]
_Table = Mapping[str, Mapping[str, Types]]


@dataclass(frozen=True)
class TypeProfile:
    """Type names of variables by function, of results by function, and of attributes by class."""

    variables: _Table = field(default_factory=dict)
    returns: Mapping[str, Types] = field(default_factory=dict)
    attributes: _Table = field(default_factory=dict)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TypeProfile:
        """Return the profile that `harness.kernel.running.type_profile.profile` returned as JSON."""
        functions: Mapping[str, Any] = data["functions"]
        return cls(
            variables={name: _sets(entry["variables"]) for name, entry in functions.items()},
            returns={name: frozenset(entry["returns"]) for name, entry in functions.items() if entry["returns"]},
            attributes={name: _sets(attributes) for name, attributes in data["classes"].items()},
        )


def _sets(table: Mapping[str, Any]) -> dict[str, Types]:
    return {name: frozenset(kinds) for name, kinds in table.items()}
