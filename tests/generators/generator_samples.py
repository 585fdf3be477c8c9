"""Small hand-written structures with their finitizations and predicates, and random ones."""

import linecache
import os
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from types import ModuleType
from typing import Any

from support.generations import generation

from harness.generators.generate import generate
from harness.generators.policies.brute_force import canonical_form, labelled_states
from harness.generators.policies.korat.generator import Korat
from harness.generators.protocol import Generator, Production, Task
from harness.generators.states.engine import Workshop
from harness.generators.states.reference.search import KoratSearch
from harness.generators.states.translated.search import PACE, Pace
from harness.kernel.inputs.state_space import PLAIN, Decoder, StateSpace
from harness.kernel.inputs.suites import SuiteHeader
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.spec import Spec, load_spec
from harness.model.finitization import DomainKind, Finitization, Structures


@lru_cache
def shared_objects() -> Path:
    """Return a folder for this run's shared objects, which its processes share."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    return Path(gettempdir()) / f"mutascope-test-{run}" if run else Path(mkdtemp(prefix="mutascope-test-"))


def workshop(notices: list[str] | None = None, pace: Pace = PACE, **options: Any) -> Workshop:
    """A workshop that keeps its notices; engines that disagree fail the test."""
    texts = [] if notices is None else notices

    def notice(text: str) -> None:
        assert "the engines disagree" not in text
        texts.append(text)

    return Workshop(shared_objects(), notice, pace=pace, **options)


RepOk = Callable[[Any], Any]


def predicate(text: str, name: str = "rep_ok") -> Any:
    """Return a function of a text; `inspect` can find its source."""
    filename = f"<predicate {zlib.crc32(text.encode())}>"
    linecache.cache[filename] = len(text), None, text.splitlines(True), filename
    scope: dict[str, Any] = {"__name__": "predicates"}
    exec(compile(text, filename, "exec", dont_inherit=True), scope)
    return scope[name]


@dataclass(frozen=True)
class Sample:
    """A state space with its predicate."""

    name: str
    source: str
    finitization: Callable[[], Finitization]
    rep_ok: RepOk

    @property
    def module(self) -> ModuleType:
        return module(self.source)

    @property
    def space(self) -> StateSpace:
        return StateSpace(self.finitization())

    def search(self, **switches: bool) -> KoratSearch:
        return KoratSearch(self.space, self.module, self.rep_ok, **switches)


def module(source: str) -> ModuleType:
    return execute(ModuleText("impl", source, "impl.py"))


def task(code: ModuleType, finitization: Finitization, rep_ok: RepOk) -> Task:
    spec_module = ModuleType("mutascope_spec")
    spec_module.__file__ = "spec.py"
    spec = Spec(
        module=spec_module,
        rep_ok=rep_ok,
        finitization_of=lambda scope: finitization,
        abstraction=None,
        title=None,
        implementation="impl.py",
        blocked=(),
        helpers=None,
    )
    return Task(spec, code, finitization, seed=0)


def generated_suite(
    folder: Path,
    spec: str,
    source: str,
    generator: Generator | None = None,
    *,
    scope: int = 2,
    workshop: Workshop | None = None,
    **options: Any,
) -> SuiteHeader:
    """Generate a suite, by `korat` unless another generator is given, for a spec and a program given as texts."""
    text = ModuleText("impl", source, "impl.py")
    task = generation(load_spec(spec, "spec.py"), module(source), text, folder, subject="pile", scope=scope, **options)
    return generate(generator or Korat(), task, workshop)


def inputs(production: Production, space: StateSpace) -> list[tuple[Any, int, Any]]:
    """Return every input by its isomorphism class: canonical vector, target, canonical arguments or structures'
    vectors.
    """
    rows = []
    for vector, calls in production:
        for call in calls:
            arguments, structures = [], []
            for position, parameter in enumerate(space.finitization.targets[call.target].parameters):
                if isinstance(parameter, Structures):
                    own = StateSpace(parameter.finitization)
                    chosen = production.structures[f"{call.target}:{position}"][call.arguments[position]]
                    structures.append(canonical_form(own, chosen)[0])
                else:
                    arguments.append((space.field_domain(parameter), call.arguments[position]))
            rows.append(
                (
                    canonical_form(space, vector, arguments)[0],
                    call.target,
                    (canonical_form(space, vector, arguments)[1], tuple(structures)),
                )
            )
    return rows


def without_unreachable(space: StateSpace, vector: tuple[int, ...]) -> tuple[int, ...]:
    """Return the state with 0 for the fields of objects that the root does not reach."""
    result = [0] * space.width
    visited: set[int] = set()

    def visit(number: int) -> None:
        if number in visited:
            return
        visited.add(number)
        owner = space.objects[number]
        fields = list(range(owner.first, owner.first + len(owner.names)))
        if owner.domain.kind is DomainKind.LIST:
            fields = fields[: 1 + owner.domain.lengths[vector[owner.first]]]
        for field in fields:
            result[field] = vector[field]
            other = space.fields[field].domain.objects[vector[field]]
            if other != PLAIN:
                visit(other)

    visit(0)
    return tuple(result)


def holds(code: ModuleType, space: StateSpace, rep_ok: RepOk, vector: tuple[int, ...]) -> bool:
    """Return whether rep_ok accepts the state, decoded into plain objects."""
    return bool(rep_ok(Decoder(space, code).decode(vector).root))


def check_against_brute_force(sample: Sample) -> None:
    """Check that the search is sound, complete and optimal."""
    code, space = sample.module, sample.space
    labelled = {without_unreachable(space, v) for v in labelled_states(space, code, sample.rep_ok)}
    classes = {canonical_form(space, vector)[0] for vector in labelled}
    vectors = list(KoratSearch(space, code, sample.rep_ok))
    assert len(set(vectors)) == len(vectors)
    assert all(holds(code, space, sample.rep_ok, vector) for vector in vectors), "soundness"
    forms = [canonical_form(space, vector)[0] for vector in vectors]
    assert set(forms) == classes, "completeness"
    assert len(set(forms)) == len(forms), "optimality"


TREE = """
class SearchTree:
    def __init__(self):
        self.root = None
        self.size = 0

