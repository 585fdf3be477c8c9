"""The page docs/operators.md, made from the operators' examples: `python -m harness.mutation.documentation`."""

from __future__ import annotations

from collections.abc import Iterator

from harness.mutation.operators import OPERATORS, MutationOperator
from harness.mutation.operators.operator import Example

_HEAD = """# Mutation operators

Made by `python -m harness.mutation.documentation > docs/operators.md` from the operators' own examples, which tests
execute. The operators are those of Ferastrau (exhaustive2003, section 7.1): another operator, another variable of
compatible type, another method of compatible signature.

- **Where.** In the target methods and the helpers that they reach, never in the judge's code. Left alone are
  docstrings and other strings, annotations, decorators, parameters with their default values, imports, `None`,
  patterns of `match`, and classes defined within functions.
- **Compatible** types have a type other than None in common, by name, so `bool` is not `int`. They come from
  annotations, else from a profile of the types seen while the original runs on a small scope. An unknown type is
  compatible with none.
- **Assigned.** A variable replaces another only where it surely has a value, as Java's compiler demands.
- **A mutant** is one change of text: `original` at a location becomes `replacement`, with parentheses where
  precedence needs them. Its id is `operator:line:column:replacement`; line (from 1) and column (from 0, in characters)
  point at the operator's token or at the attribute's name; replacements that are long or hold blanks end in a digest.
- **No run** is spent on mutants that do not compile (stillborn), that compile to the original's code (equivalent) or to
  an earlier mutant's (duplicate); they are listed with their reason.
"""


def operators_page() -> str:
    """The whole page, in Markdown."""
    rows = [f"| [{o.code}](#{o.code.lower()}) | {o.summary} |" for o in OPERATORS]
    table = "\n".join(["| code | what it does |", "|---|---|", *rows])
    return "\n".join([_HEAD, table, *(line for operator in OPERATORS for line in _section(operator))]) + "\n"


def _section(operator: MutationOperator) -> Iterator[str]:
    yield f"\n## {operator.code}\n"
    yield operator.summary
    for example in operator.examples:
        yield from _example(example)


def _example(example: Example) -> Iterator[str]:
    yield f"\n```python\n{example.before}\n```\n"
    if not example.changes:
        yield "No mutant."
        return
    yield "| original | replacement |\n|---|---|"
    for original, replacement in example.changes:
        yield f"| `{_cell(original)}` | `{_cell(replacement)}` |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    print(operators_page(), end="")
