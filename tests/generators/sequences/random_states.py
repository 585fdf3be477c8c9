"""Random classes whose methods make every kind of state: sharing and cycles, containers, slots and odd fields. Some of
their objects stand in the module or a class and are compared by identity.
"""

from textwrap import indent

from hypothesis import strategies as st

INITIAL = {
    "n": ("0", "None", "True", "1.0", "'a'", "MISSING", "WORD", "Root.FAR", "Kind.ONE"),
    "link": ("None", "Node(0)", "self", "NIL", "Cell(0)"),
    "held": ("[]", "deque()", "{}", "set()", "()", "[None, 0]", "Pile()"),
}
STATEMENTS = (
    *("self.n = x", "self.n = self.n == x", "self.n = (self.n or 0) and 1.0", "self.n = 'ab'[x]"),
    *("self.link = Node(x)", "self.link = None", "self.link = self", "self.n = kind(x)", "del self.n"),
    *("self.link.link = self.link", "self.link.link = self", "self.link.n = self.n", "self.link.extra = x"),
    *("self.link.link, self.link = self.link, self.link.link", "self.held = self.link", "self.link.n = self.held"),
    *("self.held.append(x)", "self.held.append(self.link)", "self.held.pop()", "self.held[x] = Node(x)"),
    *("self.held[x] = self.link", "del self.held[x]", "self.held = [self.held]", "self.held = list(self.held)"),
    *("self.held = {1 - x: self.link, x: self.n}", "self.held.add(x)", "self.held = (x, self.link)", "self.fresh = x"),
    *("self.held = Pile([x])", "self.held.note = x", "return Node(x)", "return self", "return Root()"),
    *("if x: raise ValueError", "if x: raise KeyError(x)", "self.link.held = self.held"),
    *("self.n = self.n is MISSING", "if self.n is WORD: self.n = x", "self.n = self.n is self.FAR", "self.n = WORD"),
    *("if self.link is NIL: self.link = Node(x)", "self.link = NIL", "self.link = Cell(x)", "self.link.more = NIL"),
)
NOT_NAIVE = frozenset({"return Root()", "self.n = kind(x)", "return self"})
HEADER = """
from collections import deque
from enum import Enum

class Kind(Enum):
    ZERO = 0
    ONE = 1

def kind(x):
    return Kind(x)

class Pile(list):
    pass

class Nil:
    def __setattr__(self, name, value):
        raise TypeError(name)

class Cell:
    def __init__(self, n):
        vars(self)["n"] = n
        vars(self)["link"] = None
    def __setattr__(self, name, value):
        vars(self)[name] = value

NIL = Nil()
MISSING = object()
WORD = "-" * 5000

class Node:
    {slots}
    def __init__(self, n):
        self.n = n
        self.link = None
        self.held = None

class Root:
    FAR = 10.0 ** 9
    def __init__(self):
        {initial}
"""


@st.composite
def programs(draw: st.DrawFn, naive: bool = False) -> str:
    """Draw a module with a class `Root`, whose methods a, b and c take 0 or 1.

    Args: ! naive: whether the naive exploration supports every statement.
    """
    statements = [one for one in STATEMENTS if not naive or one not in NOT_NAIVE]
    initial = [f"self.{name} = {draw(st.sampled_from(values))}" for name, values in INITIAL.items()]
    slots = draw(st.sampled_from(("pass", "__slots__ = ('n', 'link', 'held')")))
    text = HEADER.format(slots=slots, initial="; ".join(initial))
    for name in "abc":
        body = draw(st.lists(st.sampled_from(statements), min_size=1, max_size=3))
        text += indent(f"def {name}(self, x):\n" + indent("\n".join(body), "    ") + "\n", "    ")
    return text
