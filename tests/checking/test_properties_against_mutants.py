"""The specs' properties kill the mutants that the differential oracle kills, and postconditions kill no more."""

import random
from dataclasses import replace

import pytest
from support.subjects import UNLIKE, load_subject

from harness import api
from harness.checking.check import check
from harness.kernel.program.splice import mutated_source
from harness.store import RunStore

SCOPE = 3
SAMPLE = 6


@pytest.mark.slow
@pytest.mark.parametrize("name", UNLIKE)
def test_killed_mutants_violate_a_property_and_others_no_postcondition(name, tmp_path):
    subject, _ = load_subject(name)
    run = api.run(api.subject_experiment(name, "korat", [SCOPE]), tmp_path / "run", jobs=2)
    with RunStore.open_existing(run) as store:
        (trial,) = store.trials.all()
        killed = {result.mutant: result.input is not None for result in store.results.of(trial.key)}
    mutants = [mutant for mutant in api.mutants(name) if mutant.id in killed]
    for mutant in random.Random(name).sample(mutants, SAMPLE):
        mutated = replace(subject, source=mutated_source(subject.source, mutant))
        violated = check(mutated, SCOPE).violated
        if killed[mutant.id]:
            assert violated, mutant.id
        else:  # an axiom calls on, from the post-state, which may be beyond the scope
            assert all(found.kind == "axiom" for found in violated), mutant.id
