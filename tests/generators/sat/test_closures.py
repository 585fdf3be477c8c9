"""Closures in circuits against steps that are followed one by one."""

from itertools import product

import pytest
from sat.circuit_values import value

from harness.generators.sat import closure as closures
from harness.generators.sat.circuits import TRUE, Circuits
from harness.generators.sat.closure import Closure
from harness.generators.sat.matrices import Matrix

_ALL = list(product(range(3), repeat=2))
_UP = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]


def _closed(pairs: set[tuple[int, int]]) -> set[tuple[int, int]]:
    while further := {(a, d) for a, b in pairs for c, d in pairs if b == c} - pairs:
        pairs = pairs | further
    return pairs


def _held(circuits: Circuits, matrix: Matrix, values: dict[int, bool]) -> set[tuple[int, ...]]:
    return {atoms for atoms, literal in matrix.cells.items() if value(circuits, literal, values)}


@pytest.mark.parametrize("possible", [_ALL, _UP])
def test_closures_are_those_of_every_relation(possible: list[tuple[int, int]]) -> None:
    circuits = Circuits()
    edges = Matrix(2, {pair: circuits.input() for pair in possible})
    whole = closures.closed(circuits, edges, Closure.SQUARING)
    from_first = closures.reached(circuits, Matrix(1, {(0,): TRUE}), edges, lambda: whole)
    rows = closures.reached(circuits, edges, edges, lambda: whole)
    for booleans in product([False, True], repeat=len(possible)):
        values = dict(zip(edges.cells.values(), booleans, strict=True))
        there = {pair for pair, here in zip(possible, booleans, strict=True) if here}
        expected = _closed(there)
        assert _held(circuits, whole, values) == expected
        assert _held(circuits, from_first, values) == {(right,) for left, right in expected if left == 0}
        further = {(a, d) for a, b in there for c, d in expected if b == c}
        assert _held(circuits, rows, values) == further


def test_the_relaxation_has_part_of_the_closure_and_all_single_steps_down() -> None:
    circuits = Circuits()
    edges = Matrix(2, {pair: circuits.input() for pair in _ALL})
    relaxation = closures.closed(circuits, edges, Closure.FORWARD)
    for booleans in product([False, True], repeat=len(_ALL)):
        values = dict(zip(edges.cells.values(), booleans, strict=True))
        there = {pair for pair, here in zip(_ALL, booleans, strict=True) if here}
        held = _held(circuits, relaxation, values)
        assert held <= _closed(there)
        if sum(right <= left for left, right in there) == 1:
            cycles = {a for a, b in held if a == b}
            assert cycles == {a for a, b in _closed(there) if a == b}


def test_paths_begin_with_a_step() -> None:
    circuits = Circuits()
    edges = Matrix(2, {pair: circuits.input() for pair in _UP})
    laws = closures.first_steps(circuits, edges, closures.upwards(circuits, edges))
    for booleans in product([False, True], repeat=len(_UP)):
        values = dict(zip(edges.cells.values(), booleans, strict=True))
        assert all(value(circuits, law, values) for law in laws)


def test_edges_without_cycles_have_an_order() -> None:
    assert closures.order_of(Matrix(2, dict.fromkeys(_ALL, 2))) is None
    order = closures.order_of(Matrix(2, dict.fromkeys([(3, 1), (1, 0), (3, 0)], 2)))
    assert order == [3, 1, 0]
