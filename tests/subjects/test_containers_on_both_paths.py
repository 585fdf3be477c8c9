"""Containers of packages as installed on the naive path of `verify`, which sees of the original what a run does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support.sequence_suites import suite_of
from support.sequence_trials import confirmed, prepared, ran

from harness import resources
from harness.kernel.judging.baseline import trace_of
from harness.kernel.judging.oracle import Oracle, OriginalFailure
from harness.kernel.judging.prepared_sequences import SequenceProgram
from harness.kernel.judging.rules import SequenceRule
from harness.kernel.naive.job import SubjectJob
from harness.kernel.naive.oracle import Oracle as NaiveOracle
from harness.kernel.naive.sequence_judge import SequenceJudge
from harness.kernel.program.loader import ModuleText, execute_with_ticks
from harness.kernel.program.steps import step_counter
from harness.kernel.specs.spec import load_spec
from harness.model.sequence import SequencePolicy
from harness.runner.subjects import load_subject

CONTAINERS = [name for name in resources.grouped_subjects() if name.startswith("containers/")]


@pytest.mark.sweep
@pytest.mark.parametrize("name", CONTAINERS)
def test_both_paths_see_the_same_of_the_original_under_both_policies(name: str, tmp_path: Path) -> None:
    suite, subject = suite_of(tmp_path / "suite", "beapi", name, 1), load_subject(name)
    counter = step_counter()
    counter.start(1 << 60)
    spec = load_spec(subject.spec_source, str(subject.spec_path), counter)
    original = execute_with_ticks(ModuleText.of(subject), counter)
    program = SequenceProgram(original, spec.sequences(1, subject.source), suite)
    oracle = Oracle(spec, counter, SequenceRule(spec))
    job = SubjectJob(
        subject.module, str(subject.source_path), subject.source, subject.blocked, subject.spec_source,
        str(subject.spec_path), str(suite.folder), 1, False,
    )  # fmt: skip
    whole, snapshot = (SequenceJudge(replace(job, sequences=policy.value), NaiveOracle) for policy in SequencePolicy)
    for number in range(len(suite)):
        fast = oracle.observe(program.prepare(number))
        assert not isinstance(fast, OriginalFailure), fast
        calls = whole.expected(number).outcomes
        before = sum(call.steps for call in trace_of(fast.before))
        assert [sum(call.steps for call in calls[:-1]), calls[-1].steps] == [before, fast.steps - before]
        (last,) = snapshot.expected(number).outcomes
        assert (calls[-1].outcome[0] == "raised") is (fast.outcome[:1] == b"E")
        views = snapshot.views
        assert views.same_outcome(calls[-1].outcome, last.outcome)
        assert last.steps == calls[-1].steps
        assert last.after is not None
        assert calls[-1].after is not None
        assert all(map(views.equal, last.after, calls[-1].after))


@pytest.mark.slow
@pytest.mark.parametrize("policy", SequencePolicy)
@pytest.mark.parametrize("name", ["ordered_dict", "priority_queue", "sorted_dict"])
def test_verdicts_of_states_with_proxies_locks_and_bound_methods_are_confirmed(
    name: str, policy: SequencePolicy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "cache"))
    suite = suite_of(tmp_path / "suite", "beapi", f"containers/{name}", 1)
    trial = prepared(f"containers/{name}", tmp_path, 1, most=6, suite=suite)
    ran(trial, tmp_path / "run", sequences=policy)
    assert confirmed(trial, tmp_path / "run")
