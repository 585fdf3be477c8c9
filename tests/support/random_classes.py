"""Random classes with their specs, as a new user could write them: every kind of field, method and argument."""

from collections.abc import Callable
from dataclasses import dataclass, field

from hypothesis import strategies as st

Draw = Callable[[st.SearchStrategy[str]], str]


@dataclass(frozen=True)
class Kind:
    """A kind of field: `{n}` stands for its name, `s` for the state in conditions, `scope` for the scope."""

    domain: str
    kept_value: str
    """A condition that every method keeps."""
    conditions: tuple[str, ...]
    bodies: tuple[str, ...]
    """Of methods of one argument `x`."""
    initial: str


KINDS: dict[str, Kind] = {
    "number": Kind(
        "range(scope + 1)",
        "s.{n} > -9",
        ("s.{n} >= 0", "s.{n} != 1", "s.{n} in (0, 1, 2)"),
        (
            "self.{n} += x\nreturn self.{n}",
            "if x > self.{n}:\n    self.{n} = x\n    return True\nreturn False",
            "return self.{n} * 2 - x",
        ),
        "0",
    ),
    "text": Kind(
        "None, 'a', 'bc'",
        "s.{n} is None or 'z' not in s.{n}",
        ("s.{n} is None or len(s.{n}) < 3", "s.{n} != 'a'"),
        ("before = self.{n}\nself.{n} = 'a' * x if x else None\nreturn before", "return (self.{n} or '') + str(x)"),
        "None",
    ),
    "numbers": Kind(
        "f.lists(1, lengths=range(scope + 1), elements=range(2))",
        "None not in s.{n}",
        ("len(s.{n}) < 3", "sum(s.{n}) < 2", "s.{n} == sorted(s.{n})"),
        (
            "self.{n}.append(x)\nreturn len(self.{n})",
            "while x in self.{n}:\n    self.{n}.remove(x)\nreturn self.{n}",
            "return self.{n}[x]",
        ),
        "[]",
    ),
    "set": Kind(
        "f.sets(1, members=range(scope))",
        "-1 not in s.{n}",
        ("len(s.{n}) < 3", "0 not in s.{n} or 1 in s.{n}"),
        (
            "if x in self.{n}:\n    return False\nself.{n}.add(x)\nreturn True",
            "self.{n}.discard(x)\nreturn max(self.{n}, default=-1)",
        ),
        "set()",
    ),
    "dict": Kind(
        "f.dicts(1, keys=['k', 0], values=[None, 1])",
        "'z' not in s.{n}",
        ("all(key in ('k', 0) for key in s.{n})", "s.{n}.get('k') is None or 0 in s.{n}"),
        (
            "self.{n}[x] = self.{n}.get(x, 0)\nreturn len(self.{n})",
            "if x in self.{n}:\n    del self.{n}[x]\nreturn sorted(map(str, self.{n}))",
        ),
        "{{}}",
    ),
    "deque": Kind(
        "f.deques(1, lengths=range(min(scope, 3) + 1), elements=range(2), maxlen=3)",
        "len(s.{n}) <= 3",
        ("len(s.{n}) <= 3", "not s.{n} or s.{n}[0] < 2"),
        (
            "self.{n}.append(x)\nreturn self.{n}[0]",
            "self.{n}.rotate(x)\nreturn tuple(self.{n})",
            "return self.{n}.popleft() - x",
        ),
        "deque(maxlen=3)",
    ),
    "tuple": Kind(
        "f.tuples(lengths=[0, 2], elements=range(2))",
        "len(s.{n}) in (0, 2)",
        ("len(s.{n}) in (0, 2)", "s.{n} != (1, 0)"),
        ("self.{n} = (x, x + 1)\nreturn self.{n}", "return self.{n} + (x,)"),
        "()",
    ),
    "lock": Kind(
        "f.opaque(threading.Lock)", "True", ("True",), ("with self.{n}:\n    return x + 1",), "threading.Lock()"
    ),
    "node": Kind(
        "None, nodes",
        "s.{n} is None or s.{n}.value >= 0",
        ("s.{n} is None or s.{n}.next is not s.{n}",),
        (
            "node = self.{n}\nsteps = 0\nwhile node is not None and steps < x:\n    node = node.next\n    steps += 1\n"
            "return steps",
            "self.{n} = Node(x, self.{n})\nreturn self.{n}.value",
        ),
        "None",
    ),
    "nodes": Kind(
        "f.dicts(1, keys=range(scope), values=nodes)",
        "all(node.value >= 0 for node in s.{n}.values())",
        ("all(node.value < 2 for node in s.{n}.values())", "len(s.{n}) < 2"),
        (
            "if x in self.{n}:\n    return self.{n}[x].value\nself.{n}[x] = Node(x, None)\nreturn None",
            "for node in self.{n}.values():\n    node.value += x\nreturn len(self.{n})",
        ),
        "{{}}",
    ),
    "pair": Kind(
        "f.objects('Pair', 1)",
        "s.{n}.left >= 0",
        ("s.{n}.left <= s.{n}.right", "s.{n}.left != 1"),
        ("self.{n}.left, self.{n}.right = self.{n}.right, x\nreturn self.{n}.left",),
        "Pair(0, 0)",
    ),
}
"""Each by a word for it."""

