"""Lines are told apart by the function that executes them."""

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import SourceError
from harness.measuring.lines import own_lines

SOURCE = '''\
def plain(x):
    """Says
    something."""

    if x:
        return 1
    return 2


class Box:
    @property
    def size(
        self,
    ):
        return 0

    def inline(self): return 1


def outer(xs):
    @staticmethod
    def inner(x):
        "docstring"
        def innermost():
            return x
        return innermost()
    class Local:
        kind = 1
        def method(self):
            return 2
    def short(x): return x
    return [inner(x) for x in xs], lambda: 3
'''


def spans(source):
    lines_of = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            lines_of.setdefault(node.name, (node.lineno, node.end_lineno))
    return lines_of


def test_def_decorators_and_docstring_are_not_a_functions_own_lines():
    lines = own_lines(SOURCE, {name: spans(SOURCE)[name] for name in ("plain", "size")})
    assert lines["plain"] == {5, 6, 7}
    assert lines["size"] == {15}


def test_a_body_behind_the_colon_owns_the_line_of_def():
    assert own_lines(SOURCE, {"Box.inline": spans(SOURCE)["inline"]}) == {"Box.inline": frozenset({17})}


def test_functions_within_functions_belong_to_themselves_and_follow_theirs():
    lines = own_lines(SOURCE, {"outer": spans(SOURCE)["outer"], "plain": spans(SOURCE)["plain"]})
    assert list(lines) == [
        "outer",
        "outer.<locals>.inner",
        "outer.<locals>.inner.<locals>.innermost",
        "outer.<locals>.Local.method",
        "plain",
    ]
    assert lines["outer"] == {21, 22, 27, 28, 29, 31, 32}
    assert lines["outer.<locals>.inner"] == {24, 26}
    assert lines["outer.<locals>.inner.<locals>.innermost"] == {25}
    assert lines["outer.<locals>.Local.method"] == {30}


def test_an_inner_function_that_is_given_keeps_the_name_it_is_given():
    lines = own_lines(SOURCE, {"outer": spans(SOURCE)["outer"], "mine": spans(SOURCE)["inner"]})
    assert lines["mine"] == {24, 26}
    assert list(lines) == ["outer", "outer.<locals>.Local.method", "mine", "mine.<locals>.innermost"]
    assert lines["outer"] == own_lines(SOURCE, {"outer": spans(SOURCE)["outer"]})["outer"]


def test_a_span_without_a_function_is_refused():
    with pytest.raises(ValueError, match="gone: no function stands on lines 5 to 6"):
        own_lines(SOURCE, {"gone": (5, 6)})


def test_a_source_that_does_not_parse_is_refused():
    with pytest.raises(SourceError, match="line 1"):
        own_lines("def f(:\n", {})


@st.composite
def nested_functions(draw, depth=0, prefix="f"):
    """Draw the text of a function with functions within it, indented."""
    lines = [f"def {prefix}():", "    x = 1"]
    for number in range(draw(st.integers(0, 2 if depth < 3 else 0))):
        inner = draw(nested_functions(depth=depth + 1, prefix=f"{prefix}{number}"))
        lines += [f"    {line}" for line in inner]
        if draw(st.booleans()):
            lines.append("    x += 1")
    return lines


@given(nested_functions())
@settings(max_examples=40, deadline=None, derandomize=True)
def test_every_line_behind_the_outermost_def_belongs_to_exactly_one_function(text):
    source = "\n".join(text)
    lines = own_lines(source, {"f": (1, len(text))})
    owned = sorted(line for own in lines.values() for line in own)
    assert owned == list(range(2, len(text) + 1))
    assert len(lines) == sum(line.lstrip().startswith("def") for line in text)
