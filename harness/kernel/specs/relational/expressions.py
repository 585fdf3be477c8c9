"""The relational language of invariants: relations, numbers and formulas whose operators build trees, and its words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NoReturn, TypeAlias, TypeVar

from harness.errors import SpecError
from harness.kernel.specs.relational.terms import Kinds, Operator, Term, Vocabulary, kind_of, vocabulary
from harness.model.finitization import Finitization

NumberLike: TypeAlias = "_Integers | int"


class Expression:
    """A tree and its vocabulary; its operators make larger ones."""

    __slots__ = ("_term", "_words")

    def __init__(self, term: Term, words: Vocabulary) -> None:
        self._term = term
        self._words = words

    def __repr__(self) -> str:
        return str(self._term)

    def __hash__(self) -> int:
        return id(self._term)

    def __bool__(self) -> NoReturn:
        raise SpecError(
            f"the invariant asks whether {self._term} is true, which is not known before an instance is; write "
            "& | ~ .implies() instead of and, or, not, if, and .within() instead of in"
        )

    def __contains__(self, other: object) -> NoReturn:
        raise SpecError(f"the invariant asks whether something is in {self._term}; write x.within({self._term})")

    def __iter__(self) -> Iterator[Any]:
        raise SpecError(f"the invariant loops over {self._term}; write for_all({self._term}, lambda n: ...)")


_Expression = TypeVar("_Expression", bound=Expression)


def _made(
    kind: type[_Expression],
    operator: Operator,
    *parts: Expression,
    datum: object = None,
    columns: tuple[Kinds, ...] = (),
) -> _Expression:
    """Return the expression that an operator makes of its parts."""
    words = parts[0]._words
    return kind(words.make(operator, tuple(part._term for part in parts), datum, columns), words)


class _Integers(Expression):
    """What counts as integers: a number, or a set of integers, which counts as their sum in arithmetic."""

    __slots__ = ()

    def __add__(self, other: NumberLike) -> Number:
        return _made(Number, Operator.SUM, number_of(self, self), number_of(other, self))

    __radd__ = __add__

    def __rsub__(self, other: NumberLike) -> Number:
        return number_of(other, self) + (-number_of(self, self))

    def __mul__(self, factor: int) -> Number:
        if type(factor) is not int:
            raise SpecError(f"{self._term} * {factor!r}: a number is multiplied by a whole number only")
        if factor < 0:
            return -(self * -factor)
        return _made(Number, Operator.TIMES, number_of(self, self), datum=factor)

    __rmul__ = __mul__

    def __ne__(self, other: object) -> Formula:  # type: ignore[override]
        equal: Formula = self.__eq__(other)  # type: ignore[assignment]
        return ~equal

    def __lt__(self, other: NumberLike) -> Formula:
        """Return the formula that each integer of this set is below each one of the other, or below the number."""
        return ordered(Operator.LESS, self, other)

    def __le__(self, other: NumberLike) -> Formula:
        return ordered(Operator.NOT_MORE, self, other)

    def __gt__(self, other: NumberLike) -> Formula:
        return ordered(Operator.LESS, other, self)

    def __ge__(self, other: NumberLike) -> Formula:
        return ordered(Operator.NOT_MORE, other, self)


class Relation(_Integers):
    """A set of atoms (objects and plain values), or a relation of two columns.

    `relation.name` joins with the field `name`; where a method has that name, write `relation @ heap["Class.name"]`.
    """

    __slots__ = ()

    def __getattr__(self, name: str) -> Relation:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return self._joined(Relation(self._words.field_of(name, self._term), self._words))

    def __setattr__(self, name: str, value: object) -> None:
        if name not in ("_term", "_words"):
            raise SpecError(f"the invariant assigns {self._term}.{name}; write {self._term}.{name} == ...")
        object.__setattr__(self, name, value)

    def __matmul__(self, other: Relation) -> Relation:
        """Return the join, as in `n @ closure(edges)`: every atom that edges lead to from n."""
        return self._joined(self._relation(other, "@"))

    def __or__(self, other: object) -> Relation:
        return self._combined(Operator.UNION, other)

    def __ror__(self, other: object) -> Relation:
        return self._combined(Operator.UNION, other)

    def __and__(self, other: object) -> Relation:
        return self._combined(Operator.INTERSECTION, other)

    def __sub__(self, other: Any) -> Any:
        """Return the difference of two relations; with a number, the total of this set minus that number."""
        if isinstance(other, (Number, int)) and not isinstance(other, bool):
            return number(self) - other
        return self._combined(Operator.DIFFERENCE, other)

    def __invert__(self) -> Relation:
        """Return the transpose: each pair the other way round."""
        self._want(2, "~", "only a relation of two columns can be transposed; write no(...) to say that a set is empty")
        return _made(Relation, Operator.TRANSPOSE, self, columns=self._term.columns[::-1])

    def within(self, other: object) -> Formula:
        """Return the formula that every element of this is in the other, too."""
        right = self._relation(other, ".within")
        self._same_columns(right, ".within")
        return _made(Formula, Operator.WITHIN, self, right)

    def __eq__(self, other: object) -> Formula:  # type: ignore[override]
        """Return the formula that both are equal. A number stands for the set of it, and None for the empty set."""
        if other is None:
            return _made(Formula, Operator.NO, self)
        if isinstance(other, Number) or type(other) is int:
            self._want(1, "==", "a number is equal to a set of one number")
            behind = number_of(other, self)
            self._may_hold("int", behind)
            return _made(Formula, Operator.EQUAL, self, behind)
        right = self._relation(other, "==")
        self._same_columns(right, "==")
        if right._term.operator is Operator.CONSTANT:
            self._may_hold(kind_of(other), right)
        return _made(Formula, Operator.EQUAL, self, right)

    __hash__ = Expression.__hash__

    def _joined(self, other: Relation) -> Relation:
        left, right = self._term.columns, other._term.columns
        if len(left) + len(right) - 2 not in (1, 2):
            raise SpecError(
                f"{self._term} @ {other._term} joins {_shape(left)} with {_shape(right)}; a join needs a relation "
                "of two columns on one side"
            )
        if left[-1] and right[0] and not left[-1] & right[0]:
            raise SpecError(
                f"{self._term} @ {other._term} is always empty: the one ends in {_listed(left[-1])}, the other begins "
                f"with {_listed(right[0])}"
            )
        return _made(Relation, Operator.JOIN, self, other, columns=(*left[:-1], *right[1:]))

    def _combined(self, operator: Operator, other: object) -> Relation:
        right = self._relation(other, operator.value)
        self._same_columns(right, operator.value)
        left, behind = self._term.columns, right._term.columns
        columns = left
        if operator is Operator.UNION:
            columns = tuple(a | b for a, b in zip(left, behind, strict=True))
        elif operator is Operator.INTERSECTION:
            columns = tuple(a & b for a, b in zip(left, behind, strict=True))
        return _made(Relation, operator, self, right, columns=columns)

    def _relation(self, other: object, operator: str) -> Relation:
        if isinstance(other, Relation):
            return other
        if isinstance(other, (bool, int, float, str, tuple)):
            columns = (frozenset({kind_of(other)}),)
            return Relation(self._words.make(Operator.CONSTANT, datum=other, columns=columns), self._words)
        raise SpecError(
            f"{self._term} {operator} {other!r}: the right side is {_description(other)}, not a set or relation"
        )

    def _same_columns(self, other: Relation, operator: str) -> None:
        left, right = self._term.columns, other._term.columns
        if len(left) != len(right):
            raise SpecError(
                f"{self._term} {operator} {other._term}: the left side is {_shape(left)}, the right one "
                f"{_shape(right)}; both need as many columns"
            )

    def _may_hold(self, kind: str, compared: Expression) -> None:
        """Refuse a comparison that is false of every instance, such as with 1 where True is meant."""
        kinds = self._term.columns[0]
        if kinds and kind not in kinds:
            raise SpecError(
                f"{self._term} == {compared} is never true: {self._term} holds no {kind} but {_listed(kinds)}"
            )

    def _want(self, columns: int, operator: str, why: str) -> None:
        if len(self._term.columns) != columns:
            raise SpecError(f"{operator} of {self._term}, {_shape(self._term.columns)}: {why}")


class Number(_Integers):
    """An integer that an instance determines: a cardinality, a total, a sum of them."""

    __slots__ = ()

    def __sub__(self, other: NumberLike) -> Number:
        return self + (-number_of(other, self))

    def __neg__(self) -> Number:
        return _made(Number, Operator.NEGATIVE, self)

    def __eq__(self, other: object) -> Formula:  # type: ignore[override]
        if isinstance(other, Relation):
            return other == self
        return _made(Formula, Operator.EQUAL, self, number_of(other, self))

    __hash__ = Expression.__hash__


class Formula(Expression):
    """A formula, which an instance makes true or false."""

    __slots__ = ()

    def __and__(self, other: Formula) -> Formula:
        return _made(Formula, Operator.ALL, self, formula(other, f"{self._term} &"))

    def __or__(self, other: Formula) -> Formula:
        return _made(Formula, Operator.ANY, self, formula(other, f"{self._term} |"))

    def __invert__(self) -> Formula:
        return _made(Formula, Operator.NOT, self)

    def implies(self, other: Formula) -> Formula:
        """Return the formula that the other is true wherever this is."""
        return ~self | formula(other, f"({self._term}).implies")

    def __eq__(self, other: object) -> Formula:  # type: ignore[override]
        """Return the formula that both are true, or both false."""
        right = formula(other, f"({self._term}) ==")
        return (self & right) | (~self & ~right)

    def __ne__(self, other: object) -> Formula:  # type: ignore[override]
        return ~(self == other)

    __hash__ = Expression.__hash__


def formula(value: object, where: str) -> Formula:
    """Return `value`, which has to be a formula.

    Raises:
        SpecError: it is something else.
    """
    if not isinstance(value, Formula):
        raise SpecError(f"{where} takes a formula of harness.relational, not {_description(value)}")
    return value


def relation(value: object, where: str) -> Relation:
    """Return `value`, which has to be a set or relation.

    Raises:
        SpecError: it is something else.
    """
    if not isinstance(value, Relation):
        raise SpecError(f"{where} takes a set or relation of harness.relational, not {_description(value)}")
    return value


def number(integers: Relation) -> Number:
    """Return the sum of a set's integers."""
    integers._want(1, "total", "only a set has a total")
    kinds = integers._term.columns[0]
    if "int" not in kinds:
        raise SpecError(
            f"{integers._term} holds no integers but {_listed(kinds)}; only a set of integers counts as a number"
        )
    return _made(Number, Operator.TOTAL, integers)


