"""The operator-stratified sample."""

from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from harness.model.outcome import Location, Mutant, MutantStatus
from harness.mutation.manifest import allot, sample


def mutants(**counts: int) -> list[Mutant]:
    place = Location(1, 0, 1, 1)
    return [
        Mutant(f"{operator}:{n}", operator, f"f{n % 3}", place, "a", "b", "")
        for operator, count in counts.items()
        for n in range(count)
    ]


def test_a_sample_has_the_size_asked_for_and_keeps_the_order():
    everything = mutants(AOR=30, ROR=60, LCR=1)
    chosen = sample(everything, 40, 0)
    assert len(chosen) == 40
    assert chosen == [m for m in everything if m in chosen]


def test_every_operator_is_there_and_large_ones_have_more():
    counts = Counter(m.operator for m in sample(mutants(AOR=30, ROR=60, LCR=1), 31, 0))
    assert counts == {"LCR": 1, "AOR": 10, "ROR": 20}


def test_an_operators_places_are_spread_over_functions():
    assert Counter(m.function for m in sample(mutants(AOR=30), 15, 0)) == {"f0": 5, "f1": 5, "f2": 5}


def test_only_viable_mutants_are_sampled():
    everything = [replace(m, status=MutantStatus.STILLBORN) if m.id == "AOR:0" else m for m in mutants(AOR=3)]
    assert [m.id for m in sample(everything, 9, 0)] == ["AOR:1", "AOR:2"]


def test_seeds_choose_and_the_same_seed_chooses_the_same():
    everything = mutants(AOR=60)
    assert sample(everything, 20, 1) == sample(list(everything), 20, 1) != sample(everything, 20, 2)


def test_the_choice_within_an_operator_does_not_hang_on_other_operators():
    separate = sample(mutants(AOR=30), 10, 7)
    among = [m for m in sample(mutants(AOR=30, ROR=30), 20, 7) if m.operator == "AOR"]
    assert separate == among


@given(st.dictionaries(st.text(max_size=3), st.integers(0, 50), max_size=6), st.integers(0, 200))
def test_shares_sum_up_exceed_no_count_and_are_proportional(counts, places):
    shares = allot(counts, places)
    total = sum(counts.values())
    assert sum(shares.values()) == min(places, total)
    for name, count in counts.items():
        assert 0 <= shares[name] <= count
        assert not total or abs(shares[name] - count * min(places, total) / total) < 1
