"""The ways through routines that css finds are those of all sequences, however a class keeps what it holds."""

from itertools import product
from typing import Any

import pytest
from support.sequence_suites import task_of_text

from harness.generators.policies.css.generator import CandidateSequenceSearch
from harness.generators.policies.css.options import Options
from harness.generators.protocol import SequenceTask
from harness.kernel.inputs.routines import Routines
from harness.kernel.inputs.suites import Call
from harness.model.sequence import SequenceScope

Way = tuple[str, str, str]
"""A routine, what it raises, and the text that it returns."""

A, AB = ["a"], ["a", "b"]
LOOK = "    def look(self): return 'some' if len(self.a) > 1 else 'few'\n"
BUFFER = """
    def add(self, i): self.buf[i] = 7
    def look(self): return "some" if self.buf[1] == 7 else "few"
"""


def keeps(assignment: str, methods: str, imports: str = "") -> str:
    """Return the text of a class G whose constructor keeps something."""
    return f"{imports}\nclass G:\n    def __init__(self):\n        {assignment}\n{methods}"


PROGRAMS: dict[str, tuple[str, dict[str, list[Any]], int]] = {
    "defaultdict": (
        keeps(
            "self.d = defaultdict(list)",
            "    def touch(self, k): return 'full' if self.d[k] else 'empty'\n"
            "    def count(self): return 'some' if len(self.d) > 0 else 'none'\n",
            "from collections import defaultdict",
        ),
        {"touch": [AB], "count": []},
        3,
    ),
    "counter": (
        keeps(
            "self.ids = itertools.count()",
            "    def new(self): return 'many' if next(self.ids) > 1 else 'few'",
            "import itertools",
        ),
        {"new": []},
        4,
    ),
    "generator": (
        keeps(
            "self.g = self.walk()",
            "    def walk(self):\n        yield 'a'\n        yield 'b'\n    def new(self): return next(self.g, 'end')",
        ),
        {"new": []},
        4,
    ),
    "method of an iterator": (
        keeps("self.step = iter('ab').__next__", "    def new(self): return self.step()"),
        {"new": []},
        4,
    ),
    "tuples": (
        keeps(
            "self.items, self.n = [], 0",
            "    def add(self, v): self.items.append(v)\n"
            "    def eq(self, o): return 'eq' if (self.items, self.n) == (o.items, o.n) else 'ne'",
        ),
        {"add": [A], "eq": ["G"]},
        4,
    ),
    "nested lists": (
        keeps(
            "self.rows = [[0, 0], [0, 0]]",
            "    def set(self, i, v): self.rows[i][i] = v\n"
            "    def full(self): return 'yes' if self.rows == [[1, 0], [0, 1]] else 'no'",
        ),
        {"set": [range(2), range(2)], "full": []},
        4,
    ),
    "lists given to functions in C": (
        keeps(
            "self.rows = [[0], [0]]",
            "    def set(self, i): self.rows[i][0] = 1\n    def show(self): return json.dumps(self.rows)",
            "import json",
        ),
        {"set": [[0, 1]], "show": []},
        4,
    ),
    "pairs taken apart": (
        keeps(
            "self.pairs = []",
            "    def put(self, k, v):\n"
            "        for pair in self.pairs:\n"
            "            if pair[0] == k:\n"
            "                pair[1] = v\n"
            "                return 'old'\n"
            "        self.pairs.append([k, 0])\n"
            "        return 'new'\n"
            "    def get(self, k):\n"
            "        for key, v in self.pairs:\n"
            "            if key == k and v > 2:\n"
            "                return 'big'\n"
            "        return 'no'",
        ),
        {"put": [A, range(5)], "get": [A]},
        4,
    ),
    "shared list": (
        keeps("self.a = []", "    def share(self, o): self.a = o.a\n    def add(self, v): self.a += [v]\n" + LOOK),
        {"share": ["G"], "add": [A], "look": []},
        4,
    ),
    "list of two names": (
        keeps("self.a = self.b = []", "    def add(self, v): self.b += [v]\n" + LOOK),
        {"add": [A], "look": []},
        4,
    ),
    "list of a name and an element": (
        keeps("self.a = []; self.rows = [self.a]", "    def add(self, v): self.rows[0] += [v]\n" + LOOK),
        {"add": [A], "look": []},
        4,
    ),
    "bound method": (
        keeps("self.a = []; self.push = self.a.append", "    def add(self, v): self.push(v)\n" + LOOK),
        {"add": [A], "look": []},
        4,
    ),
    "closures of one variable": (
        keeps(
            "n = 0\n"
            "        def step():\n            nonlocal n\n            n += 1\n"
            "        self.step, self.at = step, lambda: n",
            "    def go(self): self.step()\n    def look(self): return 'two' if self.at() > 1 else 'few'",
        ),
        {"go": [], "look": []},
        4,
    ),
    "lists in a dict": (
        keeps(
            "self.d = {}",
            "    def add(self, k): self.d.setdefault(k, []).append(1)\n"
            "    def has(self, k): return 'two' if self.d.get(k) == [1, 1] else 'no'\n"
            "    def flat(self): return 'three' if sum(self.d.values(), []) == [1, 1, 1] else 'other'",
        ),
        {"add": [A], "has": [A], "flat": []},
        5,
    ),
    "object of a dataclass in a list": (
        keeps(
            "self.a = [Point(0)]",
            "    def move(self): self.a[0].x += 1\n    def has(self): return 'in' if Point(2) in self.a else 'out'",
            "from dataclasses import dataclass\n@dataclass\nclass Point:\n    x: int",
        ),
        {"move": [], "has": []},
        4,
    ),
    "counts and an order": (
        keeps(
            "self.c, self.o = Counter(), OrderedDict()",
            "    def add(self, v):\n        self.c[v] += 1\n        self.o[v] = 1\n        self.o.move_to_end(v)\n"
            "    def most(self): return self.c.most_common(1)[0][0] if self.c else 'none'\n"
            "    def first(self): return next(iter(self.o), 'none')",
            "from collections import Counter, OrderedDict",
        ),
        {"add": [AB], "most": [], "first": []},
        3,
    ),
    "class derived from list": (
        "class G(list):\n    def push(self, v): self.append(v)\n"
        "    def top(self): return 'a' if self and self[-1] == 'a' else 'b'\n"
        "    def count(self): return 'two' if len(self) > 1 else 'few'",
        {"push": [AB], "top": [], "count": []},
        4,
    ),
    "class derived from dict": (
        "class G(dict):\n    def push(self, v): self[v] = 1\n"
        "    def __missing__(self, k):\n        self[k] = 0\n        return 0\n"
        "    def ask(self, k): return 'zero' if self[k] == 0 else 'one'\n"
        "    def count(self): return 'two' if len(self) > 1 else 'few'",
        {"push": [AB], "ask": [AB], "count": []},
        4,
    ),
    "property kept once": (
        keeps(
            "self.n = 0",
            "    @cached_property\n    def total(self): return self.n + 1\n"
            "    def add(self): self.n += 1\n"
            "    def look(self): return 'stale' if self.total != self.n + 1 else 'fresh'",
            "from functools import cached_property",
        ),
        {"add": [], "look": []},
        4,
    ),
    "bytearray": (keeps("self.buf = bytearray(2)", BUFFER), {"add": [[0, 5, 1]], "look": []}, 3),
    "file in memory": (
        keeps(
            "self.buf = io.StringIO()",
            "    def add(self, s): self.buf.write(s)\n"
            "    def look(self): return 'some' if self.buf.getvalue() == 'aa' else 'few'",
            "import io",
        ),
        {"add": [A], "look": []},
        4,
    ),
    "object of an imported class": (
        keeps(
            "self.u = UserDict()",
            "    def add(self, k): self.u[k] = 1\n    def look(self): return 'some' if 'a' in self.u else 'few'",
            "from collections import UserDict",
        ),
        {"add": [A], "look": []},
        3,
    ),
}

