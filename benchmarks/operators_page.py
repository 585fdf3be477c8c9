"""The page docs/operators.md, made from the operators' examples: `python -m benchmarks.operators_page`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import fill

from harness.model.experiment import DEFAULT_OPERATORS
from harness.model.outcome import OperatorSet
from harness.mutation.operator_sets import MUJAVA, OPERATOR_SETS, operators_of
from harness.mutation.operators import OPERATORS, MutationOperator
from harness.mutation.operators.mujava import MUJAVA_OPERATORS
from harness.mutation.operators.operator import Example

_WIDTH = 120

_HEAD = """# Mutation operators

*For everybody who wants to know which changes mutants are. Afterwards you can choose an operator set, read the
identifier of a mutant, and know why some mutants are not run.*

This page is made by `python -m benchmarks.operators_page > docs/operators.md` from the operators' own examples,
which tests execute. [Add an operator](add_an_operator.md) shows how to write one. A run has one *operator set*. Choose
it by name with `--operators NAME` of `mutate` and `run`, or with `operators = "NAME"` in an experiment's file. It is
stored with every trial, and named beside every score. The default is `ferastrau`, the set of exhaustive2003.

- **Where.** Target methods and the helpers that they reach are mutated, never the spec. Docstrings and other strings,
  annotations, decorators, parameters with their default values, imports, `None`, patterns of `match`, and classes
  defined within functions are not mutated.
- **Compatible** types have a type other than None in common. They are compared by name, so `bool` is not `int`. They
  come from annotations, or else from a profile of the types seen while the original runs on a small scope. An unknown
  type is compatible with none, neither for a variable nor for a parameter or result of a call.
- **Assigned.** A variable replaces another only where it surely has a value, as Java's compiler demands. Java's fields
  begin with a default value, and Python's do not. So within `__init__`, an operator reads a field of `self`, or
  replaces it, only after its assignment there.
- **Zero.** No number is divided by a literal 0, because that raises wherever it is reached.
- **A mutant** is one change of text: `original` at a location becomes `replacement`, with parentheses where
  precedence needs them. Its id is `operator:line:column:replacement`. Lines count from 1 and columns from 0, in
  characters. They point at the operator's token or at the attribute's name. Replacements that are long or contain
  blanks end in a digest.
- **Not run** are mutants that do not compile (stillborn), that equal the original (equivalent), or that equal an
  earlier mutant (duplicate). They are found by their code objects, or by the rules below. `mutascope mutate SUBJECT`
  lists them, with the mutant that they equal and the reason, and so do the files beside a pinned set (`same_as`,
  `rule`).
"""
_EQUAL = """
## Equal by the algebra of integers

Within one statement, integer expressions are put in one normal form:

- Sums and products become sums of products with collected terms.
- A comparison becomes the comparison of a difference with zero, by `<=`, `==` or `!=`, divided by the common factor of
  its terms. A negated comparison becomes its opposite.
- A length counts as a number from 0. A division by 1 or -1 is carried out, and `n += 1` becomes `n = n + 1`.

Mutants whose statements have equal forms are one mutant. Examples are `a + 1 < b` and `a < b - 1`, `n * 1` and
`n // 1`, `len(c) <= 0` and `len(c) == 0`. Parts that may raise stay in the form, in their order of evaluation. `rule`
says `integer algebra`.

The rules hold for integers only. A variable or field counts as an integer only if the text proves it. Either it is
declared `int`, or it is a local variable to which the function assigns integers only. Reading it must have no side
effect. A type profile alone proves nothing, because other inputs may bring a float that is not a number. But it can
disprove: a variable that was seen to be a bool, None or another type is no integer. Sets that were pinned before this
rule are kept as they are. Decision 150 lists those with mutants that were taken for equal on observed types. Tests
check every rule by evaluating random expressions. They also run all mutants of our subjects that the rules find, and
compare them with the mutants that they equal.

A mutant of AOIS that counts an integer variable up or down *after* its value was taken is equivalent if the variable is
never read again. This holds if the use lies in no loop, if all other uses stand before its statement, and if no lambda,
comprehension or inner function knows the variable. `rule` says `unread count`.

## How a set of the paper's size is chosen

The benchmarks of exhaustive2003 have 200 to 300 mutants each. The paper does not say how Ferastrau was instructed to
make so many. For our benchmarks, `mutascope mutate SUBJECT --pin --operators SET --size N` pinned a seeded sample
(`--seed`, 0) of the size that Table 1 prints, or all viable mutants if there are fewer.

1. Every operator gets one place, if there are that many. The other places go to operators in proportion to their
   further mutants (largest remainders first).
2. An operator's places go to functions in proportion to its mutants there.
3. Within operator and function, mutants stand in the order of `sha256("seed:id")`, and the first ones are taken.

