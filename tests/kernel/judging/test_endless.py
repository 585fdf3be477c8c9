"""Calls that are ended as endless: verdicts and steps are those of letting them run on."""

import pytest
from support.counter import INPUTS, SCOPE, SOURCE, SPEC, write_suite

from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.judging.baseline import Baseline
from harness.kernel.judging.endless import LoopDetector
from harness.kernel.judging.judge import Judge
from harness.kernel.judging.oracle import UNLIMITED, Kill, Oracle, Rule
from harness.kernel.judging.prepared import StateInputs
from harness.kernel.program.loader import RECURSION_LIMIT, ModuleText, execute_with_ticks, limit_recursion, step_counter
from harness.kernel.specs.spec import load_spec
from harness.model.outcome import KillReason

ENDLESS = {
    "a loop": "while True: pass",
    "a loop that assigns": "while self.value >= 0: self.value = self.value",
    "a loop around three places": "at = 0\nwhile True: at = (at + 1) % 3",
    "a loop that undoes what it did": "while True: self.value = 1 - self.value",
    "a loop that calls": "while True: self.rest()",
    "a recursion": "return self.run(by)",
    "a recursion by way of another": "return self.back(by)",
    "a loop that makes an equal object": "while True:\n    other = Counter()\n    other.value = 3",
    "a loop below a recursion": "return self.back(by) if by else self.run(by + 1)",
}
ENDING = {
    "a loop that counts": "at = 0\nwhile at < 300: at += 1",
    "a loop that counts in an object": "while self.value < 300: self.value += 1\nself.value = 0",
    "a loop over a list": "for _ in [0] * 300: pass",
    "a loop over a generator": "for _ in self.zeros(300): pass",
    "a loop within one over a list": "for _ in [0] * 300:\n    while by < 0: pass",
    "a loop by an iterator": "left = iter([0] * 300)\nwhile next(left, 1) == 0: pass",
    "a loop that calls the same": "at = 0\nwhile self.rest() or at < 300: at += 1",
    "a recursion that counts": "return self.down(200)",
    "a recursion that is called again": "at = 0\nwhile self.down(3) or at < 50: at += 1",
    "a loop that grows a list": "grown = []\nwhile len(grown) < 300: grown.append(1)",
    "a loop that changes 1 to True": "at = 1\nwhile type(at) is int: at = at if self.rest() else True",
    "state in the class": "Counter.calls = 0\nwhile Counter.calls < 300: Counter.calls += 1",
    "state in the class of an object": "type(self).calls = 0\nwhile self.calls < 300: type(self).calls += 1",
    "state in a function": "rests.calls = 0\nwhile rests.calls < 300: rests.calls += 1",
    "state in a class handed on": "while self.called(Counter): pass",
    "state in a function handed on": "while self.called(rests): pass",
    "state in a closure": "while closure(): pass",
    "state in a global": "global calls\ncalls = 0\nwhile calls < 300: calls += 1",
    "state in a global list": "KEPT.clear()\nwhile len(KEPT) < 300: KEPT.append(1)",
    "state in a default": "kept = self.kept()\nkept.clear()\nwhile len(self.kept()) < 300: kept.append(1)",
    "state elsewhere": "import itertools\ncount = itertools.count().__next__\nwhile count() < 300: pass",
    "a limit caught": "try:\n    while True: pass\nexcept BaseException:\n    pass",
    "a limit seen on the way out": "try:\n    while True: pass\nfinally:\n    self.down(5)",
    "a limit seen by another": "self.catch()",
}
METHODS = """
    def rest(self):
        pass

    def back(self, by):
        return self.run(by)

    def zeros(self, count):
        for _ in range(count):
            yield 0

    def never_called(self):
        try:
            return KEPT
        except BaseException:
            pass

    def down(self, left):
        return self.down(left - 1) if left else None
"""
CATCH = """
    def catch(self):
        try:
            while True: pass
        except BaseException:
            pass
"""
CALLED = """
    def called(self, place):
        place.calls += 1
        return place.calls % 300
Counter.calls = 0

def rests(): pass
rests.calls = 0

def made():
    calls = 0
    def counting():
        nonlocal calls
        calls += 1
        return calls % 300
    return counting
closure = made()
"""
EXTRA = {
    "state in a class handed on": CALLED,
    "state in a function handed on": CALLED,
    "state in a closure": CALLED,
    "state in a default": "\n    def kept(self, kept=[]):\n        return kept\n",
    "state in a global list": "\nKEPT = []\n",
    "state in a function": "\ndef rests(): pass\n",
    "a limit seen by another": CATCH,
}


