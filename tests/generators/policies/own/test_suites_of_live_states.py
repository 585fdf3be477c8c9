"""A function that yields live states, or calls of functions, takes part like any generator; what is wrong is named."""

from pathlib import Path

import pytest
from support.own_subject import standing_beside, write_subject

from harness import api
from harness.errors import MutascopeError
from harness.kernel.inputs.suites import SuiteReader
from harness.model.experiment import Trial
from harness.runner.suites import ensure_suite

SOURCE = """
class Node:
    def __init__(self, item, below):
        self.item = item
        self.below = below


class Pile:
    def __init__(self):
        self.top = None
        self.size = 0

    def push(self, item):
        self.top = Node(item, self.top)
        self.size += 1

    def pop(self):
        item = self.top.item
        self.top = self.top.below
        self.size -= 1
        return item

    def take(self, other):
        while other.top is not None:
            self.push(other.pop())
"""
SPEC = """
from harness.spec import Finitization, Structures


def rep_ok(pile):
    node, size = pile.top, 0
    while node is not None and size <= pile.size:
        node, size = node.below, size + 1
    return size == pile.size


def piles(scope):
    f = Finitization("Pile")
    nodes = f.objects("Node", scope)
    f.set("Pile.top", None, nodes)
    f.set("Pile.size", range(scope + 1))
    f.set("Node.item", range(scope))
    f.set("Node.below", None, nodes)
    return f


def finitization(scope):
    f = piles(scope)
    f.method("push", range(scope), requires=lambda pile, item: item >= 0)
    f.method("pop", requires=lambda pile: rep_ok(pile) and pile.top is not None)
    f.method("take", Structures(piles(scope), rep_ok))
    return f
"""
MINE = """
def generate(subject, scope, seed):
    for height in range(scope + 1):
        pile, other = subject.module.Pile(), subject.module.Pile()
        for item in range(height):
            pile.push(item)
        yield (pile, "push", (height,))
        yield (pile, "pop", ())
        yield (other, "take", (pile,))
        yield (other, "take", (pile,))
"""


@pytest.fixture
def home(tmp_path):
    with standing_beside(tmp_path, "pile", SOURCE, SPEC):
        (tmp_path / "mine.py").write_text(MINE)
        yield tmp_path


def suite(subject: str, generator: str, scope: int = 2) -> SuiteReader:
    return ensure_suite(api.load_subject(subject), Trial(subject, generator, scope))


def refusal(body: str) -> str:
    """Return the message of the error with which a suite of the pile is refused."""
    Path("bad.py").write_text(
        f"def generate(subject, scope, seed):\n    pile = subject.module.Pile()\n    {body}\n", encoding="utf-8"
    )
    with pytest.raises(MutascopeError) as refused:
        suite("pile", "bad.py:generate")
    assert "\n" not in str(refused.value)
    return str(refused.value)


@pytest.mark.slow
def test_live_states_are_judged_with_arguments_beyond_the_bounds_and_verify_agrees(home):
    folder = api.run(api.subject_experiment("pile", ["mine.py:generate", "korat"], [2]), home / "out", jobs=1)
    trials = api.load(folder).frames.trials.set_index("generator")
    mine = trials.loc["mine.py:generate"]
    # Of 12 inputs, three came twice; pop on the empty pile is invalid; push(2) is beyond the bounds of scope 2.
    assert (mine["inputs"], mine["own.yielded"], mine["own.repeated"], mine["own.invalid"]) == (8, 12, 3, 1)
    assert mine["own.beyond"] == 1
    assert "the first is mine.py:8: input 2: Pile(top=None, size=0).pop()" in mine["notices"]
    checked = api.verify(folder, jobs=1)
    assert checked.holds
    assert checked.checked > 20
    states = api.first_states("pile", suite("pile", "mine.py:generate"), 9)
    assert len(states) == 3


def test_states_of_users_generators_are_exported_as_tests(home):
    path = api.export_pytest("pile", "mine.py:generate", 2, path=home / "test_pile.py")
    assert "Node(item=2, below=Node(item=1, below=Node(item=0, below=None)))" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "yield (pile, 'puhs', (1,))",
            "bad.py:3: input 1: puhs is no target of finitization; there are push, pop, take",
        ),
        ("yield (pile, 'push', ())", "bad.py:3: input 1: push gets 0 arguments; the spec declares 1"),
        ("yield (pile, 'push', (1,)); yield [('Pile',)]", "bad.py:3: input 2: [('Pile',)] is no state with a call"),
        ("yield (pile, 'pop', ())", "bad.py:3: input 1: Pile(top=None, size=0).pop() is invalid, like all 1 input:"),
        ("yield (pile, 'push', ('x',))", "what push requires, raised TypeError: '>=' not supported between"),
    ],
    ids=["name", "count", "mixed", "invalid", "raises"],
)
def test_a_wrong_state_is_named_with_its_line(home, body, message):
    assert message in refusal(body)


@pytest.mark.slow
def test_calls_of_plain_functions_are_lists_of_one_call(home):
    source = "def spread(least, greatest):\n    return greatest - least\n"
    spec = (
        "from harness.spec import Finitization\n\n\ndef finitization(scope):\n    f = Finitization()\n"
        "    f.function('spread', range(scope), range(scope), requires=lambda least, greatest: least <= greatest)\n"
        "    return f\n"
    )
    write_subject(home / "subjects" / "spread", source, spec)
    (home / "mine.py").write_text(
        "def generate(subject, scope, seed):\n    routine, = subject.routines\n"
        "    for value in routine.parameters[0]:\n"
        "        yield [(routine.name, value, 2.5)]\n        yield [('spread', 1, 0)]\n"
    )
    (home / "cases.jsonl").write_text('[["spread", 1, 1]]\n[["spread", [1], [2]]]\n')
    experiment = api.subject_experiment("spread", ["mine.py:generate"], [2], suites="cases.jsonl")
    folder = api.run(experiment, home / "out", jobs=1)
    trials = api.load(folder).frames.trials.set_index("generator")
    assert trials["inputs"].to_dict() == {"mine.py:generate": 2, "cases.jsonl": 2}
    assert trials["own.invalid"].to_dict() == {"mine.py:generate": 2, "cases.jsonl": 0}
    assert api.verify(folder, jobs=1).holds
    (home / "cases.jsonl").write_text('["spread", 1, 1]\n')
    with pytest.raises(MutascopeError, match=r"cases\.jsonl:1: .* is no call of a function; yield a list of one call"):
        suite("spread", "cases.jsonl")
