"""A subject that sequences cannot be made of is reported in one line, with exit status 2 or 1 and no traceback."""

import pytest

IMPL = """
import random, time
class Box:
    def __init__(self, start=0):
        {init}
    def put(self, value):
        {put}
class Abstract:
    def __init__(self):
        raise OSError("no disk")
class Item:
    def __init__(self, value):
        self.value = value
"""
SPEC = """
from harness.spec import SequenceScope
def sequences(scope):
    s = SequenceScope("{root}")
    s.method("{method}", range(scope))
    s.attempts(2000)
    return s
"""
NOT_THE_SAME = "leads to another state when it is executed again: "
CASES = {
    "a routine that does not exist": ("self.held = 0", "pass", "Box", "push", "no such method; correct the name"),
    "a class that does not exist": ("self.held = 0", "pass", "Bag", "put", "'Bag'"),
    "a class that cannot be constructed": ("self.held = 0", "pass", "Abstract", "put", "OSError: no disk"),
    "a counter": ("self.held = 0", "self.held += 1", "Box", "put", "Box.held has the value "),
    "random state": ("self.held = 0", "self.held = random.random()", "Box", "put", f"{NOT_THE_SAME}Box.held is "),
    "time in the state": ("self.held = 0", "self.held = time.perf_counter()", "Box", "put", NOT_THE_SAME),
    "an address in the state": ("self.held = 0", "self.held = id(Item(value))", "Box", "put", NOT_THE_SAME),
    "the order of a set of objects": (
        "self.held, self.order = set(), []",
        "self.held.add(Item(value)); self.order = [item.value for item in self.held]",
        "Box", "put", NOT_THE_SAME,
    ),
    "an endless call": ("self.held = 0", "while True: pass", "Box", "put", "did not return within 1 s"),
    "a failing call": ("self.held = 0", "self.gone", "Box", "put", "AttributeError"),
    "an unhashable member": ("self.held = set()", "self.held.add([value])", "Box", "put", "unhashable type: 'list'"),
    "a file in the state": ("self.held = None", "self.held = open('/dev/null')", "Box", "put", "Box.held holds an obj"),
}  # fmt: skip
OF_RANDOM = ["a class that cannot be constructed", "random state"]
"""What random sequences, which are not explored in rounds, find in ways of their own."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "generator"), [*((name, "beapi") for name in CASES), *((name, "random:500") for name in OF_RANDOM)]
)
def test_it_is_told_in_one_line(name, generator, place):
    init, body, root, method, expected = CASES[name]
    place.subject("box", IMPL.format(init=init, put=body), SPEC.format(root=root, method=method))
    command = ("generate", "box", "--generator", generator, "--scope", 2)
    message = place.refuse(*command, MUTASCOPE_CANDIDATE_SECONDS="1")
    assert expected in message, message
    assert "Traceback" not in message
    assert not list((place.folder / "cache").rglob("states.bin"))


@pytest.mark.slow
def test_the_order_of_a_set_of_texts_is_the_same_everywhere(place):
    body = "self.held.add(str(value)); self.order = list(self.held)"
    place.subject(
        "box", IMPL.format(init="self.held, self.order = set(), []", put=body), SPEC.format(root="Box", method="put")
    )
    command = ("generate", "box", "--generator", "beapi", "--scope", 5, "--json")
    digests = [
        place.succeed(*command, PYTHONHASHSEED=seed, MUTASCOPE_CACHE=str(place.folder / seed)).json["digest"]
        for seed in ("1", "2")
    ]
    assert digests[0] == digests[1]
