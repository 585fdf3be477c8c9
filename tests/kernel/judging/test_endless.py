"""Calls that are ended as endless: verdicts and steps are those of letting them run on."""

from __future__ import annotations

import copy
import tracemalloc
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.counter import INPUTS, SCOPE, SOURCE, SPEC, write_suite

from harness.kernel.inputs.routines import ABSENT
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.judging.baseline import Baseline
from harness.kernel.judging.endless import LARGEST, LoopDetector, graph_key, is_closed_function
from harness.kernel.judging.isolation import IsolatedProgram, changed_functions, names_read, only_defines
from harness.kernel.judging.judge import Judge
from harness.kernel.judging.oracle import UNLIMITED, Kill, Oracle, Rule
from harness.kernel.judging.prepared import StateInputs
from harness.kernel.naive.equality import equal_values
from harness.kernel.objects.reading import ATOMS
from harness.kernel.program.loader import (
    RECURSION_LIMIT,
    ModuleText,
    compile_with_ticks,
    execute,
    execute_with_ticks,
    limit_recursion,
    step_counter,
)
from harness.kernel.program.recompile import Recompiler
from harness.kernel.specs.spec import load_spec
from harness.kernel.specs.tokens import Token
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


PROGRAM = execute(
    ModuleText(
        "impl",
        "class Node:\n    def __init__(self, *held):\n        self.held = list(held)\n"
        "class Other(Node):\n    pass\nclass Slotted:\n    __slots__ = ('held',)\n",
        "impl.py",
    )
)
Node, Other = PROGRAM.Node, PROGRAM.Other


def _loop() -> Any:
    node = Node()
    node.held.append(node)
    return node


def _with_mark() -> Any:
    node = Node()
    node.mark = None
    return node


def _shared() -> list[Any]:
    one = Node(1)
    return [one, one]


UNLIKE: list[Callable[[], list[Any]]] = [
    list,
    lambda: [None],
    lambda: [False],
    lambda: [0],
    lambda: [1],
    lambda: [True],
    lambda: [256],
    lambda: [ABSENT],
    lambda: [[]],
    lambda: [()],
    lambda: [{}],
    lambda: [{1: 2}],
    lambda: [{1: 2, 3: 4}],
    lambda: [{3: 4, 1: 2}],
    lambda: [Node()],
    lambda: [Other()],
    lambda: [Node(1)],
    lambda: [Node([1])],
    lambda: [Node(Node())],
    lambda: [_loop()],
    lambda: [Node(_loop())],
    _shared,
    lambda: [Node(1), Node(1)],
    lambda: [Node(1), 1],
    lambda: [[Node()], None],
    lambda: [[None], Node()],
    lambda: [Token("mark", 0)],
    lambda: [Token("mark", 1)],
    lambda: [_with_mark()],
]


def test_states_that_a_program_can_tell_apart_have_different_keys():
    keys = [graph_key(make(), PROGRAM) for make in UNLIKE]
    assert b"" not in keys
    assert len(set(keys)) == len(UNLIKE)
    assert keys == [graph_key(make(), PROGRAM) for make in UNLIKE]


def test_texts_and_large_numbers_have_keys_where_the_caller_tells_them_by_value():
    states = [[257], [258], ["a"], ["b"], [b"a"], [Node("a")]]
    assert len({graph_key(state, PROGRAM, ATOMS - {float}) for state in states} - {b""}) == len(states)
    assert graph_key([1.0], PROGRAM, ATOMS - {float}) == b""


Values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 5),
    lambda held: st.lists(held, max_size=3) | st.builds(lambda inner: Node(*inner), st.lists(held, max_size=3)),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(one=st.lists(Values, max_size=3), other=st.lists(Values, max_size=3), shares=st.booleans())
def test_equal_keys_are_those_of_states_that_are_alike(one, other, shares):
    if shares and one:
        one.append(one[0])
    assert (graph_key(one, PROGRAM) == graph_key(other, PROGRAM)) is equal_values(one, other, by_identity=True)
    assert graph_key(one, PROGRAM) == graph_key(copy.deepcopy(one), PROGRAM)


@pytest.mark.parametrize(
    "value",
    [
        257,
        -6,
        1.0,
        "text",
        b"bytes",
        (1,),  # one that is written in the program is the same object each time
        {1},
        PROGRAM.Slotted(),
        ModuleType("other"),
        Node,
        Node(object()),
        [None] * LARGEST,
    ],
)
def test_a_state_with_anything_else_has_no_key(value):
    assert graph_key([value], PROGRAM) == b""


def test_of_two_classes_of_one_name_the_earlier_has_no_key_nor_an_object_with_a_slot_in_a_class_above():
    text = "class Cell:\n    kind = 1\nOld = Cell\nclass Cell:\n    kind = 2\n"
    module = execute(ModuleText("impl", text, "impl.py"))
    assert graph_key([module.Old()], module) == b""
    assert graph_key([module.Cell()], module) != b""
    derived = type("Derived", (PROGRAM.Slotted,), {"__module__": "impl"})
    assert graph_key([derived()], ModuleType("impl")) == b""


@pytest.mark.parametrize("value", [[None] * 1_000_000, dict.fromkeys(range(200_000))])
def test_a_large_container_is_not_copied_to_find_out_that_it_has_no_key(value):
    tracemalloc.start()
    try:
        assert graph_key([value], PROGRAM) == b""
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


