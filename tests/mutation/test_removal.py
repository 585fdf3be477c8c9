"""Statements that a function can do without; stillborn, trivially equivalent and duplicate mutants."""

import ast
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutated_programs import RUNS, programs
from support.sweeps import examples

from harness.kernel.program.splice import mutated_source
from harness.model.outcome import Location, Mutant, MutantStatus
from harness.mutation.bindings import bound_names, can_do_without, definitely_assigned
from harness.mutation.filters import classify, fingerprint
from harness.mutation.mutate import mutate
from harness.mutation.operator_sets import operator_set, operators_of
from harness.mutation.operators.mujava import MUJAVA_OPERATORS
from harness.mutation.program import TypeProfile, read_program

SDL = [operator for operator in MUJAVA_OPERATORS if operator.code == "SDL"]


def left_out(body: str, head: str = "def f(p, q):") -> list[str]:
    """Return the first line of each statement that SDL replaces by `pass`."""
    source = head + "".join(f"\n    {line}" for line in body.splitlines()) + "\n"
    mutants = mutate(source, ["f"], TypeProfile(), SDL)
    return [m.original.partition("\n")[0] for m in mutants if m.replacement in ("pass", "else: pass")]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("a = p\nreturn a", []),
        ("a = p\na = q\nreturn a", ["a = p", "a = q"]),
        ("a = p\nb = a", []),
        ("p = q\nreturn p", ["p = q"]),
        ("a: int = p", []),
        ("a = p\na += 1\nreturn a", ["a += 1"]),
        ("a = 1\nif p:\n  a = 2\nreturn a", ["if p:", "a = 2"]),
        ("if p:\n  a = 1\nelse:\n  a = 2\nreturn a", []),
        ("while True:\n  if p: break\n  p = q\nreturn p", ["while True:", "if p: break", "break", "p = q"]),
        ("for x in p:\n  q += x\nreturn q", ["q += x"]),  # without the loop, x is no variable
        ("x = 0\nfor x in p:\n  q += x\nreturn q", ["x = 0", "for x in p:", "q += x"]),
        ("try:\n  p()\nexcept E:\n  raise\nfinally:\n  del q", ["p()", "raise", "del q"]),
        ("with p:\n  q()", ["q()"]),
        ("match p:\n  case 1: q()\n  case _: q(1)", ["match p:", "q()", "q(1)"]),
        ("'''Says.'''\n...\n1\npass\nreturn", []),
        ("assert p; q(); del p", ["assert p", "q()", "del p"]),
        ("yield p", []),
        ("yield p\nyield q", ["yield p", "yield q"]),
        ("if p:\n  def g(): pass\nif q:\n  import os", []),
        ("if p: q()\nelif q: p()\nelse: p(q)", ["if p: q()", "q()", "elif q: p()", "p()", "p(q)"]),
    ],
)
def test_only_what_the_rest_does_not_hang_on_is_left_out(body, expected):
    assert left_out(body) == expected


def test_in_init_the_first_assignment_of_a_field_declares_it():
    source = (
        "class C:\n    def __init__(self, n):\n        self.a = n\n        self.b = 0\n        self.b = n\n"
        "        if n: self.c = 1\n    def f(self):\n        self.a = 1\n"
    )
    mutants = mutate(source, ["C.__init__", "C.f"], TypeProfile(), SDL)
    assert [m.original for m in mutants if m.replacement == "pass"] == [
        "self.b = n",
        "if n: self.c = 1",
        "self.c = 1",
        "self.a = 1",
    ]


def test_a_field_that_is_read_before_its_next_assignment_keeps_its_first_one():
    source = "class C:\n    def __init__(self):\n        self.a = 0\n        self.b = self.a\n        self.a = 1\n"
    mutants = mutate(source, ["C.__init__"], TypeProfile(), SDL)
    assert [(m.location.line, m.original) for m in mutants] == [(5, "self.a = 1")]


# -- a naive witness: every way through a random function is taken ------------------------------------

_names = st.sampled_from("xyz")
_simple = st.one_of(
    _names.map("{} = 1".format),
    _names.map("use({})".format),
    st.builds("{} = {}".format, _names, _names),
    st.sampled_from(["break", "continue", "return"]),
)


def _compound(inner: st.SearchStrategy[list[str]]) -> st.SearchStrategy[list[str]]:
    def indented(*blocks: list[str]) -> list[list[str]]:
        return [[f"    {line}" for line in block] for block in blocks]

    def branch(one: list[str], other: list[str]) -> list[str]:
        first, second = indented(one, other)
        return ["if ask():", *first, "else:", *second]

    def loop(body: list[str]) -> list[str]:
        return ["while ask():", *indented(body)[0]]

    parts = st.one_of(_simple.map(lambda line: [line]), st.builds(branch, inner, inner), st.builds(loop, inner))
    return st.lists(parts, min_size=1, max_size=4).map(lambda lists: [line for lines in lists for line in lines])


