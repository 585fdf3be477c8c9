"""Domains that states vary and sequences fix, or the other way round, compared with the values in the inputs."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import Any

from support.own_subject import write_subject

from harness.analysis.compared import SubjectComparison
from harness.kernel.specs.constructors import making_of_class, with_constructor
from harness.measured.fixed_domains import different_domains, fixed_domains
from harness.model.finitization import Finitization
from harness.model.sequence import ON_MUTANT, SequenceScope

LRU = """
class Lru:
    def __init__(self, capacity: int = 2, *, tag=""):
        self.capacity = capacity
        self.keys = []
        self.label = tag.upper()

    def use(self, key, loud=False):
        if key in self.keys:
            self.keys.remove(key)
        self.keys.append(key)
        del self.keys[: -self.capacity]
"""
SPEC = """
from harness.spec import Finitization

implementation = "impl.py"

def rep_ok(lru):
    return len(lru.keys) <= lru.capacity and len(set(lru.keys)) == len(lru.keys)

def finitization(scope):
    f = Finitization("Lru")
    f.set("Lru.capacity", range(1, scope + 1))
    f.set("Lru.keys", f.lists(1, lengths=range(scope + 1), elements=range(scope)))
    f.set("Lru.label", "")
    f.method("use", range(scope))
    return f
"""


def bounds(scope: int = 3) -> Finitization:
    namespace: dict[str, Any] = {}
    exec(SPEC, namespace)
    finitization: Finitization = namespace["finitization"](scope)
    return finitization


def lines(states: Finitization, sequences: SequenceScope) -> list[tuple[bool, str, str]]:
    differences = different_domains(states, sequences, making_of_class(LRU, "Lru"))
    return [(one.fixed_by_sequences, one.fixed, one.varied) for one in differences]


def test_a_defaulted_parameter_is_fixed_by_derived_sequences_and_its_field_is_varied_by_states() -> None:
    derived = with_constructor(SequenceScope.of_finitization(bounds(), 3), 3, LRU)
    assert lines(bounds(), derived) == [
        (True, "construct Lru with capacity=2", "vary capacity, which the constructor makes of it")
    ]
    # The same by execution: all sequences of three calls have one capacity, the states of the scope three.
    module: dict[str, Any] = {}
    exec(LRU, module)
    seen = set()
    for keys in product(range(3), repeat=3):
        lru = module["Lru"]()
        for key in keys:
            lru.use(key)
            seen.add(lru.capacity)
    fields = dict(bounds().fields_of(bounds().domains[0]))
    assert (seen, set(fields["capacity"])) == ({2}, {1, 2, 3})


def test_a_constructor_that_passes_several_values_is_fair() -> None:
    sequences = SequenceScope("Lru")
    sequences.constructor(range(1, 4))
    sequences.method("use", range(3))
    assert lines(bounds(), sequences) == []


def test_what_sequences_vary_and_states_fix_is_told_as_well() -> None:
    sequences = SequenceScope("Lru")
    sequences.constructor(range(1, 4), tag=("a", "b"))
    sequences.method("use", range(3))
    assert lines(bounds(), sequences) == [(False, "have one label", "vary tag, of which the constructor makes it")]


def test_parameters_and_routines_are_told_that_one_of_them_fixes_or_leaves_out() -> None:
    states = bounds()
    states.method("peek", range(3))
    states.method("turn", False)
    sequences = SequenceScope("Lru")
    sequences.constructor(range(1, 4))
    sequences.method("use", [1])
    sequences.method("turn", [False, True])
    sequences.method("clear")
    assert lines(states, sequences) == [
        (True, "pass 1 as parameter 1 of use", "vary parameter 1 of use"),
        (True, "leave out peek", "call peek"),
        (False, "pass False as parameter 1 of turn", "vary parameter 1 of turn"),
        (False, "leave out clear", "call clear"),
    ]


def test_a_comparison_names_the_generators_on_both_sides(tmp_path) -> None:
    name = write_subject(tmp_path / "lru", LRU, SPEC)

    def compared(**kinds: str | None) -> SubjectComparison:
        suites: Any = {
            name: [SimpleNamespace(trial=SimpleNamespace(sequences=policy))] for name, policy in kinds.items()
        }
        return SubjectComparison(name, "Lru", 3, suites, {})

    calls = ON_MUTANT
    assert fixed_domains(compared(korat=None, random=calls, beapi=calls)) == [
        "Lru, scope 3: inputs of random, beapi only ever construct Lru with capacity=2; those of korat vary capacity, "
        "which the constructor makes of it."
    ]
    assert fixed_domains(compared(random=calls, beapi=calls)) == fixed_domains(compared(korat=None)) == []


def test_a_subject_that_is_gone_is_told_in_a_warning(caplog) -> None:
    suites: Any = {
        name: [SimpleNamespace(trial=SimpleNamespace(sequences=policy))]
        for name, policy in (("korat", None), ("random", ON_MUTANT))
    }
    assert fixed_domains(SubjectComparison("no_such_subject", "Gone", 3, suites, {})) == []
    assert "Gone, scope 3: which domains its generators fix is not known" in caplog.text
