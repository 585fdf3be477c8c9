"""Korat+ as in the paper's pseudo-code, line by line, on states made again for each candidate; no containers.

Apart from one thing: the pseudo-code never advances the field that was read first, and ends instead; here as in Korat
it is advanced like the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from harness.generators.states.layout import Layout
from harness.kernel.inputs.state_space import PLAIN, Decoder, StateSpace


class NaiveKoratPlus:
    """Valid vectors and classes in order, and candidates explored; without `eq_class`, those of Korat."""

    def __init__(self, space: StateSpace, code: Any, rep_ok: Callable[[Any], Any], eq_class: Any = None) -> None:
        self.space, self.code, self.rep_ok, self.eq_class = space, code, rep_ok, eq_class
        self.layout = Layout(space)
        self.decoder = Decoder(space, code)
        self.explored = 0
        self.kept_states: list[tuple[tuple[int, ...], Any]] = []

    def run(self) -> NaiveKoratPlus:
        """Execute the whole search."""
        current = [0] * self.space.width
        fields = [0]
        while fields:
            valid, fields = self.read(self.rep_ok, current)
            self.explored += 1
            if valid:
                reachable, _ = self.layout.reachable(current)
                fields += [field for field in reachable if field not in fields]
                value, observed = (None, fields) if self.eq_class is None else self.read(self.eq_class, current)
                self.kept_states.append((tuple(current), value))
            modified = self.advance(current, fields)
            if valid and not set(observed) & set(modified):
                for field in modified:
                    current[field] = 0
                while fields[-1] not in observed:
                    current[fields.pop()] = 0
                self.advance(current, fields)
        return self

    def advance(self, current: list[int], fields: list[int]) -> list[int]:
        """The next candidate of Korat: which fields change, the advanced one last; no field is left at the end."""
        modified = []
        while fields:
            field = fields[-1]
            following = self.following(current, fields)
            modified.append(field)
            if following is not None:
                current[field] = following
                return modified
            current[field] = 0
            fields.pop()
        return modified

    def following(self, current: list[int], fields: list[int]) -> int | None:
        """The next index of the last field, past objects that would give isomorphic states."""
        *below, field = fields
        domain, index = self.space.fields[field].domain, current[field]
        kind, following = domain.classes[index], index + 1
        other_fields = [(self.space.fields[other].domain, current[other]) for other in below]
        used_indices = [at.indices[value] for at, value in other_fields if at.classes[value] == kind]
        if kind != PLAIN and domain.indices[index] > max([0 if kind == 0 else -1, *used_indices]):
            while following < len(domain) and domain.classes[following] == kind:
                following += 1
        return following if following < len(domain) else None

    def read(self, function: Callable[[Any], Any], vector: list[int]) -> tuple[Any, list[int]]:
        """Return a function's answer about a state, and the fields that it reads, by first reading."""
        state = self.decoder.decode(vector)
        root = state.root
        fields = {}
        for owner in self.space.objects:
            for name in owner.names:
                fields[id(state.made(owner.number)), name] = owner.first + owner.names.index(name)
        read: dict[int, None] = {}

        def record_read(owner: Any, name: str) -> None:
            if (id(owner), name) in fields:
                read.setdefault(fields[id(owner), name])

        with noticed(self.code, record_read):
            value = function(root)
        return value, list(read)


@contextmanager
def noticed(code: Any, record_read: Callable[[Any, str], Any]) -> Iterator[None]:
    """Reads of attributes of the module's classes."""
    classes = [made for made in vars(code).values() if isinstance(made, type) and made.__module__ == code.__name__]

    def get(self: Any, name: str) -> Any:
        record_read(self, name)
        return object.__getattribute__(self, name)

    for cls in classes:
        cls.__getattribute__ = get
    try:
        yield
    finally:
        for cls in classes:
            del cls.__getattribute__
