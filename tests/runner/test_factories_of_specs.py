"""Objects that a spec's functions make by the program are made within steps of their own; `verify` agrees."""

import pytest
from support.own_subject import standing_beside

from harness import api

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
