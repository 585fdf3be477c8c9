"""Every input of small scopes does what a plain sorted tuple would do."""

from itertools import product
from typing import Any

import pytest
from models import FIELD_MODELS, MODELS
from subject_samples import NAMES, inputs, loaded

from harness.kernel.specs.tokens import Token


def test_every_subject_has_a_model_or_a_test_of_its_own():
    assert {*MODELS, "hash_set", "av_tree"} == {*NAMES}


def plain(value: Any) -> Any:
    """Tokens by their name, as those of two copies of a state are different objects."""
    return repr(value) if isinstance(value, Token) else tuple(map(plain, value)) if isinstance(value, tuple) else value


@pytest.mark.parametrize(
    ("name", "scope"),
    [
        *product(MODELS, (1, 2, 3)),
        *product(FIELD_MODELS, (4,)),
        ("field_tree_set", 6),
        *(pytest.param(name, 4, marks=pytest.mark.slow) for name in MODELS),
    ],
)
def test_every_input_does_what_the_model_does(name, scope):
    subject, models = loaded(name), (MODELS | FIELD_MODELS)[name]
    for one in inputs(subject, scope):
        state, arguments = one.make()
        valid = one.target.requires(state, *arguments) if one.target.requires else subject.spec.rep_ok(state)
        assert valid is True
        before = plain(subject.spec.abstraction(state))
        other_states = [argument for argument in arguments if type(argument) is type(state)]
        values = [plain(subject.abstract(a)) if a in other_states else plain(a) for a in arguments]
        expected, after = models[one.target.name](before, *values)
        result = subject.invoke(one.target, state, arguments)
        assert result == expected, (before, one.target.name, values)
        assert isinstance(result, bool) is isinstance(expected, bool)
        assert plain(subject.abstract(state)) == after, (before, one.target.name, values)
        assert all(subject.abstract(other) == () for other in other_states)
