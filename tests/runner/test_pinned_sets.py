"""Each pinned set of mutants is what deriving it again gives; decision 150 lists the sets that would grow."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from harness.model.outcome import Mutant, MutantStatus
from harness.runner.mutant_set import derive_mutants, pin, pinned_set
from harness.runner.subjects import load_subject

ROOT = Path(__file__).parents[2]
DECISION = ROOT / "docs" / "decisions" / "150-equal-mutants-are-proven.md"
ROW = re.compile(r"^\| `(\S+)` \| `(\S+)` \| (\d+) \| (\d+) \|$", re.MULTILINE)
GROWN = {(name, operators): int(further) for name, operators, _, further in ROW.findall(DECISION.read_text("utf-8"))}
PINNED = sorted(
    (path.parents[1].relative_to(ROOT / "mutants").as_posix(), path.parent.name)
    for path in (ROOT / "mutants").rglob("SHA256SUMS")
)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "operators"), [one for one in PINNED if one not in GROWN])
def test_a_set_that_is_pinned_again_is_the_same_file(name, operators, tmp_path, monkeypatch):
    subject = load_subject(name)
    pinned = pinned_set(subject, operators)
    assert pinned is not None
    monkeypatch.chdir(tmp_path)
    _, path = pin(subject, len(pinned.mutants), 0, operators)
    shipped = ROOT / "mutants" / name / operators
    for written in path.parent.iterdir():
        assert written.read_bytes() == (shipped / written.name).read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "operators"), sorted(GROWN))
def test_a_set_of_decision_150_would_grow_by_as_many_mutants_as_the_table_says(name, operators):
    subject = load_subject(name)
    pinned = pinned_set(subject, operators)
    viable = {mutant.id for mutant in pinned.mutants} | viable_of(pinned.excluded)
    derived = viable_of(derive_mutants(subject, operators))
    assert viable <= derived
    assert len(derived - viable) == GROWN[name, operators]


def viable_of(mutants: Iterable[Mutant]) -> set[str]:
    return {mutant.id for mutant in mutants if mutant.status is MutantStatus.VIABLE}
