"""Seeds the flaws of invariants that beapi2023 found (Table 3) in our own: each is a small edit of a spec's text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from harness.difference.difference import difference
from harness.difference.result import Difference
from harness.errors import SpecError
from harness.model.subject import Subject
from harness.runner.subjects import load_subject


@dataclass(frozen=True)
class Flaw:
    """A flaw as Table 3 prints it, with a subject of ours and what of its rep_ok is written otherwise.

    Attributes:
        edits: pairs of a text that the spec holds exactly once and what is put in its place.
        scope: at which it shows, with not too many structures.
    """

    benchmark: str
    class_name: str
    flaw: str
    subject: str
    edits: tuple[tuple[str, str], ...]
    scope: int = 3


_RED_ROOT = (
    (
        "    if tree.root is not nil and tree.root.color is not BLACK:\n        return False\n",
        "",
    ),
)
_LEAVES = (("    if node is None:\n        return -1\n", "    if node is None:\n        return 0\n"),)

FLAWS = (
    Flaw("Korat", "RBTree", "Color of root should not be red", "red_black_tree", _RED_ROOT),
    Flaw(
        "Roops",
        "NCL",
        "Key values in the cache should be set to null",
        "node_caching_list",
        (("node in visited or node.value is not None or node.previous", "node in visited or node.previous"),),
    ),
    Flaw(
        "Roops",
        "NCL",
        "Key value of the dummy node in the main list should be null",
        "node_caching_list",
        (("header is None or header.value is not None", "header is None"),),
    ),
    Flaw(
        "Roops",
        "BinTree",
        "Parent of root node should be null",
        "parent_tree",
        (("_is_tree(tree.root, None, ", "_is_tree(tree.root, tree.root and tree.root.parent, "),),
        scope=2,
    ),
    Flaw("Roops", "RBT", "Color of root should not be red", "red_black_tree", _RED_ROOT),
    Flaw("Roops", "AVL", "Height computation is wrong (leaves are assigned the wrong value)", "avl_tree", _LEAVES),
    Flaw(
        "Roops",
        "AVL",
        "Repeated key values should not be allowed",
        "avl_tree",
        (("node.key <= low", "node.key < low"), ("node.key >= high", "node.key > high")),
    ),
    Flaw(
        "Roops",
        "FibHeap",
        "Left and right fields of nodes should not be null",
        "fib_heap",
        (
            ("or node.left is None or node.left.right", "or node.left is not None and node.left.right"),
            ("if node.right is None or node.right.left", "if node.right is not None and node.right.left"),
        ),
        scope=2,
    ),
    Flaw(
        "Roops",
        "FibHeap",
        "Min node should always contain the minimum value in the heap",
        "fib_heap",
        (("_is_ordered(root, heap.least.key) for", "_is_ordered(root, root.key) for"),),
    ),
    Flaw(
        "Roops",
        "FibHeap",
        "If a node has no child its degree should be zero",
        "fib_heap",
        (("or len(children) != node.degree", "or len(children) not in (0, node.degree)"),),
    ),
    Flaw(
        "Roops",
        "FibHeap",
        "Child nodes should have smaller keys than their parents",
        "fib_heap",
        (("_is_ordered(child, node.key) for", "_is_ordered(child, least) for"),),
    ),
    Flaw(
        "Roops",
        "FibHeap",
        "Parent fields of all nodes are forced to be null",
        "fib_heap",
        (("or node.parent is not parent or", "or node.parent is not parent or node.parent is not None or"),),
    ),
    Flaw(
        "Roops",
        "FibHeap",
        "Heap with min node set to null is rejected",
        "fib_heap",
        (
            (
                "    visited: set = set()\n    roots",
                "    if heap.least is None:\n        return False\n    visited: set = set()\n    roots",
            ),
        ),
    ),
    Flaw(
        "Kiasan",
        "DisjSetFast",
        "The rank of the root can be invalid",
        "disj_set_fast",
        (("        if not _is_possible_rank(-links[root] - 1, size, heights):\n            return False\n", ""),),
    ),
    Flaw(
        "Kiasan",
        "BinaryHeap",
        "The first position of an array (dummy) may contain an element",
        "binary_heap",
        ((" or array[0] != 0 or ", " or "),),
    ),
    Flaw("Fajita", "AVL", "Height computation is wrong (leaves are assigned the wrong value)", "avl_tree", _LEAVES),
)


def flawed(flaw: Flaw) -> Subject:
    """Return the subject with the flaw in its rep_ok.

    Raises:
        SpecError: its spec no longer contains a text that the flaw changes.
    """
    subject = load_subject(flaw.subject)
    text = subject.spec_source
    for sound, unsound in flaw.edits:
        if text.count(sound) != 1:
            raise SpecError(
                f"{subject.spec_path} holds {sound.strip()!r} {text.count(sound)} times, not once; correct the flaw "
                f"{flaw.flaw!r} in harness/difference/flaws.py"
            )
        text = text.replace(sound, unsound)
    return replace(subject, spec_source=text)


def measured() -> Iterator[tuple[Flaw, Difference]]:
    """Yield each flaw with the comparison of the flawed rep_ok with the API; equal ones are compared once."""
    differences: dict[tuple[str, tuple[tuple[str, str], ...]], Difference] = {}
    for flaw in FLAWS:
        same = flaw.subject, flaw.edits
        if same not in differences:
            differences[same] = difference(flawed(flaw), flaw.scope)
        yield flaw, differences[same]
