"""The page docs/operators.md, made from the operators' examples: `python -m harness.mutation.documentation`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from harness.model.experiment import DEFAULT_OPERATORS
from harness.model.mutant import OperatorSet
from harness.mutation.operator_sets import MUJAVA, OPERATOR_SETS, operators_of
from harness.mutation.operators import OPERATORS, MutationOperator
from harness.mutation.operators.mujava import MUJAVA_OPERATORS, WITHOUT_COUNTERPART
from harness.mutation.operators.operator import Example

_HEAD = """# Mutation operators

Made by `python -m harness.mutation.documentation > docs/operators.md` from the operators' own examples, which tests
execute. Which operators make the mutants of a run, its *operator set* says; it is chosen by name (`--operators NAME`
of `mutate` and `run`, `operators = "NAME"` in an experiment's file), stored with every trial, and named wherever a
score is shown. Without a name it is `ferastrau`, everywhere: then scores of your own code are comparable with printed
ones.

- **Where.** In the target methods and the helpers that they reach, never in the judge's code. Left alone are
  docstrings and other strings, annotations, decorators, parameters with their default values, imports, `None`,
  patterns of `match`, and classes defined within functions.
- **Compatible** types have a type other than None in common, by name, so `bool` is not `int`. They come from
  annotations, else from a profile of the types seen while the original runs on a small scope. An unknown type is
  compatible with none, neither for a variable nor for a parameter or result of an invocation.
- **Assigned.** A variable replaces another only where it surely has a value, as Java's compiler demands. Where Java's
  fields begin with a default value, Python's have none: within `__init__`, a field of `self` is read, or given up for
  another one, only behind its own assignment there.
- **Zero.** No number is divided by a literal 0: that raises wherever it is reached.
- **A mutant** is one change of text: `original` at a location becomes `replacement`, with parentheses where
  precedence needs them. Its id is `operator:line:column:replacement`; line (from 1) and column (from 0, in characters)
  point at the operator's token or at the attribute's name; replacements that are long or hold blanks end in a digest.
- **No run** is spent on mutants that do not compile (stillborn), that equal the original (equivalent) or an earlier
  mutant (duplicate): by their code objects, or by the rules below. `mutascope mutate SUBJECT` lists them with what they
  equal and why, as the files beside a pinned set do (`same_as`, `rule`).
"""
_EQUAL = """
## Equal by the algebra of integers

Within one statement, integer expressions are put in one normal form: sums of products with collected terms; a
comparison as that of a difference with zero, by `<=`, `==` or `!=`, divided by the common factor of its terms; a
negated comparison as its opposite; a length as a number from 0; a division by 1 or -1 carried out; `n += 1` as `n = n
+ 1`. Mutants whose statements have equal forms are one: `a + 1 < b`, `a < b - 1`; `n * 1`, `n // 1`; `len(c) <= 0`,
`len(c) == 0`. What may raise stays in the form, in its order of evaluation. The rules hold for integers alone, so a
variable or field counts as one only if the text proves it: it is declared `int`, or it is a local and every value
that the function gives it is an integer. A type profile alone proves nothing, as other inputs may bring a float that
is not a number. It can disprove: what was seen to be a bool, None or another type is no integer. Reading it must have
no side effect. Sets that were pinned before this rule are kept as they are; decision 150 lists those with mutants
that were taken for equal on observed types. Tests hold every
rule to evaluation on random expressions, and all mutants so found among ours to the runs of those that they equal.
`rule` says `integer algebra`.

A mutant of AOIS that counts an integer variable up or down *after* its value was taken is equivalent where the variable
is never read again: the use lies in no loop, all others stand before its statement, and no lambda, comprehension or
inner function knows the variable. `rule` says `unread count`.

## How a set of the paper's size is chosen

The paper's benchmarks have 200 to 300 mutants; it does not say how Ferastrau was instructed to make so many. Of our
benchmarks, `mutascope mutate SUBJECT --pin --operators SET --size N` pinned a seeded sample (`--seed`, 0) of as many as
Table 1 prints; where there are fewer viable ones, all.

1. Every operator gets one place, if there are that many; the others go to operators in proportion to their further
   mutants (largest remainders first).
2. An operator's places go to functions in proportion to its mutants there.
3. Within operator and function, mutants stand in the order of `sha256("seed:id")`, and the first ones are taken.

Pinned sets lie in `mutants/SUBJECT/SET/`, with the mutants that were not taken and all others that no run is spent on
beside them; arguments for equivalence, of mutants of any set, in `mutants/SUBJECT/equivalence.toml`. For a subject
without a pinned set, all viable mutants are derived and run.
"""

_MUJAVA = """
## Operators of muJava

The set `mujava` reads the method-level operators of muJava (criteria_pruning2011, section 4) in Python. They have a
table of their own, so a code that other sets have as well, such as ROR, means here what it means there. A mutant's id
tells what it does, in whichever set it is: equal ids are equal mutants.

- **Java's types.** Java's compiler takes no arithmetic of other things than numbers and no condition but a boolean, so
  muJava makes no such mutants, or they are stillborn. Here inference tells types; where an operator needs to know them,
  its description says so. What stands as a condition counts as boolean, whatever its type.
- **Nothing loses its value.** No statement is left out without which a variable could be read before it has a value, or
  a field be missing after `__init__`: in Java, that statement is the declaration, or the field has a default value.
  Nothing is left out that has `:=`, `yield` or `await` in it, but a statement that is not the only one of its kind.
- **Made twice.** A mutant that two operators make is listed for each of them, and run once, for the first. ODL makes
  what VDL, CDL, AODU, COD and LOD make, too; ASRS what AORS makes; `if True:` is made by ROR and by SDL. muJava counts
  these twice.
- **Of 2005.** criteria_pruning2011 counts twelve operators, so it has no deletions (SDL, VDL, CDL, ODL), and muJava's
  ROR made no True and False before December 2011. A score without these comes from the same kill matrix, by leaving
  out their mutants.
"""
_NO_COUNTERPART = """
What has no counterpart in Python:
"""


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
    yield "| code | what it does in Java | why Python has no such |\n|---|---|---|"
    for missing in WITHOUT_COUNTERPART:
        yield f"| {missing.code} | {missing.change} | {missing.reason} |"
    for operator in MUJAVA_OPERATORS:
        yield from _section(operator, f" ({MUJAVA.name})")


def _set_row(chosen: OperatorSet) -> str:
    default = " (default)" if chosen.name == DEFAULT_OPERATORS else ""
    return f"| `{chosen.name}`{default} | {chosen.about} |"


def _sets_with(operator: MutationOperator) -> str:
    return ", ".join(f"`{found.name}`" for found in OPERATOR_SETS.values() if operator in operators_of(found))


def _section(operator: MutationOperator, of_set: str = "") -> Iterator[str]:
    yield f"\n## {operator.code}{of_set}\n"
    yield operator.summary
    if operator.source:
        yield f"\nSource: {operator.source}."
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
