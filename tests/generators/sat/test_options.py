"""Options behind a generator's colon are read in any order, written in one, and wrong ones are told."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import UsageError
from harness.generators.registry import find_generator
from harness.generators.sat.options import Options, Prefer, Reduce
from harness.generators.sat.solver import SOLVERS

ALL = ("fields", "part", "reduce", "prefer", "solver", "instances")


@settings(deadline=None, derandomize=True, max_examples=50)
@given(
    st.builds(
        Options,
        fields=st.lists(st.sampled_from(["left", "right", "Node.key"]), unique=True).map(sorted).map(tuple),
        part=st.integers(1, 100),
        reduce=st.sampled_from(Reduce),
        prefer=st.sampled_from(Prefer),
        solver=st.sampled_from(list(SOLVERS)),
        instances=st.none() | st.integers(1, 999_999_999),
    ).filter(lambda options: str(options) and (options.part == 100 or options.instances is None))
)
def test_what_options_write_they_read(options):
    assert Options.read("field-exhaustive", str(options), ALL) == options


def test_the_order_of_options_and_of_fields_makes_no_other_generator():
    one = find_generator("field-exhaustive:reduce=minimal,fields=right+left")
    other = find_generator("field-exhaustive:fields=left+right,reduce=minimal")
    assert one.name == other.name == "field-exhaustive:fields=left+right,reduce=minimal"


def test_options_that_say_the_default_leave_the_name_as_it_is():
    assert (
        find_generator("field-exhaustive:part=100,solver=cadical195,prefer=new,reduce=nothing").name
        == "field-exhaustive"
    )
    assert find_generator("sat-exhaustive:solver=minisat22").name == "sat-exhaustive:solver=minisat22"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("field-exhaustive:", "'' is none of its options; behind the colon stand, in any order, fields=NAME+NAME"),
        ("field-exhaustive:parts=90", "'parts=90' is none of its options"),
        ("field-exhaustive:part=0", "'0' is no value of part"),
        ("field-exhaustive:part=101", "'101' is no value of part"),
        ("field-exhaustive:part=9.5", "'9.5' is no value of part"),
        ("field-exhaustive:part=50,part=60", "part is said twice"),
        ("field-exhaustive:fields=", "'' is no value of fields"),
        ("field-exhaustive:fields=left+", "'left+' is no value of fields"),
        ("field-exhaustive:reduce=least", "reduce=nothing|irredundant|minimal"),
        ("field-exhaustive:instances=0", "'0' is no value of instances"),
        ("field-exhaustive:instances=5,part=90", "part is of the whole extension, which instances leaves unknown"),
        ("field-exhaustive:solver=z3", "solver=cadical195|minisat22"),
        ("sat-exhaustive:part=50", "'part=50' is none of its options; behind the colon stand, in any order, solver="),
    ],
)
def test_a_wrong_option_is_told_in_one_line_with_what_there_is(name, message):
    with pytest.raises(UsageError, match=re.escape(message)) as raised:
        find_generator(name)
    assert "\n" not in str(raised.value)
    assert name in str(raised.value)
