"""Some programs leave no state behind, and neither do some of their mutants."""

import pytest
from support.counter import SPEC

from harness.kernel.judging.endless import is_closed_function
from harness.kernel.judging.isolation import IsolatedProgram, changed_functions, names_read, only_defines
from harness.kernel.program.loader import ModuleText, compile_with_ticks, execute_with_ticks, step_counter
from harness.kernel.program.recompile import Recompiler
from harness.kernel.specs.spec import load_spec

SOURCE = '''
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
    assert program_of(SOURCE).holds


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
    assert old in SOURCE
    changed_source = SOURCE.replace(old, new)
    assert not program_of(changed_source).holds
    program = program_of(SOURCE)
    code, module = loaded(changed_source)
    changed = program.changed(code)
    # Code outside function bodies is compared, but for values, which the original's text vouches for.
    assert changed is None or not program.holds_with(changed, module) or old in ("LIMIT = 3", "def depth(stack)")


def test_another_body_is_a_closed_mutant_and_the_only_function_that_is_looked_at():
    recompiler = Recompiler(ModuleText("stack", SOURCE, "stack.py"))
    program = program_of(SOURCE)
    changed_source = SOURCE.replace("self.top = top.below", "self.top = Node(LIMIT, top)")
    program = IsolatedProgram(SOURCE, recompiler.original, loaded(SOURCE)[1])
    code, module = loaded(changed_source, recompiler)
    changed = program.changed(code)
    assert [one.co_qualname for one in changed] == ["Stack.pop"]
    assert program.holds_with(changed, module)
    assert changed_functions(recompiler.original, recompiler.original) == []


def test_a_metamutants_controls_are_not_looked_at_as_their_numbers_are_no_mutants():
    assert only_defines(SOURCE + "\nif __mutascope_mutant__ == -2:\n    print()\n")
    assert not only_defines(SOURCE + "\nif __mutascope_mutant__ == 2:\n    print()\n")


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
