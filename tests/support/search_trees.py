"""Search trees as the language of declarative invariants has them (field_exhaustive2016, Figure 4)."""

from typing import Any

from harness.relational import all_of, closure, count, for_all, no, reflexive_closure
from harness.spec import Finitization


def trees(scope: int) -> Finitization:
    """Search trees of at most `scope` nodes."""
    f = Finitization("Tree")
    nodes = f.objects("Node", scope)
    f.set("Tree.root", None, nodes)
    f.set("Tree.size", range(scope + 1))
    f.set("Node.left", None, nodes)
    f.set("Node.right", None, nodes)
    f.set("Node.key", range(1, scope + 1))
    return f


def search_tree(thiz: Any, heap: Any) -> Any:
    """Return figure 4 of field_exhaustive2016 as a formula."""
    edges = heap.left | heap.right
    nodes = thiz.root @ reflexive_closure(edges)
    return all_of(
        for_all(
            nodes,
            lambda n: all_of(
                no((n.left @ reflexive_closure(edges)) & (n.right @ reflexive_closure(edges))),
                ~n.within(n @ closure(edges)),
                for_all(n.left @ reflexive_closure(edges), lambda m: m.key < n.key),
                for_all(n.right @ reflexive_closure(edges), lambda m: m.key > n.key),
            ),
        ),
        thiz.size == count(nodes),
    )