class Node:
    def __init__(self, info):
        self.info = info
        self.left = None
        self.right = None
"""


def tree_finitization(scope: int) -> Finitization:
    f = Finitization("SearchTree")
    nodes = f.objects("Node", scope)
    f.set("SearchTree.root", None, nodes)
    f.set("SearchTree.size", range(scope + 1))
    f.set("Node.left", None, nodes)
    f.set("Node.right", None, nodes)
    f.set("Node.info", range(1, scope + 1))
    f.method("add", range(1, scope + 1))
    return f


def is_search_tree(tree: Any) -> bool:
    """Check acyclicity, then the number of nodes, then the order, as in exhaustive2003, Appendix A."""
    if tree.root is None:
        return bool(tree.size == 0)
    visited, work = {id(tree.root)}, [tree.root]
    while work:
        node = work.pop(0)
        for side in ("left", "right"):
            child = getattr(node, side)
            if child is not None:
                if id(child) in visited:
                    return False
                visited.add(id(child))
                work.append(child)
    return len(visited) == tree.size and _ordered(tree.root, None, None)


def _ordered(node: Any, low: int | None, high: int | None) -> bool:
    if (low is not None and node.info <= low) or (high is not None and node.info >= high):
        return False
    if node.left is not None and not _ordered(node.left, low, node.info):
        return False
    return node.right is None or _ordered(node.right, node.info, high)


def _tokens_list() -> Finitization:
    f = Finitization("Chain")
    cells = f.objects("Cell", 2)
    tokens = f.tokens("Thing", 3)
    f.set("Chain.head", None, cells)
    f.set("Cell.next", None, cells)
    f.set("Cell.item", None, tokens)
    f.method("add", tokens)
    f.method("replace", tokens, tokens)
    return f


def _is_chain(chain: Any) -> bool:
    seen: list[Any] = []
    cell = chain.head
    while cell is not None:
        if any(cell is other for other in seen) or cell.item is None:
            return False
        seen.append(cell)
        cell = cell.next
    return True


def _arrays() -> Finitization:
    f = Finitization("Stack")
    f.set("Stack.values", None, f.lists(2, lengths=(0, 1, 2), elements=range(2)))
    f.set("Stack.other", None, f.domains[1])
    f.set("Stack.size", range(3))
    f.method("push", range(2))
    f.method("append_all", (f.domains[1],))
    return f


def _is_stack(stack: Any) -> bool:
    return stack.values is not None and stack.size == len(stack.values) and list(stack.values) == sorted(stack.values)


SAMPLES = (
    Sample("tree", TREE, lambda: tree_finitization(2), is_search_tree),
    Sample("chain", "class Chain: ...\nclass Cell: ...\n", _tokens_list, _is_chain),
    Sample("arrays", "class Stack: ...\n", _arrays, _is_stack),
)
