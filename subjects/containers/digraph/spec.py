"""DiGraph of the package networkx, by its calls alone: dicts of dicts of successors and of predecessors."""

from harness.spec import SequenceScope

title = "networkx DiGraph"
implementation = "networkx.classes.digraph"
helpers = ["DiGraph.__init__"]  # its __new__ is a call of another module's object

VIEWS = "adj|succ|pred|nodes|edges|out_edges|in_edges|degree|in_degree|out_degree|__networkx_cache__"


def sequences(scope: int) -> SequenceScope:
    """Graphs with nodes 0..scope-1, without attributes."""
    nodes, last = range(scope), scope - 1
    s = SequenceScope("DiGraph")
    s.unordered("_node", "_adj", "_succ", "_pred")
    for name in ("add_node", "remove_node"):
        s.method(name, nodes)
    for name in ("add_edge", "remove_edge", "has_successor", "has_predecessor"):
        s.method(name, nodes, nodes)
    s.method("add_nodes_from", s.fixed([0, last]))
    s.method("remove_nodes_from", s.fixed([last, 0]))
    s.method("add_edges_from", s.fixed([[0, last], [last, last]]))
    s.method("remove_edges_from", s.fixed([[last, last], [0, last]]))
    s.method("clear")
    s.method("clear_edges")
    s.method("reverse")
    s.omit(VIEWS)
    s.misuse("NetworkXError")
    return s
