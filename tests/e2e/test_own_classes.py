"""Classes as a new user has them, and legal Python that is seldom seen, the whole way."""

import json
from collections import Counter
from pathlib import Path

import pytest
from command_line import IMPLEMENTATION, SPEC
from hypothesis import HealthCheck, given, settings
from support.exported_suites import outcome
from support.random_classes import random_classes

from harness import api
from harness.store.run_store import export_facts

HEAD_OF_SPEC = "from harness.spec import Finitization\n\n\n"

BAG = (
    "import threading\nfrom collections import deque\n\n\n"
    "class Point:\n    __slots__ = ('x',)\n\n    def __new__(cls, x):\n        self = object.__new__(cls)\n"
    "        self.x = x\n        return self\n\n\n"
    "class Bag(list):\n    def __init__(self):\n        self.seen = set()\n        self.last = deque(maxlen=2)\n"
    "        self.points = {}\n        self.lock = threading.Lock()\n        self.at = (0, 0)\n\n"
    "    def add(self, item, *, front=False):\n        with self.lock:\n            if item in self.seen:\n"
    "                return False\n            self.seen.add(item)\n            self.points[item] = Point(item)\n"
    "            if front:\n                self.last.appendleft(item)\n            else:\n"
    "                self.last.append(item)\n            self.at = (self.at[0] + 1, item)\n"
    "            self.append(item)\n            return True\n\n"
    "    def __add__(self, others):\n        count = 0\n        for other in others:\n"
    "            if self.add(other):\n                count += 1\n        others.clear()\n        return count\n",
    "import threading\n" + HEAD_OF_SPEC + "def rep_ok(b):\n    return set(b.points) <= b.seen and len(b.last) < 3\n\n\n"
    "def finitization(scope):\n    f = Finitization('Bag')\n    f.contents('Bag', lengths=[1], elements=[0])\n"
    "    points = f.objects('Point', 1)\n    f.set('Point.x', range(2))\n"
    "    f.set('Bag.seen', f.sets(1, members=range(2)))\n"
    "    f.set('Bag.last', f.deques(1, lengths=range(2), elements=range(2), maxlen=2))\n"
    "    f.set('Bag.points', f.dicts(1, keys=range(2), values=points))\n"
    "    f.set('Bag.lock', f.opaque(threading.Lock))\n"
    "    f.set('Bag.at', f.tuples(lengths=[2], elements=[0]))\n    f.method('add', [1, 2], front=[False, True])\n"
    "    f.method('__add__', f.fixed([2, 0]))\n    return f\n",
)
"""A list with a set, a deque, a dict of objects, a lock, a tuple, a keyword-only argument and a fixed collection."""

SCALARS = (
    "def gcd(a, b):\n    while b:\n        a, b = b, a % b\n    return a\n\n\n"
    "def clamp(value, low, *, high):\n    if value < low:\n        return low\n    return min(value, high)\n",
    HEAD_OF_SPEC + "def fits(value, low, high):\n    return low <= high\n\n\n"
    "def post_gcd(result, a, b):\n    return result == 0 or a % result == b % result == 0\n\n\n"
    "def finitization(scope):\n    f = Finitization()\n    f.function('gcd', range(scope), range(scope))\n"
    "    f.function('clamp', range(scope), range(2), high=range(2), requires=fits)\n    return f\n",
)
"""No pre-state, and no rep_ok."""

# points for each subset of the members, with one value of x if there are some; members; last; calls
BAG_INPUTS = (1 + 2 * (1 + 2) + (1 + 2 * 3)) * (1 + 2) * (2 * 2 + 1)

CASES = {"scalars": (SCALARS, 3, 3 * 3 + 3 * 3), "bag": (BAG, 1, BAG_INPUTS)}


def go(folder: Path, texts: tuple[str, str], scope: int) -> int:
    """Generate, run and verify at one scope, and return the number of inputs."""
    subject = folder / "own"
    subject.mkdir(exist_ok=True)
    for name, text in zip(("impl.py", "spec.py"), texts, strict=True):
        (subject / name).write_text(text)
    inputs = len(api.generate(str(subject), scope=scope))
    run = api.run(api.subject_experiment(str(subject), "korat", [scope]), folder / "run", jobs=1)
    verification = api.verify(run, jobs=1)
    assert verification.checked > 0
    assert verification.disagreements == ()
    assert all(path.is_file() for path in api.report(run))
    assert not api.check(str(subject), scope).violated
    exported = api.export_pytest(str(subject), scope=scope, path=folder / "test_own.py")
    assert outcome(exported) == (inputs, 0)
    return inputs


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_ones_own_code_goes_the_whole_way(name, tmp_path):
    texts, scope, inputs = CASES[name]
    assert go(tmp_path, texts, scope) == inputs


@pytest.mark.slow
@given(random_classes(keeps_objects=True))
@settings(max_examples=6, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_random_classes_go_the_whole_way(tmp_path_factory, case):
    go(tmp_path_factory.mktemp("random"), (case.implementation, case.spec), 2)


FORM_FEEDS = IMPLEMENTATION.replace("    def push", "\f\n    def push").replace(
    "        return self.count + number", "\f        text = 'a\fb'\n        return self.count + number + len(text) - 3"
)

ANSWERS = IMPLEMENTATION.replace(
    "class Pile:\n",
    """class Pile:
    __slots__ = ("count", "limit")
    asked = []

    def __getattr__(self, name):
        Pile.asked.append(name)
        self.count = 0
        raise LookupError(name)

""",
)


@pytest.mark.slow
def test_form_feeds_move_no_position(place):
    place.subject("pile", FORM_FEEDS, SPEC.replace("def finitization", "\fdef finitization"))
    mutants = place.succeed("mutate", "pile", "--json").json
    lines = FORM_FEEDS.split("\n")
    assert {mutant["function"] for mutant in mutants} == {"Pile.push"}
    for mutant in mutants:
        line, column = map(int, mutant["location"].split("-")[0].split(":"))
        assert lines[line - 1][column:].startswith(mutant["original"].split("\n")[0]), mutant
    place.succeed("run", "--subject", "pile", "--scope", 2, "--out", "run")
    output = place.succeed("verify", "run", "--json").json
    assert output["checked"] == len([mutant for mutant in mutants if mutant["status"] == "viable"])
    assert output["disagreements"] == []


@pytest.mark.slow
def test_a_class_whose_own_lookup_of_attributes_changes_it_and_raises_is_judged_by_its_fields(place):
    for name, implementation in (("pile", IMPLEMENTATION), ("answering", ANSWERS)):
        place.subject(name, implementation)
        place.succeed("run", "--subject", name, "--scope", 2, "--out", name)
    output = place.succeed("verify", "answering", "--json").json
    assert output["checked"] > 0
    assert output["disagreements"] == []
    verdicts = [
        Counter((fact["reason"], fact["input"]) for fact in facts if fact["table"] == "mutant_result")
        for facts in (map(json.loads, export_facts(place.folder / name).splitlines()) for name in ("pile", "answering"))
    ]
    assert verdicts[0].total() > 10
    assert not verdicts[0] - verdicts[1], "each mutant of the plain class is one of the other, too"
