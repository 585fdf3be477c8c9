"""Reads the data of the tables and figures of exhaustive2003 from a stored run."""

from __future__ import annotations

from dataclasses import replace

from harness import resources
from harness.model.score import ScorePolicy
from harness.papers.exhaustive2003.dataset import SUBJECTS, PaperInputs
from harness.papers.own import with_titles_apart
from harness.papers.source_facts import subject_facts
from harness.tables.stored import Run, check_has_trials


def paper_inputs(run: Run, policy: ScorePolicy) -> PaperInputs:
    """Return the run of one operator set, with random selections, facts of its subjects and arguments for equivalence.

    Raises:
        StoreError: no trial is stored yet.
        MutascopeError: as loading the subjects and their mutants.
    """
    check_has_trials(run)
    frames = with_titles_apart(run.with_samples, SUBJECTS)
    titles = dict(zip(frames.trials["subject"], frames.trials["title"], strict=True))
    frames = frames.of_one_operator_set()
    subjects = list(map(str, frames.trials["subject"].unique()))
    operators = str(frames.trials["operator_set"].iloc[0])
    return PaperInputs(
        frames=frames,
        published=resources.published_folder(),
        subjects=[
            replace(facts, title=titles[subject])
            for subject, facts in zip(subjects, subject_facts(subjects, operators), strict=True)
        ],
        policy=policy,
        arguments=run.arguments,
    )