_bodies = st.recursive(st.lists(_simple, min_size=1, max_size=3), _compound, max_leaves=6)


def _ways(lines: list[str]) -> dict[int, bool]:
    """Return, for each line that uses a variable and is reached, whether it has a value there in all ways."""
    sure: dict[int, bool] = {}
    texts = []
    for number, line in enumerate(lines):
        used = line.strip().removeprefix("use(").rstrip(")") if "use(" in line else line.partition(" = ")[2]
        reads = used if used and used in "xyz" else ""
        indent = line[: len(line) - len(line.lstrip())]
        seen = f"{indent}note({number}, {reads!r} in locals())\n" if reads else ""
        texts.append(seen + (f"{indent}{line.strip()[0]} = 1" if " = " in line else "" if reads else line))
    program = "def f():\n" + "\n".join("    " + part for text in texts for part in text.split("\n") if part.strip())
    names: dict[str, object] = {"note": lambda line, there: sure.__setitem__(line, sure.get(line, True) and there)}
    exec(program, names)
    for answers in range(2**7):
        answer_bits = (bool(answers >> bit & 1) for bit in range(7))
        names["ask"] = lambda told=answer_bits: next(told, False)
        names["f"]()  # type: ignore[operator]
    return sure


def _has_loops_only_where_python_wants_them(lines: list[str]) -> bool:
    try:
        compile("def f():\n" + "\n".join(f"    {line}" for line in lines), "f", "exec")
    except SyntaxError:
        return False
    return True


def _statements(function: ast.FunctionDef) -> Iterator[ast.stmt]:
    return (node for node in ast.walk(function) if isinstance(node, ast.stmt) and node is not function)


@given(_bodies.filter(_has_loops_only_where_python_wants_them))
@settings(derandomize=True, max_examples=examples(60), deadline=None)
def test_a_statement_can_be_left_out_if_no_way_then_comes_to_a_variable_without_a_value(lines):
    lines = [*lines, "use(x)"]
    source = "def f():\n" + "\n".join(f"    {line}" for line in lines) + "\n"
    function = read_program(source).functions["f"]
    assert isinstance(function.node, ast.FunctionDef)
    before = _ways(lines)
    for statement in _statements(function.node):
        if isinstance(statement, ast.Return):
            continue
        first, last = statement.lineno - 2, (statement.end_lineno or 0) - 2
        remaining = [
            line[: len(line) - len(line.lstrip())] + "pass" if number == first else line
            for number, line in enumerate(lines)
        ]
        remaining[first + 1 : last + 1] = ["" for _ in range(first, last)]
        after = _ways(remaining)
        is_sure = all(sure for line, sure in after.items() if before.get(line))
        same = _variables(source) == _variables("def f():\n" + "\n".join(f"    {line}" for line in remaining) + "\n")
        place = statement.lineno, statement.col_offset
        assert can_do_without(function, place) == (is_sure and same), (source, place)


def _variables(source: str) -> set[str]:
    (code,) = (c for c in compile(source, "f", "exec").co_consts if hasattr(c, "co_varnames"))
    return set(code.co_varnames)


def at_use(body: str) -> set[str] | None:
    """Return the names that are surely assigned where `use` stands, in a function with the parameter p."""
    lines = "\n".join("    " + line for line in body.splitlines())
    function = ast.parse(f"def f(p):\n{lines}\n").body[0]
    assert isinstance(function, ast.FunctionDef)
    (use,) = (n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == "use")
    return set(definitely_assigned(function)[use.lineno, use.col_offset])