def number_of(value: object, like: Expression) -> Number:
    """Return a number as it is, a set of integers as its total, an int as the constant.

    Raises:
        SpecError: it is something else.
    """
    if isinstance(value, Number):
        return value
    if isinstance(value, Relation):
        return number(value)
    if type(value) is not int:
        raise SpecError(
            f"{like._term} is compared or added to {_description(value)}; a number or a set of integers is needed"
        )
    return Number(like._words.make(Operator.INTEGER, datum=value), like._words)


def ordered(operator: Operator, left: NumberLike, right: NumberLike) -> Formula:
    """Return the order of two sets of integers (each with each), of two numbers, or of one with the other."""
    like = left if isinstance(left, Expression) else right
    if not isinstance(like, Expression):
        raise SpecError(f"{left!r} {operator.value} {right!r}: neither is a set of integers or a number")
    sides: list[Expression] = []
    for side in (left, right):
        whole = number_of(side, like)
        sides.append(side if isinstance(side, Relation) else whole)
    return _made(Formula, operator, *sides)


def bound(operator: Operator, atoms: object, body: Callable[[Any], object]) -> tuple[Relation, Term, Formula]:
    """Return a set, a variable over it, and the formula that `body` returns for the variable.

    Raises:
        SpecError: the set is none, or `body` returns no formula.
    """
    name = operator.value
    over = relation(atoms, name)
    over._want(1, name, "a variable ranges over a set; a relation has two columns")
    variable = over._words.variable(over._term.columns[0], _first_parameter(body))
    body_formula = body(Relation(variable, over._words))
    return over, variable, formula(body_formula, f"{name}({over._term}, ...): its function")


