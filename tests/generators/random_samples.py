"""Random finitizations of three classes, and random predicates of their states."""

import zlib
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from harness.kernel.inputs.state_space import StateSpace
from harness.model.finitization import Finitization

RANDOM_SOURCE = """
class R:
    pass

class A:
    x = 5

class B(A):
    __slots__ = ("y",)
"""
_NAMES = {"R": ("p", "q"), "A": ("x", "y"), "B": ("x", "y")}
_MOST_STATES = 600


@dataclass(frozen=True)
class Walk:
    """A random predicate: reads fields in an order that depends on the values read, then decides by a checksum.

    It sees only an object's class and when it met it first, so it cannot distinguish isomorphic states.
    """

    seed: int
    steps: int

    def __call__(self, root: Any) -> bool:
        seen_objects: list[Any] = [root]
        trace: list[Any] = [self.seed]
        for _ in range(self.steps):
            choice = zlib.crc32(repr(trace).encode())
            owner = seen_objects[choice % len(seen_objects)]
            trace.append(self._see(self._read(owner, choice >> 8), seen_objects))
            if trace[-1] == "end":
                break
        return zlib.crc32(repr(trace).encode()) % 3 > 0

    def _read(self, owner: Any, choice: int) -> Any:
        if isinstance(owner, list):
            return len(owner) if choice % 2 or not owner else owner[choice % len(owner)]
        names = [name for name in _NAMES.get(type(owner).__name__, ()) if hasattr(owner, name)] if choice % 5 else ()
        return getattr(owner, names[choice % len(names)]) if names else "end"

    def _see(self, value: Any, seen_objects: list[Any]) -> Any:
        if value is None or isinstance(value, (bool, int, str)):
            return value
        for number, other in enumerate(seen_objects):
            if other is value:
                return "met", number
        seen_objects.append(value)
        return "new", "list" if isinstance(value, list) else type(value).__name__


@st.composite
def random_tasks(draw: st.DrawFn) -> tuple[Finitization, Walk]:
    """Draw a finitization of at most some hundred states, with targets, and a predicate."""
    f = Finitization("R")
    domains: list[Any] = [f.objects("A", draw(st.integers(0, 2))), f.objects("B", draw(st.integers(0, 1)))]
    domains.append(f.tokens("T", draw(st.integers(0, 3))))
    if draw(st.booleans()):
        elements = draw(st.sampled_from([(0,), (0, 1), (None, domains[0]), (domains[2], None)]))
        lengths = draw(st.sampled_from([(0, 1), (0, 1, 2), (2,), (1, 0)]))
        if any(not hasattr(part, "size") or part.size for part in elements):
            domains.append(f.lists(draw(st.integers(1, 2)), lengths=lengths, elements=elements))
    domains = [domain for domain in (*domains, f.domains[0]) if domain.size]
    pieces = st.lists(st.sampled_from([None, False, 1, "s", *domains]), min_size=1, max_size=3, unique_by=id)
    for owner, names in _NAMES.items():
        if any(domain.class_name == owner for domain in f.domains):
            for name in names:
                f.set(f"{owner}.{name}", *draw(pieces))
    for number in range(draw(st.integers(1, 2))):
        f.method(f"m{number}", *(tuple(draw(pieces)) for _ in range(draw(st.integers(0, 2)))))
    return f, Walk(draw(st.integers(0, 1 << 16)), draw(st.integers(0, 9)))


def small(finitization: Finitization) -> bool:
    """Small enough for brute force, in a property."""
    space = StateSpace(finitization)
    return all(len(field.domain) for field in space.fields) and space.size <= _MOST_STATES
