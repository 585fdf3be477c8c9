"""A small subject that takes lists and other structures as arguments, and returns structures."""

SOURCE = """
class Pile:
    def __init__(self):
        self.items = []

    def push(self, others, most):
        if most < 0:
            raise ValueError(most)
        for item in others:
            self.items.append(item)
        dropped = 0
        while len(self.items) > most:
            self.items.pop()
            dropped += 1
        return dropped

    def join(self, other):
        joined = Pile()
        joined.items = self.items + other.items
        other.items.clear()
        if not self.items:
            return self
        return joined

    def depth(self, left):
        if left <= 0:
            return 0
        return 1 + self.depth(left - 1)
"""

SPEC = """
from harness.spec import Finitization, Structures

def rep_ok(pile):
    return all(type(item) is int for item in pile.items)

def abstraction(pile):
    return tuple(sorted(pile.items))

def _piles(scope):
    f = Finitization("Pile")
    f.set("Pile.items", f.lists(1, lengths=range(scope + 1), elements=range(scope)))
    return f

def finitization(scope):
    f = _piles(scope)
    f.method("push", f.lists(1, lengths=range(scope + 1), elements=range(scope)), range(-1, scope + 1))
    f.method("join", Structures(_piles(scope), rep_ok))
    f.method("depth", (0, 400, 10**6))
    return f
"""