HOLDERS = {
    "object": ("", "", ("True",), ("return x",)),
    "list": (
        "list",
        "f.contents('Box', lengths=range(scope + 1), elements=range(2))",
        ("len(s) < 3", "True"),
        ("self.append(x)\nreturn len(self)", "self.reverse()\nreturn self[x]"),
    ),
    "dict": (
        "dict",
        "f.contents('Box', keys=range(scope), values=[None, 1])",
        ("True", "s.get(0) is None"),
        ("self[x] = x\nreturn len(self)", "return self.pop(x)"),
    ),
}
"""What the root's class derives from: base, contents, conditions, methods."""

PREAMBLE = """import threading
from collections import deque


class Node:
    def __init__(self, value, next):
        self.value = value
        self.next = next


class Pair:
    __slots__ = ("left", "right")

    def __new__(cls, left, right):
        self = object.__new__(cls)
        self.left = left
        self.right = right
        return self
"""


@dataclass(frozen=True)
class RandomClass:
    """A class `Box` and its spec, as texts."""

    implementation: str
    spec: str
    kinds: frozenset[str] = field(default_factory=frozenset)


@st.composite
def random_classes(draw: st.DrawFn, keeps_objects: bool = False) -> RandomClass:
    """Draw a class with up to three fields and methods, and its spec; `keeps_objects`: the class keeps its rep_ok."""
    names = [f"f{at}" for at in range(draw(st.integers(0, 3)))]
    kinds = {name: draw(st.sampled_from(sorted(KINDS))) for name in names}
    holder = draw(st.sampled_from(["object", "object", "list", "dict"] if kinds else ["list", "dict"]))
    base, contents, own_conditions, own_bodies = HOLDERS[holder]
    conditions = ["s is not None" if keeps_objects else draw(st.sampled_from(own_conditions))]
    for name, kind in kinds.items():
        chosen_one = KINDS[kind].kept_value if keeps_objects else draw(st.sampled_from(KINDS[kind].conditions))
        conditions.append(chosen_one.format(n=name))
    bodies = [(n, body) for n, kind in kinds.items() for body in KINDS[kind].bodies]
    bodies += [("", body) for body in own_bodies]
    chosen = draw(st.lists(st.sampled_from(bodies), min_size=1, max_size=3, unique=True))
    methods, targets = [], []
    for at, (name, body) in enumerate(chosen):
        keyword = draw(st.booleans())
        methods.append(f"    def m{at}(self, {'*, ' if keyword else ''}x=0):\n" + _indented(body.format(n=name), 8))
        targets.append(f"    f.method('m{at}', {'x=' if keyword else ''}range(scope))\n")
    if keeps_objects or draw(st.booleans()):  # there is something to mutate in it
        methods.append(
            "    def all(self, others):\n        others.reverse()\n        return sum(others) + len(others)\n"
        )
        targets.append("    f.method('all', f.fixed([1, 0, 2]))\n")
    initial = [f"        self.{n} = {KINDS[kind].initial.format()}\n" for n, kind in kinds.items()]
    source = (
        f"{PREAMBLE}\n\nclass Box({base}):\n    def __init__(self):\n" + ("".join(initial) or "        pass\n") + "\n"
    )
    fields = [f"    f.set('Box.{n}', {KINDS[kind].domain})\n" for n, kind in kinds.items()]
    nodes = (
        "    nodes = f.objects('Node', scope)\n    f.set('Node.value', range(2))\n    f.set('Node.next', None, nodes)\n"
    )
    spec = (
        "import threading\nfrom harness.spec import Finitization\n\n\n"
        f"def rep_ok(s):\n    return {' and '.join(f'({one})' for one in conditions)}\n\n\n"
        "def finitization(scope):\n    f = Finitization('Box')\n"
        + nodes * any(kind in ("node", "nodes") for kind in kinds.values())
        + (f"    {contents}\n" if contents else "")
        + "".join(fields)
        + "    f.set('Pair.left', range(2))\n    f.set('Pair.right', range(2))\n" * ("pair" in kinds.values())
        + "".join(targets)
        + "    return f\n"
    )
    return RandomClass(source + "\n".join(methods), spec, frozenset([*kinds.values(), holder]))


def _indented(text: str, by: int) -> str:
    return "".join(f"{' ' * by}{line}\n" for line in text.split("\n"))
