"""Captions name what judged the trials: our oracles, or the tests themselves."""

from support.run_samples import frames_of_rows, trial_row

from harness.analysis.measures import scores, summary
from harness.analysis.score_caption import killed
from harness.model.outcome import ScorePolicy
from harness.runs.run_tables import RunFacts, scopes_table


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
