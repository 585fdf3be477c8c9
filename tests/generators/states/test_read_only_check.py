"""A rep_ok that writes to the state, and a finitization that is not always the same, are rejected."""

import pytest
from generator_samples import generated_suite

from harness.errors import SpecError
from harness.generators.policies.brute_force import BruteForce
from harness.generators.policies.korat.generator import Korat

SOURCE = """
class Pile:
    def __init__(self):
        self.count = 0
        self.top = None
        self.items = []

    def push(self, number): ...

class Node:
    def __init__(self):
        self.value = 0
"""

SPEC = """
from harness.spec import Finitization

def rep_ok(pile):
    if pile.count > 9 or len(pile.items) > 9 or (pile.top and pile.top.value > 9):
        return False
    return True

def finitization(scope):
    f = Finitization("Pile")
    nodes = f.objects("Node", 1)
    f.set("Pile.count", range(scope + 1))
    f.set("Pile.top", None, nodes)
    f.set("Pile.items", f.lists(1, lengths=range(2), elements=[0, 1]))
    f.set("Node.value", range(scope))
    f.method("push", range(2))
    return f
"""


def suite_of(folder, deed="pass", spec=SPEC, generator=None):
    text = spec.replace("    return True\n", f"    {deed}\n    return True\n", 1)
    return generated_suite(folder / "suite", text, SOURCE, generator)


@pytest.mark.parametrize("generator", [Korat(), BruteForce()], ids=lambda generator: generator.name)
@pytest.mark.parametrize(
    "deed",
    [
        *("pile.count = 5", "pile.count = bool(pile.count)", "pile.count = -0.0 if pile.count == 0 else pile.count"),
        *("pile.items.append(1)", "pile.items.sort(key=lambda item: -item) or pile.items.clear()", "pile.seen = True"),
        *("del pile.count", "if pile.top: pile.top.mark = 1", "pile.__dict__['count'] = 8"),
        "if pile.top: object.__setattr__(pile.top, 'value', 7)",
    ],
)
def test_a_rep_ok_that_changes_its_state_is_refused(tmp_path, deed, generator):
    with pytest.raises(SpecError, match=r"rep_ok changes the state .* on Pile\(.*; make it read only"):
        suite_of(tmp_path, deed, generator=generator)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "deed",
    [
        "pass",
        "pile.count = pile.count",
        "pile.items = list(pile.items)",
        "list(pile.items).append(1)",
        "pile.count += 1; pile.count -= 1",
        "pile.items.append(1); pile.items.pop()",
    ],
)
def test_a_rep_ok_that_leaves_all_as_it_was_is_accepted(tmp_path, deed):
    assert suite_of(tmp_path, deed).inputs == suite_of(tmp_path / "other").inputs


def test_the_rep_ok_of_structures_is_looked_at_as_well(tmp_path):
    spec = SPEC.replace("import Finitization", "import Finitization, Structures").replace(
        "    return f\n",
        '    other = Finitization("Node")\n    other.set("Node.value", [1])\n'
        '    f.method("take", Structures(other, spoils))\n    return f\n',
    )
    spec += "\ndef spoils(node):\n    node.value = 2\n    return True\n"
    source = SOURCE.replace("    def push", "    def take(self, node): ...\n\n    def push")
    with pytest.raises(SpecError, match=r"rep_ok changes the state .* on Node\(value=1\)"):
        generated_suite(tmp_path / "suite", spec, source)


COUNTED = "import itertools, random, time\ncalls = itertools.count()\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("range(scope + 1))", "[next(calls)])"),
        ("range(scope + 1))", "[next(calls) % 2 == 1])"),
        ("range(scope + 1))", "[1, True, 1.0][next(calls) % 3])"),
        ("range(scope + 1))", "[0.0, -0.0][next(calls) % 2])"),
        ("range(scope + 1))", "time.perf_counter())"),
        ("range(scope + 1))", "*random.sample(range(1000), 99))"),
        ('("Node", 1)', '("Node", 1 + next(calls))'),
        ("elements=[0, 1]", "elements=[next(calls)]"),
        ("range(2))\n    return", "range(next(calls), 9))\n    return"),
        ('"push", range(2)', '"push", *[range(2)] * (1 + next(calls))'),
    ],
)
def test_a_finitization_that_is_not_the_same_when_called_again_is_refused(tmp_path, old, new):
    assert SPEC.count(old) >= 1
    with pytest.raises(SpecError, match=r"^finitization\(2\) is not the same when it is called again; make it"):
        suite_of(tmp_path, spec=COUNTED + SPEC.replace(old, new, 1))


def test_a_condition_that_writes_when_it_is_evaluated_is_refused(tmp_path):
    conditional = SPEC.replace("import Finitization\n", "import Finitization, requirements\n\n@requirements")
    conditional = conditional.replace("return False", "yield False").replace("return True\n", "yield True\n", 1)
    suite_of(tmp_path / "good", spec=conditional)
    with pytest.raises(SpecError, match=r"rep_ok changes the state"):
        suite_of(tmp_path, spec=conditional.replace("    yield True\n", "    pile.count = 5\n    yield True\n", 1))
