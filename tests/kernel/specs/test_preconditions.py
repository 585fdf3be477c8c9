"""A target's own precondition decides over its pre-states, on both paths; rep_ok over its post-states."""

from pathlib import Path
from typing import Any

import pytest
from support.counter import SCOPE, SOURCE, SPEC, write_suite

from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.judging.prepared import StateInputs
from harness.kernel.naive.inputs import SuiteContents, case
from harness.kernel.naive.judge import Judge, OriginalFails, Program
from harness.kernel.naive.words import SubjectJob
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.spec import load_spec

MODULE = execute(ModuleText("impl", SOURCE, "impl.py"))


def naive_observation(folder: Path, spec_source: str, number: int) -> Any:
    write_suite(folder)
    job = SubjectJob(ModuleText("impl", SOURCE, "impl.py"), spec_source, "spec.py", SCOPE, str(folder), False)
    judge = Judge(job)
    return judge.judge(number, Program.of(job.text(SOURCE), judge.counter), lambda _: None)


def with_precondition(text: str, any_state: bool = False) -> str:
    target = f"scope + 1), requires={text}, any_state={any_state})\n    return f"
    return SPEC.replace("scope + 1))\n    return f", target)


def test_the_precondition_gets_the_pre_state_and_the_arguments_of_the_input(tmp_path):
    suite = write_suite(tmp_path / "suite")
    spec = load_spec(with_precondition("lambda counter, by: (counter.value, by)"), "spec.py")
    space = StateSpace(spec.finitization(SCOPE))
    prepared = StateInputs(MODULE, spec, space, suite).prepare(7)
    naive = case(SuiteContents(tmp_path / "suite"), 7, space.finitization, MODULE)
    assert prepared.requires(prepared.root, *prepared.arguments) == (1, 2)
    assert naive.requires(naive.root, *naive.arguments) == (1, 2)


def test_without_a_precondition_rep_ok_decides(tmp_path):
    naive_observation(tmp_path / "good", SPEC, 3)
    with pytest.raises(OriginalFails, match="pre-state"):
        naive_observation(tmp_path / "bad", SPEC.replace("counter.value >= 0", "counter.value > 0"), 3)


def test_a_pre_state_that_rep_ok_refuses_runs_where_a_precondition_of_any_state_holds(tmp_path):
    requires = "lambda counter, by: by > 0"
    strict = with_precondition(requires, any_state=True).replace("counter.value >= 0", "counter.value > 0")
    naive_observation(tmp_path / "good", strict, 3)  # value 0, by 2
    narrowing = with_precondition(requires).replace("counter.value >= 0", "counter.value > 0")
    for folder, spec, number in (("bad", strict, 1), ("invalid", narrowing, 3)):  # value 0, by 0 and by 2
        with pytest.raises(OriginalFails, match="precondition"):
            naive_observation(tmp_path / folder, spec, number)
