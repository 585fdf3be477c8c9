"""Predicates as source text, for holding the compiled engine to the reference engine."""

import linecache
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from textwrap import indent
from typing import Any

from generator_samples import shared_objects

from harness.errors import SpecError
from harness.generators.states.reference.search import KoratSearch
from harness.generators.states.translated.search import CompiledSearch, SearchGaveUp
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.program.loader import ModuleText, execute
from harness.model.finitization import Finitization

CLASSES = """
class R:
    LIMIT = 2

    def total(self, start=0):
        total, node, left = start, self.head, 3
        while node is not None and left > 0:
            total += node.value
            node, left = node.next, left - 1
        return total

class A:
    KIND = "node"

    def above(self, least, *, strictly=True):
        return self.value > least if strictly else self.value >= least

    @property
    def double(self):
        return self.value * 2

    @staticmethod
    def half(number):
        return number // 2

    def below(self, left):
        if left > 0:
            yield self
            if self.next is not None:
                yield from self.next.below(left - 1)
            if self.other is not None:
                for node in self.other.below(left - 1):
                    yield node

    def pair(self):
        yield self.next
        if self.other is not None:
            yield self.other
"""


def module(source: str) -> Any:
    """The module of `source`, which `linecache` can show as if it were a file."""
    name = f"<{sha256(source.encode()).hexdigest()[:16]}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    return execute(ModuleText("impl", source, name))


def predicate(body: str, helpers: str = "") -> Any:
    """Return a module with CLASSES and a rep_ok(root) of the given statements."""
    head = "import collections\nfrom collections import deque\n"
    return module(f"{head}{CLASSES}\n{helpers}\ndef rep_ok(root):\n{indent(body.strip(chr(10)), '    ')}\n")


def several(bodies: Iterable[str], helpers: str = "") -> Any:
    """A module whose rep_ok(root) does what the `root.which`-th of the bodies does: one text in C for all of them."""
    functions, cases = [helpers], []
    for number, body in enumerate(bodies):
        functions.append(f"def p{number}(root):\n{indent(body.strip(chr(10)), '    ')}\n")
        cases.append(f"if root.which == {number}:\n    return p{number}(root)")
    return predicate("\n".join(cases), "\n".join(functions))


def of_several(number: int, finitization: Finitization) -> StateSpace:
    """Return the state space of the predicate of this number among `several`."""
    finitization.set("R.which", number)
    return StateSpace(finitization)


def finitization(nodes: int = 2, values: int = 3, lengths: int = 3) -> Finitization:
    """Return a root with a head, a size, a tag and a list of numbers; nodes with two links and a value."""
    f = Finitization("R")
    cells = f.objects("A", nodes)
    f.set("R.head", None, cells)
    f.set("R.size", range(3))
    f.set("R.tag", False, True, "node", None)
    f.set("R.cells", f.lists(1, lengths=range(lengths), elements=range(2)))
    f.set("A.next", None, cells)
    f.set("A.other", None, cells)
    f.set("A.value", range(values))
    return f


@dataclass(frozen=True)
class SearchOutcome:
    """The result of a search: vectors, executions, and why it ended early."""

    vectors: tuple[tuple[int, ...], ...]
    explored: int
    error: str = ""


def by_reference(code: Any, space: StateSpace) -> SearchOutcome:
    """Return the reference engine's result."""
    search, vectors, error = KoratSearch(space, code, code.rep_ok), [], ""
    try:
        vectors.extend(search)
    except SpecError as failure:
        error = str(failure)
    return SearchOutcome(tuple(vectors), search.explored, error)


def compiled(code: Any, space: StateSpace, **switches: bool) -> SearchOutcome:
    """Return the compiled engine's result."""
    search, vectors, error = CompiledSearch(space, code, code.rep_ok, shared_objects(), **switches), [], ""
    try:
        vectors.extend(search)
    except SearchGaveUp as reason:
        error = str(reason)
    return SearchOutcome(tuple(vectors), search.explored, error)


def mistaken(folder: Path, code: Any, other: Any, space: StateSpace, **options: Any) -> Path:
    """A folder whose library, kept for the predicate of one module, does as that of another says."""
    CompiledSearch(space, code, code.rep_ok, folder / "right", **options)
    CompiledSearch(space, other, other.rep_ok, folder / "wrong", **options)
    (right,), (wrong,) = ((folder / name).glob("*.so") for name in ("right", "wrong"))
    (folder / "mistaken").mkdir()  # a library that was loaded from the same path before would be taken again
    return wrong.rename(folder / "mistaken" / right.name).parent
