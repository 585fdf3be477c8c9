"""Random small programs: classes, a rep_ok over them within the translated subset, and a finitization.

Classes have one to three fields: numbers, choices among other plain values, references (to objects of one of two class
domains, or to nothing), lists of numbers or of references. rep_ok is drawn to fit: it walks along references, keeps
sets of visited objects, iterates over lists, catches exceptions, and calls methods and helpers, some of them recursive.
Few of its exceptions are not caught.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from textwrap import indent
from typing import Any

from hypothesis import strategies as st

from harness.model.finitization import Finitization

CHOICES = [(None, True), (False, True), ("x", None, "y"), (None, "x"), (True, None, False), (2, None)]


@dataclass(frozen=True)
class FieldKind:
    """`kind` is number, choice, reference, numbers or references; `target` the class referred to."""

    name: str
    kind: str
    target: str = ""
    nullable: bool = True
    values: tuple[Any, ...] = ()
    lengths: tuple[int, ...] = ()


@dataclass(frozen=True)
class Program:
    """A program as text, and what builds its finitization."""

    source: str
    classes: dict[str, tuple[FieldKind, ...]]
    counts: dict[str, tuple[int, ...]]

    def finitization(self) -> Finitization:
        """Return a new finitization each time: finitizations are changed by their makers."""
        f = Finitization("R")
        domains = {name: [f.objects(name, count) for count in counts] for name, counts in self.counts.items()}
        for name, fields in self.classes.items():
            for one in fields:
                pieces = [*([None] if one.nullable else []), *domains.get(one.target, [])]
                if one.kind in ("numbers", "references"):
                    elements = one.values or pieces
                    f.set(f"{name}.{one.name}", f.lists(2, lengths=one.lengths, elements=elements))
                elif one.kind == "reference":
                    f.set(f"{name}.{one.name}", *pieces)
                else:
                    f.set(f"{name}.{one.name}", *one.values)
        return f


@dataclass
class Scope:
    """The parts of expressions, by kind: numbers, choices, objects and perhaps-objects by class, lists, sets."""

    numbers: list[str] = field(default_factory=list)
    choices: list[str] = field(default_factory=list)
    objects: dict[str, list[str]] = field(default_factory=dict)
    perhaps: dict[str, list[str]] = field(default_factory=dict)
    lists: list[tuple[str, FieldKind]] = field(default_factory=list)

    def copy(self) -> Scope:
        """Return a copy for an inner block, whose names may not be bound outside."""
        objects = {name: list(found) for name, found in self.objects.items()}
        perhaps = {name: list(found) for name, found in self.perhaps.items()}
        return Scope(list(self.numbers), list(self.choices), objects, perhaps, list(self.lists))


class Writer:
    """Draws statements and expressions."""

    def __init__(self, draw: st.DrawFn, classes: dict[str, tuple[FieldKind, ...]]) -> None:
        self.draw = draw
        self.classes = classes
        self.scope = Scope()
        self.helpers: list[str] = []
        self.count = 0

    def pick(self, *options: Any) -> Any:
        return self.draw(st.sampled_from(options))

    def name(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    def know(self, text: str, cls: str) -> None:
        """Register `text` as an object of the class, so that its fields can be read from here on."""
        scope = self.scope
        scope.objects.setdefault(cls, []).append(text)
        for one in self.classes[cls]:
            read = f"{text}.{one.name}"
            if one.kind == "number":
                scope.numbers.append(read)
            elif one.kind == "choice":
                scope.choices.append(read)
            elif one.kind == "reference":
                (scope.perhaps if one.nullable else scope.objects).setdefault(one.target, []).append(read)
            else:
                scope.lists.append((read, one))

    def pointers(self) -> list[tuple[str, str]]:
        """Expressions that may be objects, with their classes."""
        nullable = [(text, cls) for cls, texts in self.scope.perhaps.items() for text in texts]
        return nullable + [(text, cls) for cls, texts in self.scope.objects.items() for text in texts]

    # -- expressions -------------------------------------------------------------------------

    def number(self, depth: int = 1) -> str:
        leaves = [
            str(self.pick(-1, 0, 1, 2, 3)),
            *self.scope.numbers,
            *(f"len({text})" for text, _ in self.scope.lists),
        ]
        if not depth:
            return str(self.pick(*leaves))
        a, b = self.number(depth - 1), self.number(depth - 1)
        methods = [f"{text}.sum_of(1)" for texts in self.scope.objects.values() for text in texts]
        numbers = [text for text, one in self.scope.lists if one.kind == "numbers"]
        return str(
            self.pick(
                f"({a} {self.pick('+', '-', '*', '&', '|', '^')} {b})",
                f"({a} << {self.pick(0, 1, 2)} >> 1)",
                f"{self.pick('abs', '-')}({a})",
                f"({a} // {self.pick(2, -3)})",
                f"({a} % {self.pick(2, 3)})",
                f"{self.pick('min', 'max')}({a}, {b})",
                f"({a} if {self.truth(0)} else {b})",
                *(f"{text}" for text in methods),
                *(f"sum({text})" for text in numbers),
                *(f"sum(1 for item in {text} if item == {a})" for text in numbers),
                *leaves,
            )
        )

    def truth(self, depth: int = 1) -> str:
        a, b = self.number(depth), self.number(0)
        options = [f"{a} {self.pick('<', '<=', '==', '!=', '>')} {b}"]
        options += [f"{text} {self.pick('is', 'is not')} {self.pick('None', 'True')}" for text in self.scope.choices]
        options += [
            f"{text} {self.pick('==', '!=')} {self.pick(chr(39) + 'x' + chr(39), 2)}" for text in self.scope.choices
        ]
        pointers = self.pointers()
        for text, cls in pointers:
            other = self.pick(*(other for other, kind in pointers if kind == cls))
            options += [f"{text} is None", f"{text} is not {other}", f"isinstance({text}, {cls})"]
        for text, one in self.scope.lists:
            options += [f"all(item is not None for item in {text})", f"len({text}) < {b}"]
            if one.kind == "numbers":
                options += [f"{b} in {text}", f"all(x <= y for x, y in zip({text}, {text}[1:]))"]
        if depth:
            options += [
                f"({self.truth(0)} {self.pick('and', 'or')} {self.truth(0)})",
                f"not {self.truth(0)}",
                f"{b} <= {a} < {self.number(0)}",
            ]
        return str(self.pick(*options))

    # -- statements --------------------------------------------------------------------------

    def block(self, depth: int, *variables: tuple[str, str], first: str = "") -> str:
        outer, self.scope = self.scope, self.scope.copy()
        for text, cls in variables:
            self.know(text, cls)
        lines = [first] if first else []
        lines += [self.statement(depth) for _ in range(self.draw(st.integers(1, 2)))]
        self.scope = outer
        return indent("\n".join(lines), "    ")

    def statement(self, depth: int) -> str:
        kinds = ["return if", "return if", "assign"]
        pointers, lists = self.pointers(), self.scope.lists
        if depth:
            kinds += ["if", "try", *(["narrow", "narrow", "walk", "reach", "helper"] if pointers else [])]
            kinds += ["each"] if lists else []
        kind = self.pick(*kinds)
        if kind == "return if":
            return f"if {self.truth()}:\n    return {self.pick('False', 'False', 'True', self.truth(0))}"
        if kind == "assign":
            name, value = self.name("n"), self.number()
            self.scope.numbers.append(name)
            return f"{name} = {value}"
        if kind == "if":
            return f"if {self.truth()}:\n{self.block(depth - 1)}\nelse:\n{self.block(depth - 1)}"
        if kind == "each":
            return self.each(depth)
        if kind == "try":
            return self.trying(depth)
        text, cls = self.pick(*pointers)
        name = self.name("a")
        if kind == "narrow":
            return f"{name} = {text}\nif {name} is not None:\n{self.block(depth - 1, (name, cls))}"
        links = [one for one in self.classes[cls] if one.kind == "reference" and one.target == cls]
        if kind == "helper":
            return self.helper(text, cls, links)
        seen = self.name("s")
        self.scope.numbers.append(f"len({seen})")
        if kind == "walk" and links:
            body = self.block(depth - 1, (name, cls), first=f"{seen}.add({name})")
            step = f"    {name} = {name}.{self.pick(*links).name}"
            return (
                f"{seen} = set()\n{name} = {text}\nwhile {name} is not None and {name} not in {seen}:\n{body}\n{step}"
            )
        work, take = self.name("w"), self.pick("pop()", "pop(0)")
        steps = "".join(f"    {work}.append({name}.{one.name})\n" for one in links)
        body = self.block(depth - 1, (name, cls))
        return (
            f"{seen} = set()\n{work} = [{text}]\nwhile {work}:\n    {name} = {work}.{take}\n"
            f"    if {name} is None or {name} in {seen}:\n        continue\n    {seen}.add({name})\n{steps}{body}"
        )

    def trying(self, depth: int) -> str:
        """Return a block that may raise at its beginning, or anywhere, with handlers of some exceptions."""
        risks = [
            "n = 1 // " + self.number(),
            f"assert {self.truth()}",
            f"if {self.truth()}: raise ValueError({self.number()})",
        ]
        risks += [f"n = {text}.{one.name}" for text, cls in self.pointers() for one in self.classes[cls]]
        risks += [f"n = {text}[{self.pick(0, 1, -1)}]" for text, _ in self.scope.lists]
        risks += [f"n = {text} < {self.number()}" for text in self.scope.choices]
        caught = [
            " Exception",
            " (AttributeError, IndexError, TypeError)",
            " (ArithmeticError, ValueError)",
            " KeyError",
        ]
        clauses = f"except{self.pick(*caught)}:\n{self.block(depth - 1)}\n"
        if self.pick(True, False):
            clauses += f"except BaseException:\n    {self.pick('pass', 'return False', 'raise ValueError')}\n"
        if self.pick(True, False):
            clauses += f"else:\n{self.block(depth - 1)}\n"
        return f"try:\n{self.block(depth - 1, first=self.pick(*risks))}\n{clauses}"

    def each(self, depth: int) -> str:
        text, one = self.pick(*self.scope.lists)
        name = self.name("e")
        if one.kind == "numbers":
            outer, self.scope = self.scope, self.scope.copy()
            self.scope.numbers.append(name)
            body = self.block(depth - 1)
            self.scope = outer
            return f"for {name} in {self.pick(text, f'reversed({text})')}:\n{body}"
        guard = f"if {name} is None:\n    {self.pick('continue', 'return False')}"
        return f"for {name} in {text}:\n{self.block(depth - 1, (name, one.target), first=guard)}"

    def helper(self, text: str, cls: str, links: list[FieldKind]) -> str:
        """A call of a new function that follows links as far as it is told."""
        function = self.name("f")
        outer, self.scope = self.scope, Scope()
        self.know("node", cls)
        end, here = self.pick("0", "1", "-1"), self.number()
        below = "".join(f" + {function}(node.{one.name}, left - 1)" for one in links)
        self.scope = outer
        self.helpers.append(
            f"def {function}(node, left):\n    if node is None or left == 0:\n        return {end}\n"
            f"    return {here}{below}\n"
        )
        name = self.name("n")
        self.scope.numbers.append(name)
        return f"{name} = {function}({text}, {self.pick(1, 2, 3)})"


@st.composite
def fields(draw: st.DrawFn, name: str, other_names: list[str]) -> tuple[FieldKind, ...]:
    """One to three fields of a class; the root's first one is a reference, so that there is something to walk."""
    field_kinds = []
    for number in range(draw(st.integers(2 if name == "R" else 1, 3))):
        kinds = ["reference"] if name == "R" and not number else ["number", "choice", "reference", "reference"]
        kinds += ["numbers", "references"] if name == "R" and number else []
        kind = draw(st.sampled_from(kinds))
        target, nullable = "", True
        if kind in ("reference", "references"):
            target = draw(st.sampled_from([other for other in other_names if other != "R"]))
            nullable = draw(st.sampled_from([True, True, False])) or name != "R"
        values: tuple[Any, ...] = ()
        if kind in ("number", "numbers"):
            low = draw(st.integers(-1, 1))
            values = tuple(range(low, low + draw(st.integers(1, 3))))
        elif kind == "choice":
            values = draw(st.sampled_from(CHOICES))
        lengths = draw(st.sampled_from([(0, 1), (1, 2), (2, 0), (0, 1, 2)])) if kind.endswith("s") else ()
        field_kinds.append(FieldKind(f"{'rab'['RAB'.index(name)]}{number}", kind, target, nullable, values, lengths))
    return tuple(field_kinds)


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """A program; its state space may be too large to search."""
    names = ["R", "A", "B"][: draw(st.integers(2, 3))]
    classes = {name: draw(fields(name, names)) for name in names}
    counts = {name: draw(st.sampled_from([(1,), (2,), (2,), (1, 1)])) for name in names[1:]}
    writer = Writer(draw, classes)
    texts = []
    for name, own in classes.items():
        writer.scope = Scope(numbers=["extra", *(f"self.{one.name}" for one in own if one.kind == "number")])
        texts.append(f"class {name}:\n    def sum_of(self, extra):\n        return {writer.number()}\n")
    writer.scope = Scope()
    writer.know("root", "R")
    body = [writer.statement(2) for _ in range(draw(st.integers(1, 3)))]
    body.append(f"return {writer.truth()}")
    rep_ok = f"def rep_ok(root):\n{indent(chr(10).join(body), '    ')}\n"
    return Program("\n".join([*texts, *writer.helpers, rep_ok]), classes, counts)
