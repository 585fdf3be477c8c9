"""Definite assignment."""

import ast

import pytest

from harness.mutation.bindings import bound_names, definitely_assigned


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
