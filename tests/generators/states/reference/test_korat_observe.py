"""Every access is observed and every write undone, for all styles of classes and predicates."""

import copy
from dataclasses import asdict

import pytest
from generator_samples import Sample, check_against_brute_force, module
from random_samples import RANDOM_SOURCE

from harness.errors import SpecError
from harness.generators.states.reference.search import KoratSearch
from harness.kernel.inputs.state_space import StateSpace
from harness.model.finitization import Finitization

PLAIN = """
class P:
    def __init__(self):
        self.a = None
        self.b = None
class N:
    def __init__(self, v=0, n=None):
        self.v = v
        self.n = n
"""
STYLES = {
    "plain": PLAIN,
    "slots": """\
class P:
    __slots__ = ('a', 'b')
class N:
    __slots__ = ('v', 'n')
""",
    "slots and dict": """\
class Q:
    __slots__ = ('a',)
class P(Q):
    pass
class N(Q):
    __slots__ = ('v', '__dict__')
""",
    "class defaults": """\
class P:
    a = 1
    b = None
class N:
    v: int = 1
    n: object = None
""",
    "inherited": """\
class Base:
    v = a = 1
class Middle(Base):
    n = b = None
class P(Middle):
    pass
class N(Middle):
    pass
""",
    "dataclass": """\
from dataclasses import dataclass
from typing import Any
@dataclass
class P:
    a: Any
    b: Any = None
@dataclass(order=True)
class N:
    v: Any = 1
    n: Any = None
""",
    "frozen slots": """\
from dataclasses import dataclass
from typing import Any
@dataclass(frozen=True, slots=True)
class P:
    a: Any
    b: Any
@dataclass(frozen=True, slots=True)
class N:
    v: Any
    n: Any
""",
    "own getattr": PLAIN
    + """\
    def __getattr__(self, name):
        if name == 'twice':
            return [self.v, self.v]
        raise AttributeError(name)
""",
    "own getattr and slots": """\
class P:
    __slots__ = ('a', 'b')
    def __getattr__(self, name):
        if name[0] == '_':
            raise AttributeError(name)
        return name
class N:
    __slots__ = ('v', 'n')
    def __getattr__(self, name):
        raise AttributeError(name)
""",
    "own setattr": PLAIN
    + """\
    def __setattr__(self, name, value):
        self.__dict__[name] = value
    def __delattr__(self, name):
        del self.__dict__[name]
""",
    "own getattribute": PLAIN
    + """\
    def __getattribute__(self, name):
        return object.__getattribute__(self, name)
""",
    "metaclass": """\
from abc import ABC
class P(ABC):
    pass
class N(ABC):
    pass
""",
}


def _reads(p):
    return p.a == 1 and p.b is not None and (p.b.n is None or p.b.n.v > p.b.v)


def _reads_by_name(p):
    return all(hasattr(p, name) for name in "ab") and getattr(p.b, "v", 1) == 1 and not hasattr(p.b, "none_such")


def _reads_twice_after_writing(p):
    before = p.a
    p.a = 7
    if p.b is not None:
        p.b.v = p.b.n
        p.b.extra = 1
    return before == 1 and p.a == 7 and (p.b is None or p.b.v is None)


def _deletes(p):
    del p.a
    return not hasattr(p, "a") and p.b is None


def _writes_without_reading(p):
    p.b = 3
    return p.b == 3 and p.a == 0


def _compares(p):
    return p.b == p.b and p.b is not None and p.b != p.b.n and p.a == 1


def _vars(p):
    return vars(p) == {"a": 1, "b": p.b}


def _writes_to_vars(p):
    vars(p)["c"] = vars(p).pop("a")
    return "a" not in p.__dict__ and p.c == 1 and not hasattr(p, "a")


def _replaces_dict(p):
    p.__dict__ = {"a": 2}
    return p.a == 2 and not hasattr(p, "b")


def _copies(p):
    twin = copy.copy(p)
    twin.a = 5
    return p.a == 1 and twin.b is p.b and twin.a == 5


def _copies_deeply(p):
    twin = copy.deepcopy(p)
    return twin.b is not p.b and (twin.b.n is None or twin.b.n is twin.b) and twin.a == p.a


def _makes_its_own(p):
    if p.b is None:
        return False
    own = type(p.b)(p.a, p.b)
    own.n.v, own.v = own.v, 9
    return own.v == 9 and p.b.v == 1 and own.n is p.b


