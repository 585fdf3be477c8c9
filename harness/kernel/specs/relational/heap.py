"""Presents the heap to an invariant, and calls invariants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from harness.errors import SpecError
from harness.kernel.specs.relational.expressions import Formula, Relation, formula
from harness.kernel.specs.relational.terms import Operator, Sort, Term
from harness.kernel.specs.relational.vocabulary import Vocabulary, vocabulary
from harness.model.finitization import Finitization


class Heap:
    """The relations of an instance: `heap.name` of a field, `heap["Class.name"]`, `heap["Class"]` all its objects.

    They hold objects that are reachable from the root; unreachable ones are in no relation.
    """

    __slots__ = ("_words",)

    def __init__(self, words: Vocabulary) -> None:
        self._words = words

    def __getattr__(self, name: str) -> Relation:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Relation(self._words.field_of(name), self._words)

    def __iter__(self) -> NoReturn:
        raise SpecError("the invariant loops over the heap; name what is meant, as in heap.name or heap['Class']")

    def __getitem__(self, name: str) -> Relation:
        return Relation(self._words.named(str(name)), self._words)


def formula_of(invariant: Callable[[Any, Any], object], finitization: Finitization) -> Term:
    """Return the tree of a spec's `invariant(thiz, heap)`, for one finitization.

    Raises:
        SpecError: it uses a name that the finitization lacks, joins relations that do not fit, returns no formula, or
            raises.
    """
    words = vocabulary(finitization)
    root = words.trees.make(Operator.ROOT, Sort.RELATION, columns=(frozenset({words.root}),))
    try:
        result = invariant(Relation(root, words), Heap(words))
    except SpecError:
        raise
    except Exception as error:
        raise SpecError(f"invariant raised {type(error).__name__}: {error}; correct the spec") from error
    if not isinstance(result, Formula):
        raise SpecError(f"invariant returned {type(result).__name__}, not a formula; return all_of(...) of its parts")
    term = formula(result, "invariant")._term
    if term.free:
        raise SpecError(
            "invariant uses a variable of for_all, exists or those outside the function that it is given to; "
            "return what is said of it from that function"
        )
    return term