USES = {
    "added in place": "p += self\n        return 'zero' if p == 0 else 'object'",
    "entered": "with p as q:\n            return 'in'",
    "summed": "return 'x' if sum([p, self], 0) == 0 else 'y'",
    "rounded": "return 'r' if round(p) == 3 else 'n'",
    "shown": "return ','.join(map(str, [p]))",
    "compared in a tuple": "return 'k' if (p, 1) == (self, 1) else 'n'",
}
USED = """
class V:
    def __init__(self): self.x = 0
    def __add__(self, o): return self
    def __radd__(self, o): return 0
    def __iadd__(self, o): return self
    def __enter__(self): return self
    def __exit__(self, *a): return None
    def __str__(self): return "V"
    def __repr__(self): return "R"
    def __round__(self): return 3
    def do(self, p):
        if self is None: return ""
"""


def ways_of_css(task: SequenceTask, options: str) -> set[Way]:
    search = CandidateSequenceSearch(Options.read("css", options) if options else None)
    return {
        way(path.calls[-1].call.name, path.outcome.raised, path.outcome.result) for path in search.explore(task).paths()
    }


def ways_of_all(task: SequenceTask, most_calls: int) -> set[Way]:
    """Return the ways of all sequences of concrete values, each started from scratch, so that no state is shared."""
    routines, ways = Routines(task.module, task.bounds), set()
    work: list[list[Call]] = [[]]
    while work:
        calls = work.pop()
        results: list[Any] = []
        raised = ""
        for call in calls:
            ready = routines.ready(call, results)
            try:
                results.append(ready.function(*ready.passed))
            except Exception as error:
                raised = type(error).__qualname__
        if calls:
            name = task.bounds.routines[calls[-1].target].name
            ways.add(way(name, raised, None if raised else results[-1]))
        if not raised and len(calls) < most_calls:
            work += [[*calls, call] for call in calls_behind(task.bounds, results)]
    return ways


