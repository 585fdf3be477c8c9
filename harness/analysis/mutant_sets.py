"""Find the rows of a run whose scores are not comparable, since they are over different mutant sets of one target.

Mixes are the mutants of an operator set that are counted together: all of them, or those that a paper had.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from harness.errors import UsageError

SHORT = 12
"""Hexadecimal digits of a set's hash that are shown."""


@dataclass(frozen=True)
class ScoredRow:
    """One row of a table of scores.

    Attributes:
        target: what is mutated, by the name that the table has for it.
        row: the labels that distinguish it from other rows of the target.
        operators: the operator set.
        mutant_set: its hash.
        source: the hash of the target's text.
        killed: by id of each mutant that counts, whether it is killed.
    """

    target: str
    row: str
    operators: str
    mutant_set: str
    source: str
    killed: Mapping[str, bool]


def mixed_sets(rows: Iterable[ScoredRow]) -> list[str]:
    """Return a line for each target and operator set whose rows are over different mutant sets.

    It has the scores over the mutants that all rows have.

    Rows of different operator sets have different labels, so they are not mixed.
    """
    by_target: dict[tuple[str, str], list[ScoredRow]] = {}
    for row in rows:
        by_target.setdefault((row.target, row.operators), []).append(row)
    return [_line_of(of_target) for of_target in by_target.values() if len({row.mutant_set for row in of_target}) > 1]


def check_one_set(rows: Iterable[ScoredRow], product: str) -> None:
    """Refuse rows over different mutant sets of one target.

    Raises:
        UsageError: there are such rows; `product` cannot be made of them.
    """
    lines = mixed_sets(rows)
    if lines:
        raise UsageError(f"{product} cannot be made: {lines[0]}")


def _line_of(rows: list[ScoredRow]) -> str:
    """Name the mutant sets of a target's rows, and what each row kills of their common mutants."""
    first = rows[0]
    sizes = {row.mutant_set: len(row.killed) for row in rows}
    named = " and ".join(f"{size:,} ({name[:SHORT]})" for name, size in sizes.items())
    line = (
        f"NOT COMPARABLE: the rows of {first.target} ({first.operators}) are over different mutant sets, of {named} "
        "mutants"
    )
    if len({row.source for row in rows}) > 1:
        return f"{line}, as its source was changed in between; run all of them again, into another folder"
    common = set(first.killed).intersection(*(row.killed for row in rows))
    scores = [f"{row.row} {sum(row.killed[mutant] for mutant in common):,}" for row in rows]
    return f"{line}; of the {len(common):,} that all have are killed: {', '.join(scores)}"


ALL = "all"
OF_2005 = "as in 2005"

_DELETIONS = frozenset({"SDL", "VDL", "CDL", "ODL"})
_CONSTANTS = (":True", ":False")

Mix = Callable[[str], bool]


def _is_of_2005(mutant: str) -> bool:
    """Return whether muJava made such a mutant when criteria_pruning2011 used it: no deletion, no constant by ROR."""
    operator = mutant.partition(":")[0]
    return operator not in _DELETIONS and not (operator == "ROR" and mutant.endswith(_CONSTANTS))


def mixes_of(operator_set: str) -> Mapping[str, Mix]:
    """Return rules for the mutants that count, by name: all mutants of every set, and those of 2005 of `mujava`.

    A rule looks at mutant ids. muJava has had the deletions since 2013, and ROR's True and False since 2011 (decision
    036).
    """
    mixes: dict[str, Mix] = {ALL: lambda mutant: True}
    if operator_set == "mujava":
        mixes[OF_2005] = _is_of_2005
    return mixes
