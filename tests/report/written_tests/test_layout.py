"""Statements are laid out so that formatters leave them as they are, and mean what they did."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.report.written_tests.layout import WIDTH, laid_out

numbers = st.integers(-(10**9), 10**9).map(repr)
values = st.recursive(
    numbers,
    lambda inner: st.one_of(
        st.lists(inner, max_size=9).map(lambda items: f"[{', '.join(items)}]"),
        st.lists(inner, min_size=2, max_size=9).map(lambda items: f"({', '.join(items)})"),
        st.lists(st.tuples(numbers, inner), min_size=1, max_size=5).map(
            lambda pairs: "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}"
        ),
    ),
    max_leaves=40,
)
statements = st.one_of(
    values.map(lambda value: f"assert list(stack) == {value}"),
    values.map(lambda value: f"stack.push({value})"),
    values.map(lambda value: f"stack = Stack({value}, limit={value})"),
)


@pytest.mark.end_to_end
@settings(deadline=None, derandomize=True, max_examples=50)
@given(statements)
def test_a_laid_out_statement_is_the_same_statement_in_lines_that_fit(statement):
    lines = laid_out(statement)
    assert ast.dump(ast.parse("if True:\n" + "\n".join(lines))) == ast.dump(ast.parse(f"if True:\n    {statement}"))
    assert all(len(line) <= WIDTH for line in lines)


def test_formatters_with_lines_of_any_length_leave_it_as_it_is(tmp_path):
    long = ", ".join(str(number) for number in range(100, 140))
    pairs = ", ".join(f"{number}: [{long}]" for number in (1, 2))
    statements = [
        f"assert list(stack) == [{long}]",
        f"assert stack.pairs() == {{{pairs}}}",
        f"stack.extend(({long}), [{long}])",
        "stack.push(1)",
    ]
    body = [line for statement in statements for line in laid_out(statement)]
    loop = [*laid_out(f"for value in ({long}):"), *laid_out(f"stack.push([{long}])", 2)]
    text = "\n".join(["def test_it():", *body, *loop, ""])
    for width in ("88", "120"):
        assert reformatted(text, width, tmp_path) == ""


@pytest.mark.parametrize("length", [62, 63, 64, 70])
def test_what_has_no_brackets_to_break_is_put_into_parentheses(tmp_path, length):
    lines = laid_out(f'assert stack.text() == "{"x" * length}"')
    assert len(lines) == (3 if length < 63 else 4)
    assert reformatted("\n".join(["def test_it():", *lines, ""]), "88", tmp_path) == ""


def reformatted(text: str, width: str, folder: Path) -> str:
    """Return the changes that a formatter with lines of that width would make."""
    process = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--isolated", "--diff", "--line-length", width, "-"],
        input=text, capture_output=True, encoding="utf-8", cwd=folder, timeout=60,
    )  # fmt: skip
    assert process.returncode in (0, 1), process.stderr
    return process.stdout


@pytest.mark.parametrize("statement", ["stack.push(1)", "assert stack.size == 1", "for value in (1, 2):"])
def test_what_fits_stays_on_its_line(statement):
    assert laid_out(statement) == [f"    {statement}"]
