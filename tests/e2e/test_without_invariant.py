"""A subject that has neither an invariant nor a finitization goes through everything; what it omits kills nothing."""

from pathlib import Path

import pytest
from support.own_subject import write_subject

from harness import api
from harness.model.outcome import Verdict
from harness.store import RunStore

IMPL = """
class Cell:
    def __init__(self, start):
        self.value = start
        self.changes = 0

    def put(self, value):
        self.value = value
        self.changes = self.changes + 1

    def get(self):
        return self.value + 1
"""
SPEC = """
from harness.spec import SequenceScope

def sequences(scope):
    s = SequenceScope("Cell")
    s.constructor(range(scope))
    s.method("put", range(scope))
    s.method("get")
    {omitted}
    s.length(3)
    return s
"""


def subject(folder: Path, omitted: str) -> str:
    return write_subject(folder, IMPL, SPEC.format(omitted=omitted))


def killed(folder: Path, store: Path) -> set[tuple[str, str]]:
    """Original and replacement of the mutants that are killed."""
    api.run(api.subject_experiment(str(folder), "beapi", [2]), store, jobs=1)
    with RunStore.open_existing(store) as opened:
        (trial,) = opened.trials.all()
        mutants = {mutant.id: mutant for mutant in opened.mutants.of(trial.mutant_set)}
        results = opened.results.of(trial.key)
    assert len(results) == len(mutants) > 3
    return {
        (mutants[result.mutant].original, mutants[result.mutant].replacement)
        for result in results
        if result.verdict is Verdict.KILLED
    }


@pytest.mark.slow
def test_an_omitted_count_of_changes_kills_no_mutant(tmp_path):
    for name, omitted in (("with", "s.omit('changes')"), ("without", "")):
        (tmp_path / name).mkdir()
        folder = Path(subject(tmp_path / name, omitted))
        replacements = killed(folder, tmp_path / f"{name} run")
        assert ("self.value + 1", "self.value - 1") in replacements
        assert (("self.changes + 1", "self.changes - 1") in replacements) == (name == "without"), replacements
        checked = api.verify(tmp_path / f"{name} run", sample=40)
        assert checked.checked > 0
        assert not checked.disagreements
