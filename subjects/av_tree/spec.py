"""AVTree: which name trees and queries are valid, and how many of both together there are to test with."""

from harness.spec import Finitization, axiom, equal, field, is_in, not_, requirements

title = "AVTree"

WILDCARD = "*"


def rep_ok(tree) -> bool:
    """A name tree: its leaves, and they only, have records, and the pairs of each record make a name."""
    return _is_tree(tree, []) and _are_described(tree)


def is_lookup(tree, query) -> bool:
    """What `lookup` requires: a name tree, and a query that shares nothing with it."""
    seen: list = []
    return _is_tree(tree, seen) and _is_tree(query, seen) and rep_ok(tree) and _are_asked(query)


def _is_tree(parent, seen) -> bool:
    """Neither `parent`, nor its list of children, nor anything below was `seen` before."""
    if _is_one_of(parent, seen) or _is_one_of(parent.children, seen):
        return False
    seen += [parent, parent.children]
    return all(_is_tree(child, seen) for child in parent.children)


def _are_described(parent) -> bool:
    """The pairs below `parent` make part of a name tree.

    Siblings differ. Where they have the same attribute they have no record in common: no name gives
    an attribute two values.
    """
    earlier: list = []
    for pair in parent.children:
        rivals = [other for other in earlier if other.attribute == pair.attribute]
        if pair.value == WILDCARD or any(other.value == pair.value for other in rivals):
            return False
        if (pair.record is None) == (len(pair.children) == 0) or not _are_described(pair):
            return False
        others = [record for other in rivals for record in _records(other)]
        if any(_equals_one_of(record, others) for record in _records(pair)):
            return False
        earlier.append(pair)
    return True


def _are_asked(parent) -> bool:
    """The pairs below `parent` make part of a query: siblings' attributes differ, wildcards are leaves; no records."""
    attributes: list = []
    for pair in parent.children:
        if pair.record is not None or _equals_one_of(pair.attribute, attributes):
            return False
        attributes.append(pair.attribute)
        if (pair.value == WILDCARD and len(pair.children) > 0) or not _are_asked(pair):
            return False
    return True


def _records(pair) -> list:
    """The records of `pair` and below."""
    return [pair.record] if pair.record is not None else [r for child in pair.children for r in _records(child)]


def _is_one_of(value, others) -> bool:
    return any(value is other for other in others)


def _equals_one_of(value, others) -> bool:
    return any(value == other for other in others)


@requirements
def rep_ok_dedicated(tree):
    """The same by dedicated generators, which read in the same order (exhaustive2003, section 5)."""
    yield _is_tree_dedicated(tree, [], [])
    yield _are_described_dedicated(tree)


@requirements
def is_lookup_dedicated(tree, query):
    """`is_lookup`, likewise."""
    seen: list = []
    lists: list = []
    yield _is_tree_dedicated(tree, seen, lists)
    yield not _is_one_of(query, seen)
    yield _is_tree_dedicated(query, seen, lists)
    yield _are_described_dedicated(tree)
    yield _are_asked_dedicated(query)


@requirements
def _is_tree_dedicated(parent, seen, lists):
    children = parent.children
    yield not _is_one_of(children, lists)
    seen.append(parent)
    lists.append(children)
    for position in range(len(children)):
        yield not_(is_in(field(children, position), seen))
        yield _is_tree_dedicated(children[position], seen, lists)


@requirements
def _are_described_dedicated(parent):
    earlier: list = []
    for pair in parent.children:
        rivals = [other for other in earlier if other.attribute == pair.attribute]
        yield not_(is_in(field(pair, "value"), [WILDCARD, *(other.value for other in rivals)]))
        others = [record for other in rivals for record in _records(other)]
        if len(pair.children) > 0:
            yield equal(field(pair, "record"), None)
            yield _are_described_dedicated(pair)
            yield not any(_equals_one_of(record, others) for record in _records(pair))
        else:
            yield not_(is_in(field(pair, "record"), [None, *others]))
        earlier.append(pair)


@requirements
def _are_asked_dedicated(parent):
    attributes: list = []
    for pair in parent.children:
        yield equal(field(pair, "record"), None)
        yield not_(is_in(field(pair, "attribute"), attributes))
        attributes.append(pair.attribute)
        yield not_(is_in(field(pair, "value"), [WILDCARD] if len(pair.children) > 0 else []))
        yield _are_asked_dedicated(pair)


def abstraction(tree) -> tuple:
    """The pairs in order, each as attribute, value, record and the pairs below it; of a query, too."""
    return tuple((pair.attribute, pair.value, pair.record, abstraction(pair)) for pair in tree.children)


def post_lookup(before, after, result, query, *, arguments_after) -> bool:
    """The records whose names conform to the query are found; tree and query are as before."""
    conforming = {record for record in _described(before) if _conforms(record, before, query)}
    return result == conforming and after == before and arguments_after == [query]


def _described(pairs) -> set:
    """The records of the pairs of an abstract name tree, and below them."""
    return {found for _, _, record, below in pairs for found in {record} | _described(below)} - {None}


def _conforms(record, pairs, query) -> bool:
    """What the name of `record` says, and the query asks for, is the same.

    An attribute that either of them omits may have any value, and so may one that is asked for by the wildcard.
    """
    name = [pair for pair in pairs if record in _described((pair,))]
    return all(
        wanted == WILDCARD or (wanted == value and _conforms(record, described, below))
        for asked, wanted, _, below in query
        for attribute, value, _, described in name
        if attribute == asked
    )


@axiom("lookup")
def asking_for_more_finds_no_more(tree, query) -> bool:
    """A query without one of its pairs finds all that it found, and without any pairs, all records."""
    found = tree.lookup(query)
    while query.children:
        query.children.pop()
        wider = tree.lookup(query)
        if not found <= wider:
            return False
        found = wider
    return found == _described(abstraction(tree))


def finitization(scope: int) -> Finitization:
    """`scope` pairs, shared out between a name tree and a query; `scope` attributes, values and records.

    Attributes are interchangeable, and so are values but for the wildcard, and records. What `lookup`
    is tested with is searched as a whole, so that no two inputs differ by a renaming of either.
    """
    f = Finitization("AVTree")
    queries = f.objects("AVTree", 1)
    pairs = f.objects("Pair", scope)
    f.set("AVTree.children", children := f.lists(scope + 2, lengths=range(scope + 1), elements=pairs))
    f.set("Pair.children", children)
    f.set("Pair.attribute", f.texts("attribute", scope))
    f.set("Pair.value", f.texts("value", scope), WILDCARD)
    f.set("Pair.record", None, f.tokens("record", scope))
    f.method("lookup", queries, requires=is_lookup, any_state=True)
    return f
