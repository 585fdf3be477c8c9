"""Remembering post-states changes no verdict."""

from __future__ import annotations

import pytest
from support.counter import INPUTS, SCOPE, SOURCE, SPEC, write_suite

from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.judging.baseline import Baseline, ExpectedOutcome
from harness.kernel.judging.judge import Judge
from harness.kernel.judging.judged_states import JudgedStates, names_read
from harness.kernel.judging.oracle import UNLIMITED, Kill, Oracle
from harness.kernel.judging.prepared import PreparedInput, StateInputs
from harness.kernel.judging.rules import StateRule
from harness.kernel.program.loader import ModuleText, execute_with_ticks
from harness.kernel.program.steps import step_counter
from harness.kernel.specs.spec import load_spec

RETURN = "return self.value"
REP_OK = "return counter.value >= 0"
LIMITED = (SOURCE.replace("class Counter:", "class Counter:\n    limit = 9"), "return counter.value <= counter.limit")
VALIDATED = (SOURCE + "\n    def valid(self):\n        return self.value >= 0\n", "return counter.valid()")
SLOW = (SOURCE, "return counter.value >= 0 and all(True for _ in range(1200 * counter.value))")


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> SuiteReader:
    return write_suite(tmp_path_factory.mktemp("judged_states") / "suite")


class CountingOracle(Oracle):
    """Counts the post-states that it judges."""

    judgements = 0

    def state_of(self, prepared: PreparedInput) -> bytes | Kill:
        self.judgements += 1
        return super().state_of(prepared)


class Bench:
    """The original's baseline, and mutants judged against it, three times over."""

    def __init__(self, suite: SuiteReader, source: str, rep_ok: str, concrete: bool = False) -> None:
        self._suite = suite
        self._counter = step_counter()
        self._counter.start(UNLIMITED)
        spec_text = SPEC.replace(REP_OK, rep_ok)
        self.spec = load_spec(spec_text, "spec.py", self._counter)
        self._space = StateSpace(self.spec.finitization(SCOPE))
        self.oracle = CountingOracle(self.spec, self._counter, StateRule(self.spec, concrete))
        self.baseline = Baseline()
        original = self._program(source)
        for number in range(INPUTS):
            observed = self.oracle.observe(original.prepare(number))
            assert isinstance(observed, ExpectedOutcome)
            self.baseline.add(observed, 0.0)

    def _program(self, source: str) -> StateInputs:
        self._counter.start(UNLIMITED)
        module = execute_with_ticks(ModuleText("impl", source, "impl.py"), self._counter)
        return StateInputs(module, self.spec, self._space, self._suite)

    def kills(self, source: str, remember: bool) -> tuple[list[Kill | None], int]:
        """Return the kill of every input, and how many post-states are remembered."""
        program = self._program(source)
        judged_states = None
        if remember:
            names = names_read(self.spec)
            judged_states = JudgedStates.of(program.module, self._space.finitization, names, self.baseline)
        of_mutant = Judge(self.oracle, program.prepare, self.baseline, judged_states, warm_up=0)
        self.oracle.judgements = 0
        kills = [of_mutant.judge(number) for _ in range(3) for number in range(INPUTS)]
        return kills, len(judged_states.judgement_of) if judged_states else 0


@pytest.mark.parametrize(
    ("program", "old", "new", "remembered"),
    [
        ((SOURCE, REP_OK), "", "", 5),
        ((SOURCE, REP_OK), "self.value += 1", "self.value -= 1", 3),
        ((SOURCE, REP_OK), RETURN, "old, self.value = self.value, -1; return old", 4),
        ((SOURCE, REP_OK), RETURN, "old, self.value = self.value, self.value if by else True; return old", 6),
        ((SOURCE, REP_OK), RETURN, "self.extra = by; return self.value", 3),
        ((SOURCE, REP_OK), RETURN, "old, self.value = self.value, [self.value]; return old", 3),
        ((SOURCE, REP_OK), RETURN, "old = self.value; self.__class__ = Other; return old\nclass Other: pass", 3),
        ((SOURCE, REP_OK), RETURN, "type(self).value = old = self.value; del self.value; return old", 1),
        # (three are what calls leave that raise; one, that before the class has a value)
        # judged by the state that earlier calls have left in the class
        (LIMITED, RETURN, "type(self).limit -= 1; return self.value", 0),
        (
            VALIDATED,
            "return self.value >= 0",
            "global asked; asked = globals().get('asked', 0) + 1; return asked < 7",
            0,
        ),
        # judged within some inputs' budgets only: 10 times the original's steps, and 1000
        (SLOW, RETURN, "old, self.value = self.value, self.value + 5; return old", 1),
    ],
)
def test_remembering_changes_no_verdict(
    suite: SuiteReader, program: tuple[str, str], old: str, new: str, remembered: int
) -> None:
    source, rep_ok = program
    bench = Bench(suite, source, rep_ok)
    assert old in source
    mutant = source.replace(old, new) if old else source
    expected, _ = bench.kills(mutant, remember=False)
    kills, states = bench.kills(mutant, remember=True)
    assert kills == expected
    assert states == remembered


def test_a_state_compared_by_structure_does_not_hang_on_plain_arguments(suite: SuiteReader) -> None:
    kills, states = Bench(suite, SOURCE, REP_OK, concrete=True).kills(SOURCE, remember=True)
    assert set(kills) == {None}
    assert states == 5


def test_a_state_remembered_is_not_judged_again(suite: SuiteReader) -> None:
    bench = Bench(suite, SOURCE, REP_OK)
    kills, states = bench.kills(SOURCE, remember=True)
    assert bench.oracle.judgements == states < len(kills)


@pytest.mark.parametrize(
    "rep_ok",
    [
        "return id(counter) > 0",
        "return getattr(counter, 'val' + 'ue') >= 0",
        "return counter.__dict__['value'] >= 0",
        "seen.append(counter); return True\nseen = []",
        "global calls; calls += 1; return True\ncalls = 0",
        "return kept(counter)\ndef kept(counter, seen=[]):\n    seen.append(1); return True",
        "rep_ok.seen.append(1); return True\nrep_ok.seen = []",
        "helper.calls = 1; return True\ndef helper(counter):\n    return True",
        "import random; return random.random() < 2",
        "return outer(counter)\nfrom operator import attrgetter\nouter = attrgetter('value')",
        "return made(counter)\ndef _made():\n    seen = []\n    return lambda counter: not seen\nmade = _made()",
    ],
)
def test_a_spec_that_looks_at_more_than_the_state_is_asked_every_time(rep_ok: str) -> None:
    spec = load_spec(SPEC.replace(REP_OK, rep_ok), "spec.py")
    assert names_read(spec) is None


def test_what_other_functions_of_a_spec_do_does_not_matter() -> None:
    spec = load_spec(SPEC + "\ndef post_up(before, after):\n    return id(before) != getattr(after, 'x')\n", "spec.py")
    assert names_read(spec) == {"value"}
