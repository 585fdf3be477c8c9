"""Every input of small scopes does what a plain sorted tuple would do."""

import sys
from types import CodeType, FrameType
from typing import Any

import pytest
from models import MODELS
from subject_samples import NAMES, inputs, loaded, number_of_inputs

from harness.kernel.specs.tokens import Token


def test_every_subject_has_a_model_or_a_test_of_its_own():
    assert {*MODELS, "hash_set", "av_tree"} == {*NAMES}


def plain(value: Any) -> Any:
    """Tokens by their name, as those of two copies of a state are different objects."""
    return repr(value) if isinstance(value, Token) else tuple(map(plain, value)) if isinstance(value, tuple) else value


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("scope", [1, 2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_every_input_does_what_the_model_does(name, scope):
    subject = loaded(name)
    for one in inputs(subject, scope):
        state, arguments = one.make()
        valid = one.target.requires(state, *arguments) if one.target.requires else subject.spec.rep_ok(state)
        assert valid is True
        before = plain(subject.spec.abstraction(state))
        other_states = [argument for argument in arguments if type(argument) is type(state)]
        values = [plain(subject.abstract(a)) if a in other_states else plain(a) for a in arguments]
        returned, after = MODELS[name][one.target.name](before, *values)
        assert subject.invoke(one.target, state, arguments) == returned, (before, one.target.name, values)
        assert plain(subject.abstract(state)) == after, (before, one.target.name, values)
        assert all(subject.abstract(other) == () for other in other_states)


@pytest.mark.parametrize("name", NAMES)
def test_every_line_of_the_predicates_runs_while_korat_searches_scope_two(name):
    subject = loaded(name)
    executed: dict[CodeType, set[int]] = {}

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename == subject.spec.module.__file__ and frame.f_code.co_name not in NOT_PREDICATES:
            executed.setdefault(frame.f_code, set()).add(frame.f_lineno)
            return trace
        return None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        number_of_inputs(subject, 2)
    finally:
        sys.settrace(before)
    own = {target.requires.__name__ for target in subject.spec.finitization(2).targets if target.requires}
    assert {code.co_name for code in executed} >= {"rep_ok", *own}
    for code, lines in executed.items():
        assert {line for _, _, line in code.co_lines() if line} <= lines | {code.co_firstlineno}, code.co_name


NOT_PREDICATES = ("finitization", "_heaps")
