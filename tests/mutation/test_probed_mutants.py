"""Inputs on which nothing is infected cannot kill, and probing changes nothing: on random programs and on traps."""

import ast
import random
import warnings
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutated_programs import RUNS, programs
from support.subjects import load_subject
from support.sweeps import examples

from harness.kernel.objects.equality import NotCanonical, concrete
from harness.kernel.program.loader import ModuleText, StepLimit, execute, execute_with_ticks, step_counter
from harness.kernel.program.splice import mutated_source
from harness.kernel.running.probing import PROBE, Prober
from harness.model.outcome import Location, Mutant
from harness.mutation.mutate import mutate
from harness.mutation.operator_sets import operator_set, operators_of
from harness.mutation.probes import probed
from harness.mutation.program import TypeProfile
from harness.runner.mutant_set import mutant_set

PROFILE = TypeProfile(variables={"Machine.run": {"x": frozenset({"int"}), "y": frozenset({"int"})}})

Arguments = tuple[int, ...]


def seen(module, arguments: Arguments) -> object:
    """Return the behaviour of a call of `start`: its outcome, its arguments afterwards, and the module's `log`."""
    items, log = [3, 1, 2], getattr(module, "log", None)
    if log is not None:
        log.clear()
    try:
        outcome = "returned", concrete(module.start(items, *arguments))
    except NotCanonical:
        outcome = "returned", b"a list within itself"
    except (Exception, StepLimit) as error:
        outcome = "raised", type(error).__name__.encode()
    try:
        return outcome, concrete(items, log)
    except NotCanonical:
        return outcome, b"a list within itself"


