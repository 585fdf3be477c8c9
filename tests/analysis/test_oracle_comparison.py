"""The cost of an oracle is measured by the mutants that only the other one kills on the same inputs."""

from support.run_samples import frames_of_rows, trial_row

from harness.analysis.oracle_comparison import oracle_costs
from harness.model.outcome import OracleName

KILLED = {"verdict": "killed", "reason": "state", "phase": "equality", "input": 0}
LIVES = {"verdict": "survived", "reason": None, "phase": None, "input": None}


def results(trial: str, *rows: dict[str, object]) -> list[dict[str, object]]:
    return [
        {"trial": trial, "mutant": f"m{n}", "operator": "ROR", "function": "f", "status": "viable", "inputs_run": 9}
        | row
        for n, row in enumerate(rows)
    ]


def test_both_scores_stand_beside_what_each_alone_kills():
    trials = [
        trial_row("s", "S", 2, trial="d"),
        trial_row("s", "S", 2, trial="p", oracle="postcondition"),
        trial_row("s", "S", 2, trial="r", oracle="public"),
        trial_row("s", "S", 3, trial="alone"),
        trial_row("s", "S", 4, trial="d4"),
        trial_row("s", "S", 4, trial="p4", oracle="postcondition", finished=False),
    ]
    rows = results("d", KILLED, KILLED | {"reason": "output"}, KILLED, LIVES, LIVES)
    rows += results("p", KILLED | {"reason": "postcondition"}, LIVES, LIVES, LIVES, KILLED)
    rows += results("r", LIVES, KILLED | {"reason": "output"}, LIVES, LIVES, LIVES)
    cost, public = oracle_costs(frames_of_rows(trials, rows))
    assert (cost.oracle, public.oracle) == (OracleName.POSTCONDITION, OracleName.PUBLIC)
    assert cost.trial["trial"] == "d"
    assert (cost.differential.killed, cost.differential.counted) == (3, 5)
    assert (cost.other.killed, cost.other.counted) == (2, 5)
    assert cost.missed == {"output": 1, "state": 1}
    assert cost.only_other == 1
    assert (public.differential, public.other.killed, public.missed) == (cost.differential, 1, {"state": 2})
    assert public.only_other == 0
