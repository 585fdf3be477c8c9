"""All engines and brute force agree on random small classes, invariants and finitizations."""

from collections import Counter

import pytest
from generator_samples import Sample, check_against_brute_force
from hypothesis import HealthCheck, assume, given, settings
from random_containers import container_programs
from random_programs import Program, programs
from random_samples import small
from support.compiled_samples import by_reference, compiled, module
from support.sweeps import examples

from harness.generators.states.native.untranslatable import Untranslatable
from harness.kernel.inputs.state_space import StateSpace

ENDS: Counter[str] = Counter()
QUIETLY = {"deadline": None, "derandomize": True, "suppress_health_check": list(HealthCheck)}


def check(program: Program) -> None:
    code, space = module(program.source), StateSpace(program.finitization())
    expected = by_reference(code, space)
    for outcomes in (False, True):
        if outcomes and "try:" in program.source:
            with pytest.raises(Untranslatable, match="Try in a generator, or with outcome pruning"):
                compiled(code, space, outcomes=True)
            continue
        outcome = compiled(code, space, outcomes=outcomes)  # the subset contains more than the drawn programs
        if expected.error or outcome.error:
            assert bool(expected.error) <= bool(outcome.error)
            assert expected.vectors[: len(outcome.vectors)] == outcome.vectors
        else:
            assert outcome.vectors == expected.vectors
            assert outcome.explored == expected.explored or (outcomes and outcome.explored < expected.explored)
        ENDS[
            "raises"
            if expected.error
            else "gave up"
            if outcome.error
            else "nothing"
            if not outcome.vectors
            else "found"
        ] += 1


@given(programs())
@settings(max_examples=examples(40), **QUIETLY)
def random_program(program):
    assume(StateSpace(program.finitization()).size <= 20_000)
    check(program)


@pytest.mark.slow
def test_all_engines_agree_on_random_programs_of_which_a_good_part_finds_something():
    ENDS.clear()
    random_program()
    assert ENDS["found"] > ENDS.total() / 5 > 0
    assert ENDS["raises"] + ENDS["gave up"] < 0.2 * ENDS.total()


@pytest.mark.slow
@given(programs())
@settings(max_examples=examples(40), **QUIETLY)
def test_what_is_found_of_random_programs_is_what_brute_force_finds(program):
    assume(small(program.finitization()))
    code = module(program.source)

    def survives(root):
        try:
            return code.rep_ok(root)
        except Exception:
            return False

    check_against_brute_force(Sample("random", program.source, program.finitization, survives))


@pytest.mark.slow
@given(container_programs())
@settings(max_examples=examples(16), **QUIETLY)
def test_all_engines_agree_on_random_programs_about_containers(program):
    check(program)