def _first_parameter(body: object) -> str:
    code = getattr(body, "__code__", None)
    return code.co_varnames[0] if code is not None and code.co_argcount else "n"


def _shape(columns: tuple[Kinds, ...]) -> str:
    return "a set" if len(columns) == 1 else "a relation of two columns"


def _listed(kinds: Kinds) -> str:
    return ", ".join(sorted(kinds)) or "nothing"


def _description(value: object) -> str:
    if isinstance(value, Formula):
        return f"the formula {value!r}"
    if isinstance(value, Number):
        return f"the number {value!r}"
    if isinstance(value, Relation):
        return f"{_shape(value._term.columns)}, {value!r}"
    if isinstance(value, bool):
        return f"{value}; write no(x) for x is None, and == for a comparison"
    return f"{type(value).__name__} {value!r}"[:80]


def all_of(*formulas: Formula) -> Formula:
    """Return the formula that all are true; there must be at least one."""
    return _several(Operator.ALL, formulas)


def any_of(*formulas: Formula) -> Formula:
    """Return the formula that at least one is true."""
    return _several(Operator.ANY, formulas)


def for_all(atoms: Relation, body: Callable[[Any], Formula]) -> Formula:
    """Return the formula that `body(n)` is true of each atom n of a set."""
    return _quantified(Operator.FOR_ALL, atoms, body)