def program(body: str, extra: str) -> str:
    lines = "\n        ".join(body.split("\n"))
    run = f"\n    def run(self, by):\n        {lines}\n"
    return SOURCE.replace("return self.value", "self.run(by); return self.value") + run + METHODS + extra


class Bench:
    def __init__(self, suite: SuiteReader) -> None:
        self._suite = suite
        self._counter = step_counter()
        self._counter.start(UNLIMITED)
        self._spec = load_spec(SPEC, "spec.py", self._counter)
        self._space = StateSpace(self._spec.finitization(SCOPE))
        self._oracle = Oracle(self._spec, self._counter, Rule(self._spec))
        self._baseline = Baseline()
        original = self._program(SOURCE)
        for number in range(INPUTS):
            observed = self._oracle.observe(original.prepare(number))
            self._baseline.add(observed, 0.0)

    def _program(self, source: str) -> StateInputs:
        self._counter.start(UNLIMITED)
        module = execute_with_ticks(ModuleText("impl", source, "impl.py"), self._counter)
        return StateInputs(module, self._spec, self._space, self._suite)

    def run(
        self, source: str, watched: bool, frames: int = RECURSION_LIMIT
    ) -> tuple[list[tuple[Kill | None, int]], int]:
        """Return the kill of every input with the steps so far, and how many calls were found endless."""
        mutant = self._program(source)
        endless_calls = 0

        watch = LoopDetector(mutant.module, [target.name for target in self._space.finitization.targets])
        never_returns = watch._never_returns

        def counted(*arguments: object) -> bool:
            nonlocal endless_calls
            answer = never_returns(*arguments)
            endless_calls += answer
            return answer

        watch._never_returns = counted
        judge = Judge(self._oracle, mutant.prepare, self._baseline, watch if watched else None)
        limit_recursion(frames - RECURSION_LIMIT)
        return [(judge.judge(number), judge.surplus) for number in range(INPUTS)], endless_calls


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    return Bench(write_suite(tmp_path_factory.mktemp("endless") / "suite"))


@pytest.mark.parametrize("name", [*ENDLESS, *ENDING])
def test_what_is_ended_would_have_spent_its_steps(bench, name):
    source = program({**ENDLESS, **ENDING}[name], EXTRA.get(name, ""))
    expected, _ = bench.run(source, watched=False)
    judgements, endless = bench.run(source, watched=True)
    assert judgements == expected
    limited = sum(kill is not None and kill.reason is KillReason.STEP_LIMIT for kill, _ in judgements)
    assert endless == (limited if name in ENDLESS else 0)
    assert bool(limited) == (name in ENDLESS or "limit" in name)


def test_a_recursion_that_would_come_to_the_recursion_limit_first_does(bench):
    source = program(ENDLESS["a recursion"], "")
    for frames, reason, is_found in (
        (400, KillReason.EXCEPTION, False),
        (1900, KillReason.STEP_LIMIT, False),
        (RECURSION_LIMIT, KillReason.STEP_LIMIT, True),
    ):
        expected, _ = bench.run(source, watched=False, frames=frames)
        judgements, endless = bench.run(source, watched=True, frames=frames)
        assert judgements == expected
        assert {kill.reason for kill, _ in judgements if kill} == {reason}
        assert bool(endless) == is_found
