"""No mutant survives because a result, or a field of the state, is compared by its type alone; `verify` agrees."""

from pathlib import Path
from typing import Any

import pytest
from support.own_subject import standing_beside

from harness import api
from harness.model.outcome import Verdict
from harness.store import RunStore, StoredTrial

RESULTS = {
    "keys": "{self.n + 1: 0}.keys()",
    "values": "{0: self.n + 1}.values()",
    "items": "{0: self.n + 1}.items()",
    "memory": "memoryview(bytes([self.n + 1]))",
    "proxy": "types.MappingProxyType({0: self.n + 1})",
    "text": "io.StringIO(str(self.n + 1))",
    "match": 're.match("a*", "a" * (self.n + 1))',
    "pattern": 're.compile("a" * (self.n + 1))',
    "mapped": "map(lambda x: x + self.n + 1, [4])",
    "filtered": "[filter(lambda x: x > self.n + 1, [1, 2, 3])]",
    "generated": "(x for x in [self.n + 1])",
    "partial": "functools.partial(max, self.n + 1)",
    "bound": "[[self.n + 1].count]",
    "function": "{1: lambda: self.n + 1}",
    "flag": "Flag(self.n + 1)",
    "error": "[ValueError(self.n + 1)]",
    "order": "{self.n + 1: 0, 0: 0}",
}
SOURCE = """\
import enum, functools, io, re, types

class Flag(enum.Flag):
    A = 1
    B = 2

class Zoo:
    def __init__(self):
        self.n = 1
        self.held = None
"""
SPEC = """\
from harness.spec import Finitization

def rep_ok(zoo):
    return zoo.n == 1

def finitization(scope):
    f = Finitization("Zoo")
    f.set("Zoo.n", 1)
    f.set("Zoo.held", None)
    for name in {names}:
        f.method(name)
    return f
"""
RETURNED = SOURCE + "".join(f"\n    def {name}(self):\n        return {value}\n" for name, value in RESULTS.items())
KEPT = SOURCE + "".join(f"\n    def {name}(self):\n        self.held = {value}\n" for name, value in RESULTS.items())


def judged(
    folder: Path, name: str, source: str, spec: str, *of_trial: Any, **options: Any
) -> tuple[StoredTrial, dict[str, Verdict]]:
    """Run one trial of a subject, which the naive path confirms; return it with the verdict on each mutant."""
    with standing_beside(folder, name, source, spec):
        out = api.run(api.subject_experiment(name, *of_trial, **options), folder / "run", jobs=1)
        assert api.verify(out, jobs=1).holds
    with RunStore.open_existing(out) as store:
        (trial,) = store.trials.all()
        return trial, {result.mutant: result.verdict for result in store.results.of(trial.key)}


@pytest.mark.slow
@pytest.mark.parametrize(("source", "metamutants"), [(RETURNED, False), (KEPT, False), (RETURNED, True)])
def test_what_a_value_holds_kills_in_results_and_in_fields(source, metamutants, tmp_path):
    spec = SPEC.format(names=list(RESULTS))
    trial, verdicts = judged(tmp_path, "zoo", source, spec, "korat", [1], metamutants=metamutants)
    assert set(verdicts.values()) == {Verdict.KILLED}
    assert trial.notices == ()


LAZY = """\
class Lazy:
    def __init__(self):
        self.items = []
        self.stream = None

    def add(self, item):
        self.items.append(item)

    def mapped(self, n):
        return map(lambda x: x + n, self.items)

    def generator(self, n):
        for x in self.items:
            yield x - n

    def drain(self):
        while self.items:
            yield self.items.pop()

    def start(self):
        self.stream = iter(self.items[1:])
        return self.stream

    def step(self):
        return next(self.stream, None) if self.stream else -1
"""
LAZY_SPEC = """\
from harness.spec import SequenceScope

def sequences(scope):
    s = SequenceScope("Lazy")
    s.constructor()
    s.method("add", range(1, 3))
    s.method("mapped", [1])
    s.method("generator", [1])
    for name in ("drain", "start", "step"):
        s.method(name)
    s.elements(scope)
    s.length(4)
    return s
"""


