"""What the tables and figures of criteria_pruning2011 are made of, from a stored run."""

from __future__ import annotations

from dataclasses import replace

from harness import resources
from harness.analysis.measures import Proven
from harness.model.mutant import Equivalence
from harness.model.score import ScorePolicy
from harness.papers.criteria_pruning2011.given import OPERATORS, CriteriaInputs
from harness.papers.own import is_as_shipped
from harness.papers.stored import StoredRun, check_has_trials


def paper_inputs(run: StoredRun, policy: ScorePolicy) -> CriteriaInputs:
    """The run's trials of subjects as they ship and of the paper's operators, with criteria scored.

    Raises:
        StoreError: no trial is stored yet.
        MutascopeError: as scoring the criteria.
    """
    check_has_trials(run)
    frames = run.criteria_frames
    trials = frames.trials
    texts = list(zip(trials["subject"], trials["source_hash"], strict=True))
    shipped = {text for text in set(texts) if is_as_shipped(*text)}
    own = [
        text in shipped and operators == OPERATORS
        for text, operators in zip(texts, trials["operator_set"], strict=True)
    ]
    proven: Proven = {}
    if policy is not ScorePolicy.ALL_VIABLE:
        proven = {
            subject: frozenset(mutant for mutant, a in found.items() if a.equivalence is Equivalence.PROVEN)
            for subject, found in run.arguments.items()
        }
    return CriteriaInputs(replace(frames, trials=trials[own]), resources.published_folder(), policy, proven)