def exists(atoms: Relation, body: Callable[[Any], Formula]) -> Formula:
    """Return the formula that `body(n)` is true of an atom n of a set."""
    return _quantified(Operator.EXISTS, atoms, body)


def those(atoms: Relation, body: Callable[[Any], Formula]) -> Relation:
    """Return the set of the atoms n of a set for which `body(n)` is true."""
    over, variable, body_formula = bound(Operator.THOSE, atoms, body)
    columns = over._term.columns
    return _made(Relation, Operator.THOSE, over, body_formula, datum=variable.datum, columns=columns)


def some(operand: Relation) -> Formula:
    """Return the formula that it is not empty."""
    return _multiplicity(Operator.SOME, operand)


def no(operand: Relation) -> Formula:
    """Return the formula that it is empty."""
    return _multiplicity(Operator.NO, operand)


def lone(operand: Relation) -> Formula:
    """Return the formula that it has at most one element."""
    return _multiplicity(Operator.LONE, operand)


def one(operand: Relation) -> Formula:
    """Return the formula that it has exactly one element."""
    return _multiplicity(Operator.ONE, operand)


def closure(edges: Relation) -> Relation:
    """Return the pairs that one or more steps along `edges` connect."""
    return _closed(Operator.CLOSURE, edges)


def reflexive_closure(edges: Relation) -> Relation:
    """Return the pairs of `closure`, and each atom with itself."""
    return _closed(Operator.REFLEXIVE_CLOSURE, edges)


def count(operand: Relation) -> Number:
    """Return the number of atoms in a set, or of pairs in a relation."""
    return _made(Number, Operator.COUNT, relation(operand, "count"))


def total(operand: Relation) -> Number:
    """Return the sum of a set's integers; 0 of an empty set."""
    return number(relation(operand, "total"))


def _several(operator: Operator, formulas: tuple[Formula, ...]) -> Formula:
    if not formulas:
        raise SpecError(f"{operator.value}() has no formula to speak of; give at least one")
    return _made(Formula, operator, *(formula(each, operator.value) for each in formulas))


def _quantified(operator: Operator, atoms: Relation, body: Callable[[Any], Formula]) -> Formula:
    over, variable, body_formula = bound(operator, atoms, body)
    return _made(Formula, operator, over, body_formula, datum=variable.datum)


def _multiplicity(operator: Operator, operand: Relation) -> Formula:
    return _made(Formula, operator, relation(operand, operator.value))


def _closed(operator: Operator, edges: Relation) -> Relation:
    checked = relation(edges, operator.value)
    checked._want(2, operator.value, "only a relation of two columns has a closure")
    left, right = checked._term.columns
    both = left | right
    columns = (both, both) if operator is Operator.REFLEXIVE_CLOSURE else (left, right)
    return _made(Relation, operator, checked, columns=columns)


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
    root = words.make(Operator.ROOT, columns=(frozenset({words.root}),))
    try:
        result = invariant(Relation(root, words), Heap(words))
    except SpecError:
        raise
    except Exception as error:
        raise SpecError(f"invariant raised {type(error).__name__}: {error}; correct the spec") from error
    if not isinstance(result, Formula):
        raise SpecError(f"invariant returned {type(result).__name__}, not a formula; return all_of(...) of its parts")
    term = result._term
    if term.free:
        raise SpecError(
            "invariant uses a variable of for_all, exists or those outside the function that it is given to; "
            "return what is said of it from that function"
        )
    return term
