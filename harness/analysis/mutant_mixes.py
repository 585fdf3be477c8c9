"""Defines which mutants of an operator set are counted together: all of them, or those that a paper had."""

from __future__ import annotations

from collections.abc import Callable, Mapping

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
