"""A subject that cannot be evaluated is rejected in one line and in time."""

import pytest
from command_line import IMPLEMENTATION, SPEC


def spec_with(first_line: str) -> str:
    """Return the spec whose rep_ok begins with that line."""
    return SPEC.replace("    return 0 <=", f"    {first_line}\n    return 0 <=")


def finitization_with(first_line: str) -> str:
    return SPEC.replace("    f = F", f"    {first_line}\n    f = F")


def implementation_with(statement: str, result: str) -> str:
    """The implementation that executes a statement when it is loaded, and returns `result` from `push`."""
    return f"{statement}\n" + IMPLEMENTATION.replace("self.count + number", result)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("implementation", "spec", "says"),
    [
        (IMPLEMENTATION, spec_with("while pile.count >= 0: pass"), "return on candidate Pile(count=0, limit=?)"),
        (
            IMPLEMENTATION,
            spec_with("while True: pass"),
            "rep_ok did not return on candidate Pile(count=?, limit=?) within 1 s",
        ),
        (IMPLEMENTATION, finitization_with("while True: pass"), "finitization(1) did not return within 1 s"),
        (IMPLEMENTATION + "while True: pass\n", SPEC, "impl.py did not load within 1 s"),
    ],
)
def test_an_endless_subject_is_ended(implementation, spec, says, place):
    place.subject("pile", implementation, spec)
    assert says in place.refuse("run", "--subject", "pile", "--scope", 1, MUTASCOPE_CANDIDATE_SECONDS="1")
    assert place.processes() == []


def test_an_original_that_breaks_its_invariant_is_a_finding(place):
    place.subject("pile", IMPLEMENTATION.replace("self.count < self.limit", "self.count <= self.limit"))
    message = place.refuse("run", "--subject", "pile", "--scope", 1, status=1)
    assert "the original fails on input 0, Pile(count=0, limit=0).push(0)" in message
    assert "its post-state does not satisfy rep_ok; correct /" in message
    assert message.rstrip().endswith("/pile/impl.py or spec.py")


@pytest.mark.slow
@pytest.mark.parametrize(
    "implementation",
    [
        implementation_with("import random", "random.random()"),
        implementation_with("import time", "id(self) + time.perf_counter()"),
        implementation_with("import os", "sum(1 for _ in range(os.urandom(1)[0]))"),
    ],
)
def test_a_subject_that_is_not_deterministic_is_a_finding(implementation, place):
    place.subject("pile", implementation)
    message = place.refuse("run", "--subject", "pile", "--scope", 2, status=1)
    assert (
        "the subject is not deterministic: run again in reverse order, the unchanged program did otherwise" in message
    )
    assert place.processes() == []
    assert list(place.temporary.iterdir()) == []
