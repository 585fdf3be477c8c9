"""A subject that cannot be evaluated is rejected in one line and in time."""

from __future__ import annotations

import pytest
from command_line import IMPLEMENTATION, SPEC, Place

pytestmark = pytest.mark.end_to_end

A_SECOND = {"MUTASCOPE_CANDIDATE_SECONDS": "1"}


def spec_with(first_line: str) -> str:
    """Return the spec whose rep_ok begins with that line."""
    return SPEC.replace("    return 0 <=", f"    {first_line}\n    return 0 <=")


def finitization_with(first_line: str) -> str:
    return SPEC.replace("    f = F", f"    {first_line}\n    f = F")


def implementation_with(statement: str, result: str) -> str:
    """The implementation that executes a statement when it is loaded, and returns `result` from `push`."""
    return f"{statement}\n" + IMPLEMENTATION.replace("self.count + number", result)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        (spec_with("raise KeyError('here')"), "rep_ok raised KeyError: 'here'"),
        (spec_with("raise SystemExit(3)"), "SystemExit ended the generation"),
        (spec_with("return False"), "rep_ok accepted none of 1 candidates"),
        (finitization_with("1 / 0"), "finitization(1) raised ZeroDivisionError"),
        (finitization_with("raise SystemExit(3)"), "finitization(1) raised SystemExit"),
        (SPEC.replace("return f\n", ""), "finitization(1) returned NoneType"),
        (SPEC.replace("range(scope)", "range(10**12)"), "more than 65536 values"),
        (SPEC.replace('    f.set("Pile.limit", range(scope + 1))\n', ""), 'add f.set("Pile.limit", ...) to finitiz'),
        (SPEC.replace('"Pile.limit"', '"Pile.limitt"'), "gives Pile a field 'limit', which has no field domain"),
        (SPEC.replace("    return f", '    f.set("Pile.cuont", range(3))\n    return f'), "did you mean 'count'?"),
        (SPEC.replace("(pile)", "(pile"), "'(' was never closed"),
        (SPEC.replace("rep_ok", "repok"), "has no function rep_ok"),
    ],
)
def test_an_unusable_spec_is_refused(spec: str, says: str, place: Place) -> None:
    place.subject("pile", spec=spec)
    message = place.refuse("run", "--subject", "pile", "--scope", 1)
    assert says in message
    assert "pile" in message


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        (spec_with("while pile.count >= 0: pass"), "rep_ok did not return on candidate Pile(count=0, limit=?)"),
        (spec_with("while True: pass"), "rep_ok did not return on candidate Pile(count=?, limit=?) within 1 s"),
        (finitization_with("while True: pass"), "finitization(1) did not return within 1 s"),
    ],
)
def test_an_endless_spec_is_ended(spec: str, says: str, place: Place) -> None:
    place.subject("pile", spec=spec)
    assert says in place.refuse("run", "--subject", "pile", "--scope", 1, **A_SECOND)
    assert place.processes() == []


def test_the_limit_of_an_endless_spec_is_a_positive_number(place: Place) -> None:
    place.subject("pile")
    message = place.refuse("generate", "pile", "--scope", 1, MUTASCOPE_CANDIDATE_SECONDS="soon")
    assert "MUTASCOPE_CANDIDATE_SECONDS is 'soon'" in message


@pytest.mark.parametrize(
    ("implementation", "says"),
    [
        (IMPLEMENTATION + "def (:\n", "impl.py:10: SyntaxError"),
        (IMPLEMENTATION + "1 / 0\n", "impl.py:10: ZeroDivisionError while it was loaded: division by zero; correct"),
        (IMPLEMENTATION + "raise SystemExit\n", "impl.py:10: SystemExit while it was loaded; correct"),
        (implementation_with("import os", "os._exit(0)"), "ended with exit status 0; correct"),
        (implementation_with("import os", "os.kill(os.getpid(), 11)"), "ended by SIGSEGV; correct"),
    ],
)
def test_an_implementation_that_does_not_run_is_refused(implementation: str, says: str, place: Place) -> None:
    place.subject("pile", implementation)
    assert says in place.refuse("run", "--subject", "pile", "--scope", 1)


def test_an_implementation_that_never_finishes_loading_is_ended(place: Place) -> None:
    place.subject("pile", IMPLEMENTATION + "while True: pass\n")
    message = place.refuse("run", "--subject", "pile", "--scope", 1, **A_SECOND)
    assert "impl.py did not load within 1 s" in message
    assert place.processes() == []


def test_an_original_that_breaks_its_invariant_is_a_finding(place: Place) -> None:
    place.subject("pile", IMPLEMENTATION.replace("self.count < self.limit", "self.count <= self.limit"))
    message = place.refuse("run", "--subject", "pile", "--scope", 1, status=1)
    assert "the original fails on input 0, Pile(count=0, limit=0).push(0)" in message
    assert "its post-state does not satisfy rep_ok; correct /" in message
    assert message.rstrip().endswith("/pile/impl.py or spec.py")


@pytest.mark.parametrize(
    "implementation",
    [
        implementation_with("import random", "random.random()"),
        implementation_with("import time", "id(self) + time.perf_counter()"),
        implementation_with("CALLS = []", "CALLS.append(1) or len(CALLS)"),
        implementation_with("import os", "sum(1 for _ in range(os.urandom(1)[0]))"),
    ],
)
def test_a_subject_that_is_not_deterministic_is_a_finding(implementation: str, place: Place) -> None:
    place.subject("pile", implementation)
    message = place.refuse("run", "--subject", "pile", "--scope", 2, status=1)
    assert (
        "the subject is not deterministic: run again in reverse order, the unchanged program did otherwise" in message
    )
    assert place.processes() == []
    assert list(place.temporary.iterdir()) == []


def test_a_target_that_cannot_take_its_arguments_is_refused(place: Place) -> None:
    place.subject("pile", spec=SPEC.replace('"push", range(scope)', '"push", range(scope), range(scope)'))
    assert "target 'push' of the finitization" in place.refuse("run", "--subject", "pile", "--scope", 1)
    place.subject("other", spec=SPEC.replace('"push"', '"pusch"'))
    assert "names target 'pusch', but Pile has no such method" in place.refuse(
        "run", "--subject", "other", "--scope", 1
    )