def behaviour(source: str, arguments: Arguments) -> object:
    counter = step_counter()
    counter.start(1000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        try:
            module = execute_with_ticks(ModuleText("impl", source, "impl.py"), counter)
        except Exception as error:
            return "does not load", type(error).__name__
    counter.start(1000)
    return seen(module, arguments), counter.spent()


def probes(source: str, mutants: Sequence[Mutant], arguments: Arguments) -> tuple[object, set[str], set[str]]:
    """Return the behaviour of the probed original, the mutants that were reached, and those that may be infected."""
    probed_module = probed(source, mutants, notes_depth=True)
    prober = Prober(probed_module.sites)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        module = execute(ModuleText("impl", probed_module.text, "impl.py"), presets=prober.presets)
    loading = prober.take()
    did = seen(module, arguments)
    now = prober.take()
    reached = now[0] | loading[0]
    infected = (now[0] & now[1]) | (loading[0] & loading[1])
    named = [{m.id for n, m in enumerate(mutants) if bits >> n & 1} for bits in (reached, infected)]
    return did, named[0], named[1]


def check(source: str, mutants: Sequence[Mutant], arguments: Arguments) -> int:
    """Return how many of the mutants the input kills; all of them must be infected."""
    original = behaviour(source, arguments)
    assert isinstance(original[0], tuple)
    if original[0][0] == ("raised", b"StepLimit"):
        return 0  # there is no such original: it would not return
    did, reached, infected = probes(source, mutants, arguments)
    assert did == original[0], "probing was noticed"
    assert infected <= reached
    killed = {m.id for m in mutants if behaviour(mutated_source(source, m), arguments) != original}
    assert killed <= infected, sorted(killed - infected)
    return len(killed)


@pytest.mark.slow
@given(st.sampled_from(["extended", "mujava"]), programs, st.integers(0, 2**32))
@settings(derandomize=True, max_examples=examples(60), deadline=None)
def test_no_mutant_of_a_random_program_is_killed_by_an_input_that_does_not_infect_it(operators, program, seed):
    source = program + "\ndef start(items, i, j):\n    m = Machine(2, 3)\n    return m.run(i, j, items, Node()), m\n"
    chance = random.Random(seed)
    derived = mutate(source, RUNS, PROFILE, operators_of(operator_set(operators)))
    mutants = chance.sample(derived, min(len(derived), 12))
    check(source, mutants, (chance.randrange(4), chance.randrange(4)))


def mutant(source: str, old: str, new: str) -> Mutant:
    """Return the mutant that has `new` for `old`, which stands between guillemets in `source`."""
    before, _, _ = source.partition(f"«{old}»")
    assert len(before) < len(source), old
    before = before.replace("«", "").replace("»", "")
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n") - 1
    end_line, end_column = line + old.count("\n"), column + len(old)
    return Mutant(f"X:{line}:{column}:{new}", "X", "f", Location(line, column, end_line, end_column), old, new, "")


TRAPS = {
    "the original raises where the mutant does not": (
        "def start(items, i):\n    return «items[i]»\n",
        [("items[i]", "items[i - 1]"), ("items[i]", "items[0]")],
    ),
    "the original raises and catches it": (
        "def start(items, i):\n    for n in range(2):\n        try:\n            i += «items[i]»\n"
        "        except IndexError:\n            i = 0\n    return i\n",
        [("items[i]", "items[-1]"), ("items[i]", "items[n]")],
    ),
    "a property counts its readers": (
        "log = []\nclass C:\n    @property\n"
        "    def size(self):\n        log.append(1)\n        return 1\n    other = 1\n"
        "def start(items, i):\n    c = C()\n    return «c.other» + i\n",
        [("c.other", "c.size")],
    ),
    "an attribute made on demand": (
        "class C:\n    def __getattr__(self, name):\n        self.made = 1\n        return 0\n"
        "def start(items, i):\n    c = C()\n    c.a = 0\n    n = «c.a»\n    return n, c\n",
        [("c.a", "c.b")],
    ),
    "an operator with an effect": (
        "class C:\n    n = 0\n    def __add__(self, other):\n        self.n = self.n + 1\n        return 5\n"
        "    def __sub__(self, other):\n        self.n = self.n + 2\n        return 5\n"
        "def start(items, i):\n    c = C()\n    n = «c + i»\n    return n, c\n",
        [("c + i", "c - i")],
    ),
    "a read that adds a key": (
        "from collections import defaultdict\ndef start(items, i):\n    d = defaultdict(int)\n    d[0] = 0\n"
        "    n = «d[0]»\n    return n, dict(d)\n",
        [("d[0]", "d[i]")],
    ),
    "an assignment within an expression": (
        "def start(items, i):\n    n = 7\n    if «(n := i) >= 0»:\n        return n\n    return -n\n",
        [("(n := i) >= 0", "(n := 1) >= 0"), ("(n := i) >= 0", "n >= 0")],
    ),
    "an iterator is used up": (
        "def start(items, i):\n    it = iter(items)\n    found = «i in items»\n    return found, list(it)\n",
        [("i in items", "i in it")],
    ),
    "showing a value has an effect": (
        "log = []\nclass C:\n    def __str__(self):\n        log.append(1)\n        return 'c'\n"
        "def start(items, i):\n    c = C()\n    s = 'c'\n    return «s» + str(i)\n",
        [("s", "('%s' % c)")],
    ),
    "a parameter named as a builtin": (
        "log = []\ndef note(x, y):\n    log.append(x)\n    return x\n"
        "def f(max, i):\n    return «i» + 1\ndef start(items, i):\n    return f(note, i)\n",
        [("i", "max(i, 0)"), ("i", "max(i, i)")],
    ),
    "comprehensions, lambdas and closures": (
        "def start(items, i):\n    k = 2\n    def add(x):\n        nonlocal k\n        k = k + «x»\n        return k\n"
        "    return [add(x) for x in items if «x > i»], (lambda y: «y + k»)(i)\n",
        [("x", "i"), ("x > i", "x >= i"), ("x > i", "x < k"), ("y + k", "y - k"), ("y + k", "y * k")],
    ),
    "a generator that is left early": (
        "def numbers(items):\n    for x in items:\n        yield «x + 1»\n"
        "def start(items, i):\n    g = numbers(items)\n    return [next(g) for _ in range(min(i, 3))]\n",
        [("x + 1", "x - 1"), ("x + 1", "x or 1")],
    ),
    "a generator that is advanced within its own element": (
        "def numbers(items):\n    for x in items:\n        yield «items[x]»\n"
        "def start(items, i):\n    out = []\n    for n in numbers(items):\n        out.append(n)\n    return out\n",
        [("items[x]", "items[-x]"), ("items[x]", "items[0]")],
    ),
    "an augmented attribute": (
        "class C:\n    n = 1\ndef start(items, i):\n    c = C()\n    «c.n += i»\n    return c\n",
        [("c.n += i", "c.n -= i"), ("c.n += i", "c.n *= i")],
    ),
    "recursion through the mutated place": (
        "def f(n):\n    if «n <= 0»:\n        return 0\n"
        "    return n + f(«n - 1»)\ndef start(items, i):\n    return f(i)\n",
        [("n <= 0", "n < 1"), ("n <= 0", "n == 1"), ("n - 1", "n - 2"), ("n - 1", "n // 2")],
    ),
    "a call within the mutated place raises": (
        "def f(n):\n    if n > 1:\n        raise ValueError(n)\n    return n\n"
        "def start(items, i):\n    try:\n        return «f(i) + i»\n    except ValueError:\n        return 9\n",
        [("f(i) + i", "i + i"), ("f(i) + i", "f(0) + i")],
    ),
    "small and large numbers": (
        "def start(items, i):\n    n = i * 1000\n    return «n» is n\n",
        [("n", "(n - 0)"), ("n", "i * 1000")],
    ),
    "equal but of another type": (
        "def start(items, i):\n    return «i» + 0, [«i == 1»]\n",
        [("i", "(i == 1)"), ("i == 1", "i"), ("i == 1", "i / 1")],
    ),
    "a variant raises": (
        "def start(items, i):\n    return «i» + 1\n",
        [("i", "(i // 0)"), ("i", "unknown"), ("i", "(i and i // i)")],
    ),
    "a variable that is not there yet": (
        "def start(items, i):\n    if i > 0:\n        k = i\n    n = «i»\n    k = n\n    return k\n",
        [("i", "k")],
    ),
    "what is done on loading": (
        "class C:\n    least = «1 + 1»\n    def f(self, n=«2 * 1»):\n        return n + self.least\n"
        "def start(items, i):\n    return C().f() + i\n",
        [("1 + 1", "1 - 1"), ("2 * 1", "2 + 1")],
    ),
    "a mutated statement": (
        "def start(items, i):\n    if i > 1:\n        «items.append(i)»\n    «i = i + 1»\n    return i\n",
        [("items.append(i)", "items.append(1)"), ("i = i + 1", "items[0] = i + 1")],
    ),
    "short circuits": (
        "def start(items, i):\n    return «i > 0» and «items[i - 1] > 1» or i\n",
        [("i > 0", "i >= 0"), ("items[i - 1] > 1", "items[i] > 1"), ("items[i - 1] > 1", "items[i - 1] >= 1")],
    ),
    "an operand of a condition": (
        "def start(items, i):\n    n = 0\n    while «n» < i and items[«n + 0»] > 0:\n        n = n + 1\n"
        "    if not («i - 1» or n):\n        n = 9\n    return n if «n * 2» > 2 or «i» else -n\n",
        [
            ("n", "(n + 1)"),
            ("n", "i"),
            ("n + 0", "n + 1"),
            ("i - 1", "i"),
            ("n * 2", "n"),
            ("i", "(i - 1)"),
            ("i", "n"),
        ],
    ),
    "an operand that is asked for more than its truth": (
        "def start(items, i):\n    n = «i» or 7\n    m = «i» and items\n    return n, m, not «i»\n",
        [("i", "(i - 1)"), ("i", "(i + 1)"), ("i", "(i * 2)"), ("i", "[]")],
    ),
    "the original raises before it comes to the operand": (
        "def start(items, i):\n    for n in range(2):\n        try:\n            if items[i] > «n»:\n"
        "                i += 2\n        except IndexError:\n            i = 0\n    return i\n",
        [("n", "(n + 1)"), ("n", "(n + 2)"), ("n", "(n // 0)")],
    ),
    "truth that is made on demand": (
        "log = []\nclass C:\n    def __init__(self, n):\n        self.n = n\n    def __bool__(self):\n"
        "        log.append(self.n)\n        return True\n"
        "def start(items, i):\n    c, d = C(1), C(2)\n    if «c»:\n        i = 3\n    return i\n",
        [("c", "d")],
    ),
    "one place within another": (
        "def start(items, i):\n    return «items[i + 1] + i», [items[«i + 1»] + i]\n",
        [("items[i + 1] + i", "items[i] + i"), ("i + 1", "i - 1"), ("i + 1", "i * 1")],
    ),
}


@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_for_probes_catches_none(trap):
    marked, changes = TRAPS[trap]
    source = marked.replace("«", "").replace("»", "")
    mutants = [mutant(marked, old, new) for old, new in changes]
    killed = sum(check(source, mutants, (number,)) for number in range(5))
    assert killed, "the trap shows nothing"


@pytest.mark.parametrize(
    ("marked", "changes", "counts"),
    [
        (
            "def start(items, i):\n    if i > 1:\n        i = «i % 4»\n    return i\n",
            [("i % 4", "i % 3"), ("i % 4", "i")],
            [(0, 0), (0, 0), (2, 0), (2, 1), (2, 2), (2, 2)],
        ),
        (
            "def start(items, i):\n    if i > 0 and not «i» + 2 < 5:\n        i = 0\n    return i\n",
            [("i", "(i + 1)")],
            [(0, 0), (1, 0), (1, 1), (1, 0), (1, 0)],
        ),
        ("def start(items, i):\n    return «items[i]»\n", [("items[i]", "items[0]")], [(1, 0), (1, 1), (1, 1), (1, 1)]),
    ],
    ids=["the value of an operand", "a condition that stays as it is", "an original that raises"],
)
def test_reached_and_infected_are_told_apart(marked, changes, counts):
    plain = marked.replace("«", "").replace("»", "")
    mutants = [mutant(marked, old, new) for old, new in changes]
    found = [probes(plain, mutants, (i,))[1:] for i in range(len(counts))]
    assert [(len(reached), len(infected)) for reached, infected in found] == counts


def test_only_the_truth_of_a_condition_is_compared():
    source = "def start(items, i):\n    while «items»:\n        items = items[:-1]\n    return «items»\n"
    plain = source.replace("«", "").replace("»", "")
    here = mutant(source, "items", "(items and 1)")
    assert probes(plain, [here], (0,))[1:] == ({here.id}, set())
    there = mutant(source.replace("«items»", "items", 1), "items", "(items and 1)")
    assert probes(plain.replace("items[:-1]", "1 - 1"), [there], (0,))[1:] == ({there.id}, set())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["heapq", "fibonacci_heap"])