@pytest.mark.slow
def test_iterators_are_drawn_in_sequences_except_those_that_the_state_needs(tmp_path):
    _, verdicts = judged(tmp_path, "lazy", LAZY, LAZY_SPEC, "beapi", [2])
    assert set(verdicts.values()) == {Verdict.KILLED}


@pytest.mark.slow
def test_what_has_no_content_is_named_with_place_and_count(tmp_path):
    locking = "    def grow(self):\n        self.held = threading.Lock()\n"
    locking += "    def locks(self):\n        return [threading.Lock(), self.n + 1]\n"
    spec = SPEC.format(names=["grow", "locks"])
    trial, _ = judged(tmp_path, "zoo", f"import threading\n{SOURCE}\n{locking}", spec, "korat", [1])
    assert trial.notices == (
        "Zoo.held (lock) has no content, so it is compared by its type alone (1 call)",
        "result of locks (lock) has no content, so it is compared by its type alone (1 call)",
    )


RECENT = """\
class Recent:
    def __init__(self):
        self.keys = {}

    def use(self, key):
        if key in self.keys:
            del self.keys[key]
        self.keys[key] = None

    def oldest(self):
        return next(iter(self.keys), None)
"""
RECENT_SPEC = """\
from harness.spec import SequenceScope

def sequences(scope):
    s = SequenceScope("Recent")
    s.constructor()
    s.method("use", list("abc"[:scope]))
    s.method("oldest")
    s.elements(scope)
    return s
"""
WITHOUT_ORDER = RECENT_SPEC.replace("    return s", '    s.unordered("keys")\n    return s')


@pytest.mark.parametrize(
    ("spec", "scope", "inputs", "states"),
    [(RECENT_SPEC, 2, 16, 5), (RECENT_SPEC, 3, 65, 16), (WITHOUT_ORDER, 2, 13, 4), (WITHOUT_ORDER, 3, 33, 8)],
)
def test_the_order_of_a_dict_tells_states_apart(spec, scope, inputs, states, tmp_path):
    with standing_beside(tmp_path, "recent", RECENT, spec):
        header = api.generate("recent", "beapi", scope).header
    assert (header.inputs, header.valid) == (inputs, states)


@pytest.mark.slow
def test_a_mutant_that_changes_the_order_of_a_dict_dies(tmp_path):
    _, verdicts = judged(tmp_path, "recent", RECENT, RECENT_SPEC, "beapi", [2], operators="mujava")
    assert [verdict for mutant, verdict in verdicts.items() if mutant.startswith("SDL:7:12")] == [Verdict.KILLED]


TAGS = """\
class Tags:
    def __init__(self):
        self.names = set()

    def add(self, name):
        self.names.add(name)
        return len(self.names) > 1

    def first(self):
        return next(iter(ORDERED), None)
"""
TAGS_SPEC = """\
from harness.spec import SequenceScope

def sequences(scope):
    s = SequenceScope("Tags")
    s.constructor()
    s.method("add", ["ab", "cd", "ef"])
    s.method("first")
    s.elements(scope)
    return s
"""


@pytest.mark.slow
@pytest.mark.parametrize("ordered", ["self.names", "sorted(self.names)"])
def test_a_run_says_that_results_depend_on_the_order_of_sets(ordered, tmp_path):
    with standing_beside(tmp_path, "tags", TAGS.replace("ORDERED", ordered), TAGS_SPEC):
        folder = api.run(api.subject_experiment("tags", "beapi", [3]), tmp_path / "run", jobs=1)
    with RunStore.open_existing(folder) as store:
        (trial,) = store.trials.all()
    depends = ["under another hash seed, on tags = Tags()" in notice for notice in trial.notices]
    assert depends == ([True] if ordered == "self.names" else [])
