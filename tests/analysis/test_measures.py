"""Scores, ratios, saturation and costs of oracles from frames, against the model's own slow arithmetic."""

from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.run_samples import coverage_row, frames_of_rows, growing_run, result_rows, trial_row

from harness.analysis.measures import (
    by_reason,
    coverage_ratios,
    oracle_costs,
    saturation,
    scores,
    scores_by,
    summary,
)
from harness.analysis.score_caption import killed
from harness.errors import StoreError
from harness.model.coverage import CoverageCounts
from harness.model.outcome import KillReason, MutantResult, OracleName, Phase, ScorePolicy, Verdict, mutation_score
from harness.runs.run_tables import RunFacts, scopes_table

T1 = trial_row("t", "T", 1)


@pytest.mark.slow
@settings(derandomize=True, max_examples=40, deadline=None)
@given(
    st.lists(st.sampled_from(["killed", "survived", "stillborn"]), max_size=12),
    st.frozensets(st.integers(0, 11)),
    st.sampled_from(ScorePolicy),
)
def test_scores_are_those_of_the_model(verdicts, proven, policy):
    rows, results = [], []
    for number, verdict in enumerate(verdicts):
        dead = verdict == "killed"
        name = f"m{number:03}"
        row = result_rows("t-1", 1, 0)[0] if dead else result_rows("t-1", 0, 1)[0]
        rows.append(row | {"mutant": name, "verdict": verdict})
        reason, phase = (KillReason.OUTPUT, Phase.CALL) if dead else (None, None)
        results.append(MutantResult(name, Verdict(verdict), 1, 7, reason, phase))
    names = frozenset(f"m{n:03}" for n in proven if n < len(verdicts) and verdicts[n] != "killed")
    expected = mutation_score(results, policy, names)
    (score,) = scores(frames_of_rows([T1], rows), policy, {"t": names}).to_dict("records")
    assert (score["killed"], score["counted"], score["score"]) == (expected.killed, expected.counted, expected.ratio)
    assert score["policy"] == policy.value


def test_a_killed_mutant_cannot_be_proven_equivalent():
    with pytest.raises(StoreError, match="m000 was killed"):
        scores(frames_of_rows([T1], result_rows("t-1", 1, 1)), proven={"t": frozenset({"m000"})})


def test_mutants_known_not_to_be_viable_do_not_count():
    duplicate = result_rows("t-1", 0, 1)[0] | {"mutant": "d", "status": "duplicate"}
    assert scores(frames_of_rows([T1], [*result_rows("t-1", 1, 1), duplicate]))["counted"].tolist() == [2]


def test_an_unfinished_trial_has_no_score():
    frames = frames_of_rows([T1 | {"finished": False}, trial_row("t", "T", 2)], result_rows("t-1", 3, 0))
    assert scores(frames)["scope"].tolist() == [2]
    assert not len(by_reason(frames))
    assert summary(frames)["score_pct"].isna().all()


def test_breakdowns_add_up_to_the_score():
    frames = growing_run({"t": "T"}, range(1, 4))
    whole = scores(frames).set_index("trial")
    for part in (scores_by("operator", frames), scores_by("function", frames)):
        assert len(part) == 6
        sums = part.groupby("trial")[["killed", "counted"]].sum()
        assert sums.to_dict() == whole[["killed", "counted"]].to_dict()
    assert by_reason(frames).groupby("trial")["kills"].sum().to_dict() == whole["killed"].to_dict()


def test_coverage_adds_counts_and_never_mixes_kinds():
    rows = [
        coverage_row("t-1", "code", "T.add", 10, 9, 4, 1),
        coverage_row("t-1", "code", "T.remove", 3, 3, 2, 2),
        coverage_row("t-1", "spec", "rep_ok", 4, 1, 0, 0),
    ]
    ratios = coverage_ratios(frames_of_rows([T1], coverage=rows)).set_index("kind")
    expected = CoverageCounts(10, 9, 4, 1) + CoverageCounts(3, 3, 2, 2)
    assert ratios.loc["code", "statement_coverage"] == expected.statement_coverage == Fraction(12, 13)
    assert ratios.loc["code", "branch_coverage"] == expected.branch_coverage == Fraction(1, 2)
    assert ratios.loc["code", "statement_pct"] == 92.31
    assert ratios.loc["spec", "branch_coverage"] is None
    assert pd.isna(ratios.loc["spec", "branch_pct"])


