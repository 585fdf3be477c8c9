"""The naive path and the fast one tell the same of each mutant, in every detail, and of objects that a spec makes."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.own_subject import standing_beside

from harness import api
from harness.kernel.program.splice import mutated_source
from harness.model.outcome import KillReason, Phase, Verdict
from harness.runner.verify import agree
from harness.store import KillRow

SWALLOWING = f"\n{' ' * 8}".join(["try:", "    while True: pass", "except BaseException:", "    pass"])


@pytest.mark.parametrize(
    ("old", "new", "reason", "phase"),
    [
        ("self.size -= 1", "self.size -= 1 + 0", None, None),
        ("self.size -= 1", "self.size += 1", "rep_invariant", "rep_ok"),
        ("self.size -= 1", "self.size = None", "rep_invariant", "rep_ok"),
        ("return True", "return 1", "output", "call"),
        ("return True", "self.root, self.size = None, 0; return True", "state", "equality"),
        ("self.size -= 1", "raise KeyError(info)", "exception", "call"),
        ("self.size -= 1", "raise SystemExit", "exception", "call"),
        ("self.size -= 1", "raise MemoryError", "memory_limit", "call"),
        ("self.size -= 1", "[0] * (1 << 45)", "memory_limit", "call"),
        ("self.size -= 1", "while True: pass", "step_limit", "call"),
        ("self.size -= 1", SWALLOWING, "step_limit", "call"),
        ("self.size -= 1", "self._remove_node(current)", "step_limit", "call"),
        ("return right", "current.right = current; return current", "rep_invariant", "rep_ok"),
        ("self.size -= 1", "import os; os._exit(0)", "crash", "call"),
        ("self.size -= 1", "import os; os._exit(3)", "crash", "call"),
        ("self.size -= 1", "import os; os.abort()", "crash", "call"),
        ("self.size -= 1", "import os; os.kill(os.getpid(), 9)", "crash", "call"),
        ("class SearchTree", "nothing\nclass SearchTree", "exception", "load"),
        ("class SearchTree", "while True: pass\nclass SearchTree", "exception", "load"),
        ("class SearchTree", "import os; os._exit(3)\nclass SearchTree", "crash", "load"),
    ],
)
def test_both_paths_tell_the_same_of_every_way_to_end(tree, old, new, reason, phase):
    result = tree.both(old, new)
    assert (result.reason and result.reason.value, result.phase and result.phase.value) == (reason, phase)


@pytest.mark.slow
def test_both_paths_meet_the_recursion_limit_after_the_same_steps(piles):
    # depth(400) has a budget beyond the recursion limit; depth(10**6) ends the original itself by RecursionError.
    result = piles.both("left - 1", "left")
    assert (result.reason, result.phase) == (KillReason.EXCEPTION, Phase.CALL)
    survivor = piles.both("left <= 0", "left <= -0")
    assert (survivor.verdict, survivor.steps) == (Verdict.SURVIVED, piles.original_steps)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("other.items.clear()", "pass", "state"),
        ("for item in others:", "others.append(1)\n        for item in others[:-1]:", "state"),
        ("return self\n", "return joined\n", "output"),
        ("return joined", "return self", "output"),
        ("self.items + other.items", "other.items + self.items", None),
        ("self.items + other.items", "[*self.items, 'x']", "output"),
        ("return dropped", "return True if dropped == 1 else dropped", "output"),
        ("raise ValueError(most)", "raise IndexError(most)", "exception"),
        ("most < 0", "False", "exception"),
    ],
)
def test_both_paths_compare_arguments_and_returned_structures_alike(piles, old, new, reason):
    result = piles.both(old, new)
    assert (result.reason and result.reason.value) == reason


@pytest.mark.parametrize(
    "new",
    [
        "self.size -= 1 + 0",
        "self.size += 1",
        "self.size -= 1; info == 1 and 1 // 0",
        "while True: pass",
        "import os; os.abort()",
        "self.size -= 1 + (info == 2); import os; info == 1 and os.abort()",
    ],
)
def test_both_paths_fill_the_same_row_of_the_kill_matrix(tree, new):
    tree.both("self.size -= 1", new, matrix=True)


@pytest.mark.slow
@pytest.mark.parametrize("new", ["sum(range(10**12))", "import time; time.sleep(1000)"], ids=["computes", "sleeps"])
def test_a_mutant_that_stays_within_a_step_meets_the_wall_limit_on_both_paths(tree, new):
    mutant = tree.mutant("self.size -= 1", new)
    fast, naive = tree.fast(mutant).result, tree.naive(mutant).result
    assert fast.reason is naive.reason is KillReason.WALL_LIMIT
    assert agree(fast, naive)


PIECES = ["self.items", "other.items", "others", "most", "dropped", "item", "joined", "left", "0", "1", "self", "other"]
SIGNS = [" < ", " > ", " <= ", " + ", " - ", " += ", " = ", "not ", "while ", "if ", "return ", ".pop", ".append"]


@pytest.mark.slow
@given(st.data())
@settings(derandomize=True, max_examples=25, deadline=None)
def test_both_paths_tell_the_same_of_random_mutants(piles, data):
    source = piles.subject.source
    group = data.draw(st.sampled_from([PIECES, SIGNS]))
    sites = [(at, piece) for piece in group for at in range(len(source)) if source.startswith(piece, at)]
    start, old = data.draw(st.sampled_from(sites))
    new = data.draw(st.sampled_from([*(piece for piece in group if piece != old), ""]))
    mutant = piles.mutant_at(start, old, new)
    try:
        compile(mutated_source(source, mutant), "impl.py", "exec")
    except SyntaxError:
        assert piles.naive(mutant).result.verdict is Verdict.STILLBORN
        return
    matrix = data.draw(st.booleans())
    fast, naive = piles.fast(mutant, matrix), piles.naive(mutant, matrix)
    assert replace(fast.result, detail="", executed=None) == replace(naive.result, detail="", executed=None)
    assert fast.kill_row == naive.kill_row


@pytest.mark.slow
def test_a_mutant_that_does_not_load_is_killed_by_every_input(tree):
    mutant = tree.mutant("class SearchTree", "nothing\nclass SearchTree")
    for result in (tree.naive(mutant, matrix=True), tree.fast(mutant, matrix=True)):
        assert result.result.phase is Phase.LOAD
        assert result.kill_row == KillRow.of_kills(mutant.id, tree.inputs, range(tree.inputs))
    assert isinstance(tree.naive(tree.mutant("return True", "return 1"), matrix=True).kill_row, KillRow)


SOURCE = """\
class Item:
    def __init__(self, n):
        self.n = 0
        while self.n < n:
            self.n += 1

class Bag:
    def __init__(self):
        self.items = []

    def put(self, item):
        i = 0
        while i < item.n - 1:
            i += 1
        self.items.append(item)
        return i
"""
SPEC = """\
from harness.spec import Finitization

helpers = ["Item.__init__"]

def rep_ok(bag):
    return len(bag.items) <= 2

def few(program):
    return program.Item(1)

def many(program):
    return program.Item(1100)

def finitization(scope):
    f = Finitization("Bag")
    f.set("Bag.items", f.lists(1, lengths=range(scope + 1), elements=[f.fixed(few)]))
    f.method("put", [f.fixed(many), f.fixed(few)])
    return f
"""


@pytest.mark.slow
@pytest.mark.parametrize("generator", ["korat", "beapi"])
def test_neither_a_dear_object_nor_a_mutant_that_never_makes_it_spends_the_steps_of_calls(generator, tmp_path):
    with standing_beside(tmp_path, "bag", SOURCE, SPEC):
        experiment = api.subject_experiment("bag", generator, [1], operators="mujava", matrix=True)
        verification = api.verify(api.run(experiment, tmp_path / "run", jobs=1), jobs=1)
    assert verification.disagreements == ()