def _matches(p):
    match p:
        case object(a=1, b=object(n=None)):
            return True
    return False


EVERYWHERE = (_reads, _reads_by_name, _compares, _copies_deeply, _matches)
WRITING = (_reads_twice_after_writing, _deletes, _writes_without_reading, _copies)
CASES = [(style, rep_ok) for style in STYLES for rep_ok in EVERYWHERE]
CASES += [(style, rep_ok) for style in STYLES if "slots" not in style for rep_ok in (*WRITING, _vars, _writes_to_vars)]
CASES += [("plain", _replaces_dict), ("plain", _makes_its_own), ("own setattr", _makes_its_own)]
CASES += [("dataclass", _makes_its_own), ("slots", _deletes), ("slots", _writes_without_reading)]
CASES += [("dataclass", lambda p: p.b is not None and p.b.n is not p.b and asdict(p)["b"]["v"] == 1)]


def _finitization() -> Finitization:
    f = Finitization("P")
    nodes = f.objects("N", 2)
    f.set("P.a", range(2))
    f.set("P.b", None, nodes)
    f.set("N.v", range(2))
    f.set("N.n", None, nodes)
    return f


@pytest.mark.parametrize(("style", "rep_ok"), CASES)
def test_every_style_of_class_and_predicate_is_observed(style, rep_ok):
    def survives(p):
        try:
            return rep_ok(p)
        except (AttributeError, RecursionError):
            return False

    sample = Sample(style, STYLES[style], _finitization, survives)
    check_against_brute_force(sample)


def test_fields_that_are_not_read_prune_the_search_in_every_style():
    for style, source in STYLES.items():
        search = KoratSearch(StateSpace(_finitization()), module(source), lambda p: p.a == 1 and p.b is None)
        assert (len(list(search)), search.explored) == (1, 3), style


def test_attributes_that_a_classes_new_sets_are_kept_and_its_fields_are_not():
    source = """
class P:
    def __new__(cls):
        self = object.__new__(cls)
        self.log = []
        self.a = 9
        return self
class N:
    pass
"""

    def rep_ok(p):
        log = p.log
        p.log = None
        return log == [] and p.a == 1 and p.b is None

    sample = Sample("new", source, _finitization, rep_ok)
    check_against_brute_force(sample)


def test_instances_of_the_predicates_own_are_left_alone_while_the_search_runs():
    code = module(RANDOM_SOURCE)
    f = Finitization("R")
    f.set("R.p", 0)
    f.set("R.q", f.objects("A", 1))
    f.set("A.x", 0)
    f.set("A.y", 0)
    running = iter(KoratSearch(StateSpace(f), code, lambda root: True))
    next(running)
    own = code.A()
    assert (own.x, code.A.x, hasattr(own, "y"), vars(own)) == (5, 5, False, {})
    with pytest.raises(AttributeError, match="type object 'A' has no attribute 'y'"):
        _ = code.A.y
    own.y = 1
    assert vars(copy.copy(own)) == {"y": 1}
    del own.y
    assert vars(own) == {}


def test_a_method_of_a_fields_name_stays_one_for_the_predicates_own_instances():
    code = module("class P:\n    def a(self):\n        return self.b\n")
    f = Finitization("P")
    f.set("P.a", range(2))
    f.set("P.b", range(2))

    def rep_ok(p):
        own = type(p)()
        own.b = p.b
        return own.a() == 1 and type(p).a(own) == 1 and p.a == 0

    assert list(KoratSearch(StateSpace(f), code, rep_ok)) == [(0, 1)]


@pytest.mark.parametrize(
    ("source", "root", "message"),
    [
        (
            "class P:\n    a = property(lambda self: 1, lambda self, value: None)\n",
            "P",
            "P.a is a property, not a stored field",
        ),
        ("from collections import deque\n", "deque", "deque is not written in Python"),
        (
            "class P(tuple):\n    def __new__(cls, size):\n        pass\n",
            "P",
            "objects of class P are made with what they hold, as each is a tuple",
        ),
    ],
    ids=["property", "in C", "tuple"],
)
def test_a_class_whose_fields_cannot_be_set_is_an_error(source, root, message):
    f = Finitization(root)
    if "tuple" not in source:
        f.set(f"{root}.a", 0)
    with pytest.raises(SpecError, match=message):
        list(KoratSearch(StateSpace(f), module(source), lambda p: True))