@pytest.mark.slow
@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=6), st.lists(st.integers(0, 3), min_size=1, max_size=6))
def test_saturation_is_the_first_scope_after_which_nothing_changes(killed, covered):
    scopes = range(1, len(killed) + 1)
    results = [row for s in scopes for row in result_rows(f"t-{s}", killed[s - 1], 3 - killed[s - 1])]
    coverage = [coverage_row(f"t-{s}", "code", "f", 3, c, 0, 0) for s, c in enumerate(covered[: len(killed)], 1)]
    frames = frames_of_rows([trial_row("t", "T", s) for s in scopes], results, coverage)
    (row,) = saturation(scores(frames), coverage_ratios(frames)).to_dict("records")
    naive = [s for s in scopes if all(k == killed[s - 1] for k in killed[s - 1 :]) and s < len(killed)]
    assert row["score_from"] == naive[0] if naive else pd.isna(row["score_from"])
    seen = covered[: len(killed)]
    assert row["statement_from"] == seen.index(max(seen)) + 1
    assert row["statement_most"] == Fraction(max(seen), 3)
    assert pd.isna(row["branch_from"])
    assert row["last_scope"] == len(killed)


def test_coverage_may_be_complete_before_the_score_is():
    frames = growing_run({"a": "A", "b": "B"})
    sizes = saturation(scores(frames), coverage_ratios(frames))
    assert sizes[["subject", "score_from", "statement_from", "branch_from"]].to_numpy().tolist() == [
        ["a", 6, 4, 4],
        ["b", 6, 4, 4],
    ]


def test_an_argument_for_equivalence_says_nothing_of_a_pytest_suite_that_calls_the_module_otherwise():
    of_spec, of_suite = trial_row("t", "T", 1, trial="a"), trial_row("t", "T", 1, trial="b", generator="pytest")
    frames = frames_of_rows([of_spec, of_suite], [*result_rows("a", 2, 2), *result_rows("b", 3, 1)])
    killed_by_the_suite_alone = "m002"
    rows = scores(frames, ScorePolicy.WITHOUT_PROVEN, {"t": frozenset({killed_by_the_suite_alone})})
    assert list(zip(rows["killed"], rows["counted"], strict=True)) == [(2, 3), (3, 4)]


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


def test_a_caption_names_policy_mutants_and_oracles():
    frames = frames_of_rows(
        [
            trial_row("s", "S", 2, trial="a", oracle="public"),
            trial_row("s", "S", 3, trial="b"),
            trial_row("t", "T", 0, trial="c", generator="pytest"),
        ]
    )
    assert killed(ScorePolicy.ALL_VIABLE, frames.oracles[:1], "operator set mujava") == (
        "Mutants killed: killed / all viable mutants, of operator set mujava; oracle differential."
    )
    assert killed(ScorePolicy.WITHOUT_PROVEN, frames.oracles) == (
        "Mutants killed: killed / viable mutants not proven equivalent; oracles differential, own assertions, public."
    )
    assert list(summary(frames)["oracle"]) == list(scores(frames)["oracle"]) == [
        "public", "differential", "own assertions",
    ]  # fmt: skip


def test_tables_of_a_run_name_the_oracle_that_judged_it():
    frames = frames_of_rows([trial_row("s", "S", 2, trial="a", oracle="public")])
    caption = scopes_table(RunFacts(frames, ScorePolicy.ALL_VIABLE, {}, frames)).caption
    assert caption.startswith("Mutants killed: killed / all viable mutants; oracle public. Coverage")
