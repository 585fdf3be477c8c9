"""Every run compares pre-states put back in place with fresh ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import pile
from support.subjects import load_subject

from harness.errors import InstrumentError
from harness.kernel.inputs.decode import DecodedState
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.judging.prepared import StateInputs
from harness.kernel.program.loader import ModuleText, execute
from harness.model.experiment import Trial
from harness.runner.suites import ensure_suite


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StateInputs:
    folder = tmp_path / "pile"
    folder.mkdir()
    (folder / "impl.py").write_text(pile.SOURCE)
    (folder / "spec.py").write_text(pile.SPEC)
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "cache"))
    subject, spec = load_subject(str(folder))
    suite = ensure_suite(subject, Trial(str(folder), "korat", 2))
    module = execute(ModuleText("impl", pile.SOURCE, "impl.py"))
    return StateInputs(module, spec, StateSpace(spec.finitization(2)), suite)


def inputs_that_fail(program: StateInputs, inputs: int) -> list[int]:
    failing = []
    for number in range(inputs):
        prepared = program.prepare(number)
        try:
            program.check_restored(number, prepared)
        except InstrumentError:
            failing.append(number)
        try:
            prepared.invoke()
        except (ValueError, RecursionError):
            pass  # an outcome
    return failing


@pytest.mark.sweep
def test_states_put_back_pass(program: StateInputs) -> None:
    assert inputs_that_fail(program, 60) == []


@pytest.mark.sweep
def test_a_state_that_was_not_put_back_is_noticed(program: StateInputs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DecodedState, "restore", lambda state: True)
    assert inputs_that_fail(program, 60)