def test_what_infects_a_mutant_hangs_on_no_other_mutant(name):
    subject, _ = load_subject(name)
    mutants = mutant_set(subject).mutants[::4]
    joint = compared_by_truth(probed(subject.source, mutants, subject.blocked).text)
    separate = [compared_by_truth(probed(subject.source, [m], subject.blocked).text) for m in mutants]
    assert sum(separate, Counter()) == joint
    assert joint


def compared_by_truth(text: str) -> Counter[str]:
    """Count the variants in the module of which only the truth is compared."""
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    variants = [a.body for c in calls if isinstance(c.func, ast.Name) and c.func.id == PROBE for a in c.args[2:]]
    return Counter(ast.unparse(v) for v in variants if ast.unparse(v).startswith("not not "))


NESTED = "def start(items, i):\n" + "".join(f"{'    ' * n}for _ in range(1):\n" for n in range(1, 19))
NESTED += f"{'    ' * 19}try:\n{'    ' * 20}«return i»\n{'    ' * 19}except KeyError:\n{'    ' * 20}pass\n"


def test_blocks_nested_as_deep_as_python_allows_are_probed():
    source = NESTED.replace("«", "").replace("»", "")
    did, reached, _ = probes(source, [mutant(NESTED, "return i", "pass")], (1,))
    assert did == behaviour(source, (1,))[0]  # type: ignore[index]
    assert len(reached) == 1


DEEP = """
def depth(count):
    try:
        return depth(count + 1)
    except RecursionError:
        return count


def start(items, i):
    if i == 1 and depth(1) == -1:
        return «items»
    return None
"""


def test_all_mutants_may_be_infected_where_the_program_meets_a_recursion_error():
    source = DEEP.replace("«", "").replace("»", "")
    mutants = [mutant(DEEP, "items", "i")]
    assert probes(source, mutants, (0,))[1:] == (set(), set())
    assert probes(source, mutants, (1,))[1:] == ({mutants[0].id}, {mutants[0].id})