@pytest.mark.parametrize(
    ("body", "assigned"),
    [
        ("use", "p"),
        ("a = use", "p"),
        ("a = 1\nuse", "p a"),
        ("a: int\nuse", "p"),
        ("a, (b, *c) = p\nuse", "p a b c"),
        ("if p:\n  a = b = 1\nelse:\n  a = 2\nuse", "p a"),
        ("if p:\n  a = 1\nelse:\n  return\nuse", "p a"),
        ("while p:\n  a = 1\nuse", "p"),
        ("while True:\n  a = 1\n  if p: break\nuse", "p a"),
        ("while p:\n  a = 1\n  if a: break\nelse:\n  a = 2\nuse", "p a"),
        ("while p:\n  if p: continue\n  a = 1\n  use", "p a"),
        ("for a in p:\n  b = 1\n  use", "p a b"),
        ("for a in p:\n  b = 1\nuse", "p"),
        ("try:\n  a = 1\nexcept E as e:\n  use", "p"),
        ("try:\n  a = 1\nexcept E:\n  a = 2\n  b = 3\nuse", "p a"),
        ("try:\n  a = 1\nexcept E:\n  raise\nuse", "p a"),
        ("try:\n  a = 1\nfinally:\n  b = 2\nuse", "p a b"),
        ("try:\n  a = 1\nfinally:\n  use", "p"),
        ("with p as a:\n  b = 1\n  use", "p a b"),
        ("with p as a:\n  b = 1\nuse", "p a"),
        ("match p:\n  case [a]: b = 1\n  case c: b = 2\nuse", "p b"),
        ("match p:\n  case [a]: b = 1\nuse", "p"),
        ("match p:\n  case [a, *b] if use: pass", "p a b"),
        ("if (a := p) and (b := a):\n  use", "p a"),
        ("a = 1\nb = [use for c in p]", "p a c"),
        ("a = 1\nb = [c for c in use]", "p a"),
        ("a = 1\nlambda c: use", "c"),
        ("a = 1\ndef g(c):\n  d = 1\n  use", "c d"),
        ("def g(): pass\nimport os.path, sys as s\nclass C: pass\nuse", "p g os s C"),
        ("a = 1\ndel a\na = 2\nuse", "p"),
        ("global a\na = 1\nuse", "p"),
        ("a = 1\nreturn\nuse", ""),
        ("a = 1 if p else (b := 2)\nuse", "p a"),
    ],
)
def test_a_name_is_offered_where_every_way_has_assigned_it(body, assigned):
    assert at_use(body) == set(assigned.split())


def test_bound_names_are_those_of_the_function_itself():
    function = ast.parse(
        "def f(a, /, b=1, *c, d, **e):\n    nonlocal o\n    o = g = [h := i for i in x]\n"
        "    def j(k): l = 1\n    for m, n in y: pass\n    match a:\n        case {'q': 1, **r}: pass\n"
    ).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert bound_names(function) == set("abcdeghjmnr")


SOURCE = "from __future__ import annotations\n\n@object\ndef f(x: Unknown, y=0):\n    while 1:\n        return 0.0\n"


def mutant(identity: str, location: Location, original: str, replacement: str) -> Mutant:
    return Mutant(identity, "X", "f", location, original, replacement, "")


def statuses(*mutants: Mutant) -> list[tuple[MutantStatus, str | None]]:
    return [(m.status, m.same_as) for m in classify(SOURCE, mutants)]


CONDITION, RESULT = Location(5, 10, 5, 11), Location(6, 15, 6, 18)


def test_each_status_is_found_and_nothing_is_dropped():
    assert statuses(
        mutant("a", CONDITION, "1", "1 1"),
        mutant("b", CONDITION, "1", "(1)"),
        mutant("c", CONDITION, "1", "x"),
        mutant("d", CONDITION, "1", "(x\n)"),
        mutant("e", CONDITION, "1", "yield\n"),
    ) == [
        (MutantStatus.STILLBORN, None),
        (MutantStatus.EQUIVALENT, None),
        (MutantStatus.VIABLE, None),
        (MutantStatus.DUPLICATE, "c"),
        (MutantStatus.STILLBORN, None),
    ]


def test_equal_constants_of_another_type_or_sign_are_not_equivalent():
    classified = statuses(*(mutant(text, RESULT, "0.0", text) for text in ("0", "False", "-0.0", "00.0")))
    assert [status.value for status, _ in classified] == ["viable", "viable", "viable", "equivalent"]


@pytest.mark.slow
@settings(max_examples=examples(24), deadline=None, derandomize=True)
@given(st.sampled_from(["extended", "mujava"]), programs)
def test_statements_alone_tell_what_whole_modules_tell(operators, source):
    """Compare with the naive way: compile every mutated module whole."""
    mutants = mutate(source, RUNS, TypeProfile(), operators_of(operator_set(operators)))
    first = {fingerprint(compile(source, "m", "exec", dont_inherit=True)): "original"}
    expected = []
    for one in mutants:
        mark = fingerprint(compile(mutated_source(source, one), "m", "exec", dont_inherit=True))
        expected.append(first.setdefault(mark, one.id))
    first_with_code = {MutantStatus.EQUIVALENT: "original"}
    assert [m.same_as or first_with_code.get(m.status, m.id) for m in classify(source, mutants)] == expected
