"""Circuits against truth tables, and the clauses made of them."""

from itertools import product
from random import Random

import pytest
from pysat.solvers import Solver as PysatSolver
from sat.circuit_values import value

from harness.errors import UsageError
from harness.generators.sat.circuits import FALSE, TRUE, Circuits
from harness.generators.sat.cnf import Clauses, Gates


def test_the_same_gate_is_made_once() -> None:
    circuits = Circuits()
    a, b = circuits.input(), circuits.input()
    assert circuits.both(a, b) == circuits.all([b, a, TRUE]) == -circuits.either(-a, -b)


def test_constants_and_contradictions_need_no_gate() -> None:
    circuits = Circuits()
    a, b = circuits.input(), circuits.input()
    assert circuits.all([a, -a, b]) == circuits.both(a, -a) == circuits.both(a, FALSE) == FALSE
    assert circuits.any([a, -a]) == circuits.all([]) == TRUE
    assert circuits.either(a, FALSE) == a
    assert len(circuits.gates) == 4


def test_what_is_known_to_be_implied_is_not_said() -> None:
    circuits = Circuits()
    a, b, c = (circuits.input() for _ in range(3))
    circuits.imply(a, c)
    circuits.imply(b, c)
    assert circuits.both(a, c) == a
    assert circuits.both(circuits.either(a, b), c) == circuits.either(a, b)
    circuits.name_any([a, b], c)
    assert circuits.any([a, b]) == circuits.either(a, b)


def test_a_formula_beyond_memory_is_refused() -> None:
    circuits = Circuits(most_gates=10)
    with pytest.raises(UsageError, match=r"more than 10 gates at this scope.*choose a smaller scope"):
        circuits.at_most_one(circuits.input() for _ in range(10))


@pytest.mark.parametrize("size", [0, 1, 2, 5])
def test_at_most_one_and_suffixes_say_what_they_are_called(size: int) -> None:
    circuits = Circuits()
    inputs = [circuits.input() for _ in range(size)]
    at_most_one, suffixes = circuits.at_most_one(inputs), circuits.suffixes(inputs)
    for inputs_true in product([False, True], repeat=size):
        values = dict(zip(inputs, inputs_true, strict=True))
        assert value(circuits, at_most_one, values) is (sum(inputs_true) <= 1)
        assert [value(circuits, each, values) for each in suffixes] == [any(inputs_true[at:]) for at in range(size + 1)]


@pytest.mark.parametrize("gates", Gates)
def test_clauses_have_the_models_of_the_circuit(gates: Gates) -> None:
    for seed in range(40):
        random, circuits = Random(seed), Circuits()
        inputs = [circuits.input() for _ in range(4)]
        literals = list(inputs)
        for _ in range(8):
            parts = [random.choice((-1, 1)) * each for each in random.sample(literals, random.randint(2, 3))]
            literals.append(circuits.all(parts) if random.random() < 0.5 else circuits.any(parts))
        clauses = Clauses(circuits, gates)
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