def calls_behind(bounds: SequenceScope, results: list[Any]) -> list[Call]:
    last_calls = []
    for target, routine in enumerate(bounds.routines):
        options = [[at for at, one in enumerate(results) if type(one).__name__ == bounds.root]]
        for p in routine.parameters:
            earlier = [at for at, one in enumerate(results) if type(one).__name__ in p.earlier]
            options.append([*range(len(p.values)), *(len(p.values) + at for at in earlier)])
        last_calls += [Call(target, given) for given in product(*options[not routine.has_receiver :])]
    return last_calls


def way(name: str, raised: str, result: object) -> Way:
    return name, raised, result if isinstance(result, str) else ""


def check(text: str, bounds: SequenceScope, most_calls: int, options: str = "") -> None:
    task = task_of_text(text, bounds, most_calls - 1)
    assert ways_of_css(task, options) == ways_of_all(task, most_calls)


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_way_is_lost(name):
    text, methods, most_calls = PROGRAMS[name]
    bounds = SequenceScope("G")
    for method, domains in methods.items():
        bounds.method(method, *(bounds.earlier("G") if one == "G" else one for one in domains))
    check(text, bounds, most_calls)


@pytest.mark.parametrize("name", USES)
def test_a_reference_does_what_its_object_would(name):
    bounds = SequenceScope("V")
    bounds.method("do", ([None], bounds.earlier("V")))
    check(f"{USED}        {USES[name]}\n", bounds, 3, "heap=reasoning")


@pytest.mark.parametrize("options", ["", "heap=reasoning"])
def test_the_only_object_that_fits_is_passed(options):
    text = (
        "class Cell:\n    def __init__(self, v): self.v = v\n"
        "class Box:\n    def __init__(self): self.c = None\n"
        "    def put(self, c): self.c = c\n"
        "    def big(self): return 'none' if self.c is None else 'big' if self.c.v > 1 else 'small'\n"
    )
    bounds = SequenceScope("Box")
    bounds.constructor(range(3), name="Cell")
    bounds.constructor(name="Box")
    bounds.method("put", bounds.earlier("Cell"))
    bounds.method("big")
    check(text, bounds, 4, options)
