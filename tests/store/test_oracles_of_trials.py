"""A trial under each oracle is a trial of its own; the default oracle is the differential one."""

from pathlib import Path

from support.store_samples import KILLED, MUTANTS, trial

from harness.model.outcome import OracleName
from harness.store import RunStore

DIFFERENTIAL, POSTCONDITION = OracleName.DIFFERENTIAL, OracleName.POSTCONDITION


def test_trials_are_told_apart_by_their_oracle(tmp_path: Path) -> None:
    with RunStore.open(tmp_path) as store:
        mutants = store.mutants.add(MUTANTS)
        compared, promised = (trial(mutants, 2, oracle=oracle) for oracle in (DIFFERENTIAL, POSTCONDITION))
        assert compared.key != promised.key
        assert compared == trial(mutants, 2)
        for stored in (promised, compared):
            store.results.add(store.trials.add(stored), KILLED)
        assert store.trials.under(DIFFERENTIAL) == [compared]
        assert store.trials.under(POSTCONDITION) == [promised]
        assert sorted(map(str, store.trials.all())) == [str(compared), f"{compared}, postcondition oracle"]
        assert store.trials.find(promised.key).oracle is POSTCONDITION
        assert store.results.finished_mutants(promised.key) == {KILLED.mutant}
