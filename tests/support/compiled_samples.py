"""Predicates as source text, hand-written and random, for holding the compiled engine to the reference engine."""

import linecache
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from textwrap import indent
from typing import Any

from generator_samples import shared_objects
from hypothesis import strategies as st

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


# -- at random ----------------------------------------------------------------------------------


class _Writer:
    """Draws statements and expressions that mostly do not raise; names in scope by kind."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.numbers: list[str] = ["root.size", "R.LIMIT"]
        self.nodes: list[str] = []
        self.maybe: list[str] = ["root.head"]
        self.fresh = 0
        self.in_loop = False

    def pick(self, *options: Any) -> Any:
        return self.draw(st.sampled_from(options))

    def name(self, stem: str) -> str:
        self.fresh += 1
        return f"{stem}{self.fresh}"

    def number(self, depth: int = 2) -> str:
        leaves = [str(self.draw(st.integers(-2, 4))), *self.numbers, *(f"{n}.value" for n in self.nodes)]
        if depth == 0:
            return self.pick(*leaves)
        a, b = self.number(depth - 1), self.number(depth - 1)
        options = [
            f"({a} {self.pick('+', '-', '*', '&', '|', '^')} {b})",
            f"({a} {self.pick('//', '%')} {self.pick(-3, -2, 2, 3)})",
            f"{self.pick('min', 'max')}({a}, {b})",
            f"abs({a})",
            f"-{a}",
            f"({a} if {self.truth(depth - 1)} else {b})",
            "len(root.cells)",
            f"sum({self.number(0)} for i in range({self.pick(0, 1, 2, 3)}))",
            f"len([c for c in root.cells if c == {a}])",
            f"max((c for c in root.cells), default={a})",
            "root.total()",
            f"root.total(start={a})",
            f"A.half({a})",
            f"len({{{a}, {b}, 1}})",
            f"sum(n.value for n in root.head.below(2)) if root.head is not None else {a}",
            f"({a} << {self.pick(0, 1, 2)} >> 1)",
            f"dict(), {{1: {a}, {b}: 2}}[1]".partition(", ")[2],
            f"sorted([{a}, {b}, 1])[{self.pick(0, 1, -1)}]",
            *(f"{n}.double" for n in self.nodes),
            *(f"(0 if {m} is None else {m}.value)" for m in self.maybe),
            *leaves,
        ]
        return self.pick(*options)

    def truth(self, depth: int = 2) -> str:
        a, b = self.number(0), self.number(0)
        if depth == 0:
            compared = f"{a} {self.pick('<', '<=', '>', '>=', '==', '!=')} {b}"
            return self.pick(compared, f"{self.pick(*self.maybe)} is None")
        cls = self.pick("A", "bool", "int", "list", "(A, str)")
        side = self.pick("next", "other")
        options = [
            f"{self.number(depth - 1)} {self.pick('<', '<=', '==', '>', '!=')} {self.number(depth - 1)}",
            f"{a} <= {b} < {self.number(depth - 1)}",
            f"({self.truth(depth - 1)} {self.pick('and', 'or')} {self.truth(depth - 1)})",
            f"not {self.truth(depth - 1)}",
            f"{a} {self.pick('in', 'not in')} root.cells",
            f"{a} in ({b}, 1)",
            f"all(c {self.pick('<=', '!=')} {a} for c in root.cells)",
            f"any(c == d for c, d in zip(root.cells, root.cells[1:]) if c > {a})",
            f"{self.pick(*self.maybe)} {self.pick('is', 'is not', '==', '!=')} {self.pick('None', *self.maybe)}",
            f"isinstance({self.pick(*self.maybe, 'root.tag', 'root.cells')}, {cls})",
            f"root.tag {self.pick('is', 'is not')} {self.pick('True', 'False', 'None')}",
            "root.tag == 'node'",
            "root.tag",
            "root.cells",
            f"{a} == True",
            *(f"{n}.above({a})" for n in self.nodes),
            *(f"{n}.above({a}, strictly=False)" for n in self.nodes),
            *(f"getattr({n}, {side!r}) is {self.pick(*self.maybe)}" for n in self.nodes),
            *(f"({n}.next, {a}) == ({self.pick(*self.maybe)}, {b})" for n in self.nodes),
            *(f"any(p is {self.pick('None', n)} for p in {n}.pair())" for n in self.nodes),
        ]
        return self.pick(*options)

    def block(self, depth: int) -> str:
        variables_before = list(self.numbers), list(self.nodes), list(self.maybe)
        text = "\n".join(self.statement(depth) for _ in range(self.draw(st.integers(1, 3))))
        self.numbers, self.nodes, self.maybe = variables_before
        return indent(text, "    ")

    def statement(self, depth: int) -> str:
        kinds = ["return", "return if", "assign", "swap", "jump"]
        if depth:
            kinds += ["if", "if", "for", "walk", "walk", "side", "cells", "work", "below"]
        kind = self.pick(*kinds)
        if kind == "return if":
            return f"if {self.truth()}:\n    return {self.pick('False', 'True', self.truth(1))}"
        if kind == "return":
            return f"if {self.truth(1)}: return False"
        if kind == "assign":
            name, value = self.name("n"), self.number()
            self.numbers.append(name)
            return f"{name} = {value}\n{name} {self.pick('+=', '-=', '*=')} {self.number(1)}"
        if kind == "swap":
            a, b, x, y = self.name("n"), self.name("n"), self.number(1), self.number(1)
            self.numbers += [a, b]
            return f"{a}, {b} = {x}, {y}\n{a}, {b} = {b}, {a}"
        if kind == "jump":
            return f"if {self.truth(1)}: {self.pick('break', 'continue')}" if self.in_loop else "pass"
        if kind == "if":
            return f"if {self.truth()}:\n{self.block(depth - 1)}\nelse:\n{self.block(depth - 1)}"
        return self.loop(kind, depth)

    def loop(self, kind: str, depth: int) -> str:
        outer, self.in_loop = self.in_loop, True
        numbers, nodes, maybe = list(self.numbers), list(self.nodes), list(self.maybe)
        otherwise = self.pick("", "", "\nelse:\n    pass", "\nelse:\n    return False")
        if kind == "for":
            ends = self.pick("3", "1, 3", "2, -1, -1", "0, 4, 2", "root.size", "len(root.cells)")
            name = self.name("i")
            self.numbers.append(name)
            around = self.pick(f"for {name} in range({ends}):", f"for {name} in reversed(range({ends})):")
            text = f"{around}\n{self.block(depth - 1)}{otherwise}"
        elif kind == "cells":
            i, c = self.name("i"), self.name("c")
            self.numbers += [i, c]
            cells = self.pick("root.cells", "reversed(root.cells)")
            text = f"for {i}, {c} in enumerate({cells}):\n{self.block(depth - 1)}{otherwise}"
        elif kind == "side":
            node, child = self.name("a"), self.name("c")
            self.maybe.append(child)
            body = self.block(depth - 1)
            text = f"{node} = root.head\nif {node} is not None:\n    for side in ('next', 'other'):\n"
            text += f"        {child} = getattr({node}, side)\n{indent(body, '    ')}"
        elif kind == "below":
            node = self.name("a")
            self.nodes.append(node)
            text = f"if root.head is not None:\n    for {node} in root.head.below({self.pick(1, 2, 3)}):\n"
            text += indent(self.block(depth - 1), "    ")
        elif kind == "work":
            seen, work, node = self.name("s"), self.name("w"), self.name("a")
            self.nodes.append(node)
            self.numbers.append(f"len({seen})")
            worklist, take = self.pick(
                ("[root.head]", "pop()"), ("[root.head]", "pop(0)"), ("deque([root.head])", "popleft()")
            )
            body = self.block(depth - 1)
            text = (
                f"{seen} = set()\n{work} = {worklist}\nwhile {work}:\n    {node} = {work}.{take}\n"
                f"    if {node} is None or {node} in {seen}:\n        continue\n    {seen}.add({node})\n"
                f"    {work}.append({node}.next)\n    {work}.append({node}.other)\n{body}{otherwise}"
            )
        else:
            seen, node = self.name("s"), self.name("a")
            self.nodes.append(node)
            self.numbers.append(f"len({seen})")
            kind = self.pick("set(), add", "[], append", "collections.deque(), append").split(", ")
            body = self.block(depth - 1)
            step = self.pick("next", "other")
            text = (
                f"{seen} = {kind[0]}\n{node} = root.head\nwhile {node} is not None and {node} not in {seen}:\n"
                f"    {seen}.{kind[1]}({node})\n{body}\n    {node} = {node}.{step}{otherwise}"
            ).replace("continue", "break")
        self.in_loop = outer
        self.numbers, self.nodes, self.maybe = numbers, nodes, maybe
        return text


@st.composite
def random_predicates(draw: st.DrawFn) -> str:
    """Draw the statements of a rep_ok(root) over `finitization()`."""
    writer = _Writer(draw)
    statements = [writer.statement(2) for _ in range(draw(st.integers(1, 4)))]
    return "\n".join([*statements, f"return {writer.truth()}"])
