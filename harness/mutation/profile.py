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

    def to_json(self) -> dict[str, Any]:
        """Return sorted dicts and lists that `from_json` reads."""
        names = sorted({*self.variables, *self.returns})
        return {
            "functions": {
                name: {
                    "variables": _lists(self.variables.get(name, {})),
                    "returns": sorted(self.returns.get(name, ())),
                }
                for name in names
            },
            "classes": {name: _lists(self.attributes[name]) for name in sorted(self.attributes)},
        }


def _sets(table: Mapping[str, Any]) -> dict[str, Types]:
    return {name: frozenset(kinds) for name, kinds in table.items()}


def _lists(table: Mapping[str, Types]) -> dict[str, list[str]]:
    return {name: sorted(table[name]) for name in sorted(table)}