Pinned sets are in `mutants/SUBJECT/SET/`, beside the mutants that were not chosen and those that are not run. Arguments
for the equivalence of mutants, of any set, are in `mutants/SUBJECT/equivalence.toml`. For a subject without a pinned
set, all viable mutants are derived and run.
"""

_MUJAVA = """
## Operators of muJava

The set `mujava` reads the method-level operators of muJava (criteria_pruning2011, section 4) in Python. They have a
table of their own. A code that other sets have as well, such as ROR, has in this set the meaning of this table. The id
of a mutant describes its change, so equal ids are equal mutants in all sets.

- **Java's types.** Java's compiler accepts arithmetic of numbers only, and only booleans as conditions. muJava makes no
  other mutants, or they are stillborn. Here types are inferred. If an operator needs to know them, its description says
  so. An expression that is used as a condition counts as boolean, whatever its type.
- **Nothing loses its value.** A statement is not deleted if a variable could then be read before it has a value, or if
  a field could be missing after `__init__`. In Java, that statement is the declaration, or the field has a default
  value. An operand with `:=`, `yield` or `await` in it is not deleted. A statement with `yield` is deleted only
  if the function has another one.
- **Made twice.** A mutant that two operators make is listed for each of them, and run once, for the first. ODL makes
  the mutants of VDL, CDL, AODU, COD and LOD, too, and ASRS those of AORS. `if True:` is made by ROR and by SDL. muJava
  counts these twice.
- **Of 2005.** criteria_pruning2011 counts twelve operators, so it has no deletions (SDL, VDL, CDL, ODL). muJava's ROR
  made no True and False before December 2011. A score without these mutants comes from the same kill matrix, by leaving
  them out.
"""
_NO_COUNTERPART = """
These operators have no counterpart in Python:

| code | what it does in Java | why Python has no such |
|---|---|---|
| AODS | `++` or `--` left out, as in `a = n++` to `a = n` | An increment is a statement in Python, so it has no value \
that could be left. Nor does Java compile `n;` for `n++;`. SDL leaves out the whole statement. |
| AORS | `n++` to `++n` | The two differ in their value, and `n += 1` has none. |
| AOIS | `++` and `--` put before and behind a field or an array's element | Python's only assignment within an \
expression, `:=`, takes nothing but the name of a variable. |
| SOR, ASRS | `>>>` and `>>>=` | Python's integers have no width, so there is no shift that fills up with zeros from \
the left. |
| SDL | the condition and the increment of a `for` left out | Python's `for` goes through the elements of an iterable; \
it has neither. |"""


def operators_page() -> str:
    """Return the whole page, in Markdown."""
    sets = "\n".join(["| operator set | what it is |", "|---|---|", *map(_set_row, OPERATOR_SETS.values())])
    sections = (line for operator in OPERATORS for line in _section(operator))
    return "\n".join([_HEAD, sets, "", _table(OPERATORS), _EQUAL.rstrip(), *sections, *_mujava()]) + "\n"


def _table(operators: Iterable[MutationOperator], of_set: str = "") -> str:
    """Return a table with a row for each operator; the names of operators of another set are part of their links."""
    rows = []
    for operator in operators:
        link = f"{operator.code}-{of_set}".lower().strip("-")
        sets_cell = f" {_sets_with(operator)} |" if not of_set else ""
        rows.append(f"| [{operator.code}](#{link}) | {operator.summary} |{sets_cell}")
    head, line = ("| operator sets |", "---|") if not of_set else ("|", "")
    return "\n".join([f"| code | what it does {head}", f"|---|---|{line}", *rows])


def _mujava() -> Iterator[str]:
    """Yield the part of the page on muJava's operators."""
    yield f"{_MUJAVA}\n{_table(MUJAVA_OPERATORS, MUJAVA.name)}\n{_NO_COUNTERPART}"
    for operator in MUJAVA_OPERATORS:
        yield from _section(operator, f" ({MUJAVA.name})")


def _set_row(chosen: OperatorSet) -> str:
    default = " (default)" if chosen.name == DEFAULT_OPERATORS else ""
    return f"| `{chosen.name}`{default} | {chosen.about} |"


def _sets_with(operator: MutationOperator) -> str:
    return ", ".join(f"`{found.name}`" for found in OPERATOR_SETS.values() if operator in operators_of(found))


def _section(operator: MutationOperator, of_set: str = "") -> Iterator[str]:
    yield f"\n## {operator.code}{of_set}\n"
    yield fill(operator.summary, _WIDTH, break_on_hyphens=False)
    if operator.source:
        yield "\n" + fill(f"Source: {operator.source}.", _WIDTH, break_on_hyphens=False)
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
    """Return the text in one line, with the character that ends a cell escaped."""
    return " ↵ ".join(line.strip() for line in text.split("\n")).replace("|", "\\|")


if __name__ == "__main__":
    print(operators_page(), end="")
