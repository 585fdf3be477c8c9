"""Searches for the case studies of criteria_pruning2011, and the table of their printed counts."""

from pathlib import Path
from types import ModuleType

from subject_samples import ROOT
from support.subjects import loaded

from harness.generators.states.engine import StateSearch, Workshop
from harness.generators.states.reference.plus_search import Pruning
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.specs.spec import Spec

PRINTED = ROOT / "results" / "published" / "criteria_pruning2011_case_studies.csv"


def space_of(name: str, scope: int) -> tuple[StateSpace, ModuleType, Spec]:
    """Return the candidates of a shipped subject, its implementation and its spec."""
    spec, module = loaded(name)
    return StateSpace(spec.finitization(scope)), module, spec


def searched(name: str, scope: int, folder: Path, *, prunes: bool) -> tuple[StateSearch, int]:
    """Return a search that the compiled engine finishes, and how many states it found."""
    space, module, spec = space_of(name, scope)
    pruning = Pruning(spec.eq_class) if prunes else None
    workshop = Workshop(folder, lambda notice: None)
    search = StateSearch(space, module, spec.rep_ok, workshop, pruning=pruning)
    valid = sum(1 if isinstance(piece, tuple) else len(piece) for piece in search.pieces())
    assert search.engine == "compiled"
    return search, valid
