"""Programs may go equally deep on every path, so that RecursionError comes after the same steps."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.both_paths import Bench
from support.own_subject import standing_beside
from support.sequence_bench import write_sequences
from support.subjects import load_subject

from harness import api
from harness.kernel.inputs.suites import Call
from harness.kernel.program.loader import RECURSION_LIMIT
from harness.kernel.specs.spec import load_spec
from harness.model.experiment import Trial
from harness.model.outcome import OracleName, Verdict
from harness.model.sequence import Observation
from harness.model.subject import Subject
from harness.runner.run import run_experiment
from harness.runner.suites import ensure_suite

RAISE = 'raise type("Frames_" + "_".join(map(str, self.log)), (Exception,), {})'
SOURCE = """
class Pile:
    def __init__(self):
        self.size = 0

    def push(self, item):
        self.size = min(self.size + 1, 3)
        self.log = (*getattr(self, "log", ()), self.frames(1))
        if item == 2:
            LAST
        return None

    def height(self):
        return self.size, self.frames(1)

    def frames(self, count):
        try:
            return self.frames(count + 1)
        except RecursionError:
            return count
"""
SPEC = """
from harness.spec import Finitization, SequenceScope

observers = ["height"]


def rep_ok(pile):
    return 0 <= pile.size <= 3


def abstraction(pile):
    return pile.size, pile.frames(1)


def post_push(before, after, returned, item, *, raised):
    return RAISES or raised is None


def finitization(scope):
    f = Finitization("Pile")
    f.set("Pile.size", range(3))
    f.method("push", range(3))
    return f


def sequences(scope):
    s = SequenceScope("Pile")
    s.constructor()
    s.method("push", range(3))
    return s
"""
RAISING, SILENT, COUNTING = "raising", "silent", "counting"
PROGRAMS = {RAISING: (RAISE, True), SILENT: ("pass", False), COUNTING: ("return self.log", False)}
"""What `push` does with 2, and whether it may raise."""
FRAMES = RECURSION_LIMIT - 5
"""The frames of `frames`: two of the harness, that of `push`, and two at its end are beside them."""


@dataclass(frozen=True)
class Way:
    """A way in which inputs are run and judged; either states or sequences."""

    oracle: OracleName
    of_sequences: bool = False
    observed: Observation = Observation.END

    def __str__(self) -> str:
        return "-".join(["sequences" if self.of_sequences else "states", self.oracle.value, self.observed.value])

    @property
    def calls(self) -> int:
        """Calls of `push` before a mutant is killed."""
        return 3 if self.of_sequences else 1

    def fields(self) -> dict[str, str]:
        """Return the fields of jobs on both paths."""
        return {"oracle": self.oracle.value, "observed": self.observed.value}


WAYS = [
    *(Way(oracle, of_sequences) for oracle in OracleName for of_sequences in (False, True)),
    Way(OracleName.DIFFERENTIAL, True, Observation.EVERY_CALL),
]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("home")
    with ExitStack() as stack:
        for name, (last, may_raise) in PROGRAMS.items():
            spec = SPEC.replace("RAISES", str(may_raise))
            stack.enter_context(standing_beside(folder, name, SOURCE.replace("LAST", last), spec))
        yield folder


def suite_of(subject: Subject, way: Way, home: Path) -> Path:
    """Make a suite of all calls on all states, or of sequences of up to three calls of `push` that begin alike."""
    if not way.of_sequences:
        return ensure_suite(subject, Trial(subject.name, "korat", 2)).folder
    folder = home / f"{subject.name}-sequences"
    if not folder.exists():
        scope = load_spec(subject.spec_source, "spec.py").sequences(2, subject.source)
        zero, one, two = (Call(1, (0, item)) for item in range(3))
        calls = [[zero], [zero, zero], [zero, one, one], [zero, one, two], [zero, zero, two]]
        write_sequences(folder, scope, [[Call(0, ()), *pushes] for pushes in calls], 2)
    return folder


@pytest.fixture
def bench(home, name, way):
    subject, _ = load_subject(name)
    with Bench.opened(subject, suite_of(subject, way, home), 2, home / "job.json", **way.fields()) as opened:
        yield opened


@pytest.mark.parametrize("name", [SILENT])
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_mutants_go_equally_deep_on_both_paths(bench, way):
    result = bench.both("pass", RAISE)
    assert result.detail.endswith(f"raised Frames{f'_{FRAMES}' * way.calls}")


@pytest.mark.parametrize("name", [RAISING])
@pytest.mark.parametrize("way", [way for way in WAYS if way.oracle is not OracleName.POSTCONDITION], ids=str)
def test_the_original_goes_as_deep_as_its_mutants(bench, way):
    result = bench.both(RAISE, "pass")
    assert result.detail.endswith(f"did not raise Frames{f'_{FRAMES}' * way.calls}")


@pytest.mark.parametrize("name", [COUNTING])
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_mutant_that_returns_the_same_number_of_frames_survives(bench):
    assert bench.both("return self.log", "return self.log + ()").verdict is Verdict.SURVIVED


@pytest.mark.slow
def test_mutants_behind_a_number_of_frames_are_reached(tmp_path):
    """A probe needs frames of its own, so the probed original does not come to this branch."""
    last = f"return item + 1\n        if self.frames(1) == {FRAMES}:\n            return item + 7"
    with standing_beside(tmp_path, "probed", SOURCE.replace("LAST", last), SPEC.replace("RAISES", "True")):
        run_experiment(api.subject_experiment("probed", "korat", [2]), tmp_path / "run", 1)
        verification = api.verify(tmp_path / "run", jobs=1)
    assert verification.checked > 10
    assert verification.disagreements == ()
