"""Circuits, integers in the order encoding and closures against truth tables, Python and steps followed one by one."""

from itertools import product
from random import Random

import pytest
from pysat.solvers import Solver as PysatSolver

from harness.errors import UsageError
from harness.generators.sat import circuits as circuits_module
from harness.generators.sat import matrices
from harness.generators.sat.circuits import TRUE, Circuits, Clauses
from harness.generators.sat.matrices import Matrix
from harness.generators.sat.numbers import Integers, Unary, total


def test_a_formula_beyond_memory_is_refused(monkeypatch):
    monkeypatch.setattr(circuits_module, "MOST_GATES", 10)
    circuits = Circuits()
    with pytest.raises(UsageError, match=r"more than 10 gates at this scope.*choose a smaller scope"):
        circuits.at_most_one(circuits.input() for _ in range(10))


@pytest.mark.parametrize("both_ways", [False, True])
def test_clauses_have_the_models_of_the_circuit(both_ways):
    for seed in range(40):
        random, circuits = Random(seed), Circuits()
        inputs = [circuits.input() for _ in range(4)]
        literals = list(inputs)
        for _ in range(8):
            parts = [random.choice((-1, 1)) * each for each in random.sample(literals, random.randint(2, 3))]
            literals.append(circuits.all(parts) if random.random() < 0.5 else circuits.any(parts))
        clauses = Clauses(circuits, both_ways)
        for each in inputs:
            clauses.name(each)
        clauses.require(literals[-1])
        clauses.require(-literals[-2])
        expected = {
            given
            for given in product([False, True], repeat=4)
            if value(circuits, literals[-1], values := dict(zip(inputs, given, strict=True)))
            and not value(circuits, literals[-2], values)
        }
        assert _models(clauses) == expected


def _models(clauses: Clauses) -> set[tuple[bool, ...]]:
    models = set()
    with PysatSolver(name="minisat22", bootstrap_with=[each for each in clauses.clauses if each]) as solver:
        for booleans in product([False, True], repeat=4):
            assumed = [at + 1 if each else -at - 1 for at, each in enumerate(booleans)]
            if [] not in clauses.clauses and solver.solve(assumptions=assumed):
                models.add(booleans)
    return models


def _read(circuits: Circuits, number: Unary, values: dict[int, bool]) -> int:
    reached = [value(circuits, each, values) for each in number.reached]
    assert reached == sorted(reached, reverse=True)
    return number.least + sum(reached)


@pytest.mark.parametrize("lone", [False, True])
def test_the_total_of_a_set_is_the_sum_of_its_integers(lone):
    circuits = Circuits()
    held = {each: circuits.input() for each in (-2, -1, 0, 3)}
    sum_of_set = total(circuits, Integers(held, lone))
    for booleans in product([False, True], repeat=4):
        if not lone or sum(booleans) <= 1:
            values = dict(zip(held.values(), booleans, strict=True))
            assert _read(circuits, sum_of_set, values) == sum(
                each for each, here in zip(held, booleans, strict=True) if here
            )


_ALL = list(product(range(3), repeat=2))
_UP = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]


def _closed(pairs: set[tuple[int, int]]) -> set[tuple[int, int]]:
    while further := {(a, d) for a, b in pairs for c, d in pairs if b == c} - pairs:
        pairs = pairs | further
    return pairs


def _held(circuits: Circuits, matrix: Matrix, values: dict[int, bool]) -> set[tuple[int, ...]]:
    return {atoms for atoms, literal in matrix.cells.items() if value(circuits, literal, values)}


@pytest.mark.parametrize("possible", [_ALL, _UP])
def test_closures_are_those_of_every_relation(possible):
    circuits = Circuits()
    edges = Matrix(2, {pair: circuits.input() for pair in possible})
    whole = matrices.closed(circuits, edges)
    from_first = matrices.reached(circuits, Matrix(1, {(0,): TRUE}), edges, lambda: whole)
    rows = matrices.reached(circuits, edges, edges, lambda: whole)
    for booleans in product([False, True], repeat=len(possible)):
        values = dict(zip(edges.cells.values(), booleans, strict=True))
        there = {pair for pair, here in zip(possible, booleans, strict=True) if here}
        expected = _closed(there)
        assert _held(circuits, whole, values) == expected
        assert _held(circuits, from_first, values) == {(right,) for left, right in expected if left == 0}
        further = {(a, d) for a, b in there for c, d in expected if b == c}
        assert _held(circuits, rows, values) == further


def test_the_relaxation_has_part_of_the_closure_and_all_single_steps_down():
    circuits = Circuits()
    edges = Matrix(2, {pair: circuits.input() for pair in _ALL})
    relaxation = matrices.closed(circuits, edges, is_relaxed=True)
    for booleans in product([False, True], repeat=len(_ALL)):
        values = dict(zip(edges.cells.values(), booleans, strict=True))
        there = {pair for pair, here in zip(_ALL, booleans, strict=True) if here}
        held = _held(circuits, relaxation, values)
        assert held <= _closed(there)
        if sum(right <= left for left, right in there) == 1:
            cycles = {a for a, b in held if a == b}
            assert cycles == {a for a, b in _closed(there) if a == b}


def value(circuits: Circuits, literal: int, inputs: dict[int, bool]) -> bool:
    """Return the value of a literal, given those of the inputs."""
    if literal < 0:
        return not value(circuits, -literal, inputs)
    parts = circuits.gates[literal]
    if parts is None:
        return literal == TRUE or inputs[literal]
    return all(value(circuits, part, inputs) for part in parts)