STACK = '''
"""A stack."""
import sys

LIMIT = 3
LOW = -1

class Node:
    """A cell."""
    size: int = 0

    def __init__(self, value, below=None):
        self.value = value
        self.below = below

class Stack:
    top = None

    def push(self, value):
        if value > LIMIT:
            raise ValueError(value)
        self.top = Node(value, self.top)
        return [each for each in range(value)]

    def pop(self):
        top = self.top
        self.top = top.below
        return top.value

def depth(stack):
    found = 0
    return found
'''


def program_of(source: str) -> IsolatedProgram:
    code, module = loaded(source)
    return IsolatedProgram(source, code, module)


def loaded(source: str, recompiler: Recompiler | None = None):
    text = ModuleText("stack", source, "stack.py")
    counter = step_counter()
    counter.start(1 << 60)
    code = compile_with_ticks(text) if recompiler is None else recompiler.compile(source)
    return code, execute_with_ticks(text, counter, code)


def test_a_module_of_functions_that_touch_nothing_but_their_objects_is_closed():
    assert program_of(STACK).holds


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("found = 0", "global LIMIT; LIMIT = found = 0"),
        ("found = 0", "found = sys.argv"),
        ("found = 0", "import os; found = os"),
        ("found = 0", "found = Node"),
        ("found = 0", "found = {0}"),
        ("found = 0", "found = set()"),
        ("found = 0", "found = {n for n in range(3)}"),
        ("found = 0", "found = {}.keys()"),
        ("found = 0", "found = stack.__class__"),
        ("found = 0", "found = (n for n in range(3)).gi_frame.f_builtins"),
        ("found = 0", "found = open(0)"),
        ("found = 0", "found = print"),
        ("return found", "try:\n        return found\n    except ValueError:\n        pass"),
        ("def pop(self)", "def __del__(self)"),
        ("LIMIT = 3", "LIMIT = [3]"),
        ("LIMIT = 3", "LIMIT = sys.maxsize"),
        ("LIMIT = 3", "LIMIT = 3\nprint()"),
        ("def depth(stack)", "def depth(stack=[])"),
        ("class Stack:", "class Stack(sys.__class__):"),
        ("def depth(stack)", "@staticmethod\ndef depth(stack)"),
    ],
)
def test_what_may_reach_further_is_not_closed_neither_as_a_program_nor_as_a_mutant(old, new):
    assert old in STACK
    changed_source = STACK.replace(old, new)
    assert not program_of(changed_source).holds
    program = program_of(STACK)
    code, module = loaded(changed_source)
    changed = program.changed(code)
    # Code outside function bodies is compared, but for values, which the original's text vouches for.
    assert changed is None or not program.holds_with(changed, module) or old in ("LIMIT = 3", "def depth(stack)")


def test_another_body_is_a_closed_mutant_and_the_only_function_that_is_looked_at():
    recompiler = Recompiler(ModuleText("stack", STACK, "stack.py"))
    program = program_of(STACK)
    changed_source = STACK.replace("self.top = top.below", "self.top = Node(LIMIT, top)")
    program = IsolatedProgram(STACK, recompiler.original, loaded(STACK)[1])
    code, module = loaded(changed_source, recompiler)
    changed = program.changed(code)
    assert [one.co_qualname for one in changed] == ["Stack.pop"]
    assert program.holds_with(changed, module)
    assert changed_functions(recompiler.original, recompiler.original) == []


def test_a_metamutants_controls_are_not_looked_at_as_their_numbers_are_no_mutants():
    assert only_defines(STACK + "\nif __mutascope_mutant__ == -2:\n    print()\n")
    assert not only_defines(STACK + "\nif __mutascope_mutant__ == 2:\n    print()\n")


@pytest.mark.parametrize(
    ("body", "closed"),
    [
        ("return [each for each in range(value)]", True),
        ("try:\n        return value\n    except ValueError:\n        return 0", False),
        ("return [each for each in range(value) if each] or (yield)", True),
    ],
)
def test_a_function_that_may_catch_an_exception_is_not_closed_and_one_with_a_comprehension_is(body, closed):
    namespace: dict[str, object] = {"__name__": "made_up"}
    exec(f"def function(value):\n    {body}\n", namespace)
    assert is_closed_function(namespace["function"]) is closed


REP_OK = "return counter.value >= 0"


def test_the_names_of_attributes_are_those_of_rep_ok_and_of_what_it_calls():
    helped = SPEC.replace("def rep_ok", "def positive(counter):\n    return counter.size >= 0\n\ndef rep_ok")
    names = names_read(load_spec(helped.replace(REP_OK, f"{REP_OK} and positive(counter)"), "spec.py"))
    assert {"value", "size"} <= names


@pytest.mark.parametrize(
    "answer",
    [
        "return getattr(counter, 'val' + 'ue') >= 0",
        "return id(counter) > 0",
        "global seen; seen = counter; return True",
        "counter.seen = True; return True",
        "import random; return random.random() < 2",
        "return [lambda: counter][0]().value in CACHE",
    ],
)
def test_a_spec_that_may_read_more_than_the_state_reads_nothing_that_is_known(answer):
    text = SPEC.replace(REP_OK, answer.replace("; ", "\n    "))
    assert names_read(load_spec(f"CACHE = set()\n{text}", "spec.py")) is None
