"""Field domains of odd values: every engine takes each value for what it is, or says that it cannot."""

import math

import pytest
from generator_samples import module, predicate, shared_objects, workshop
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from support.sweeps import examples

from harness.errors import SpecError
from harness.generators.policies.brute_force import labelled_states
from harness.generators.states.engine import StateSearch
from harness.generators.states.native.untranslatable import Untranslatable
from harness.generators.states.reference.search import KoratSearch
from harness.generators.states.translated.search import CompiledSearch, Pace, SearchGaveUp
from harness.kernel.inputs.state_space import Decoder, StateSpace
from harness.model.finitization import Finitization

SOURCE = """
class R:
    def __init__(self):
        self.x = self.y = None
"""
VALUES = (
    *(None, False, True, 0, 1, -1, 0.0, -0.0, 1.0, 0.5, math.inf, 1e308),
    *(2**59 - 1, 2**59, -(2**59), 2**63, 2**64, 1 << 200),
    *("", "0", "1", "a", "A", "None", "\0", "a\0b", "\ud800", "\udfff\ud800"),
    *("é", "e\u0301", '"', "\\", "\n", "%s", "*/"),
)
CONDITIONS = (
    "root.x == root.y",
    "root.x != root.y",
    "not root.x",
    "root.x is None or root.y is True",
    "root.x == 1",
    "root.x is True",
    "root.x in (1, 'a', None)",
    "root.x in [root.y, 0]",
    "root.x in {root.y}",
    "{root.x: 1}.get(root.y, 0) == 1",
    "root.x == '\\0' or root.y == 'a\\0b'",
    "root.x == '\\ud800'",
    "root.x == 'é' or root.x == 'e\\u0301'",
    "root.x == '*/' or root.y == '\\\\'",
    "type(root.x) is type(root.y)",
    "isinstance(root.x, int)",
    "isinstance(root.x, bool) or isinstance(root.y, str)",
    "isinstance(root.x, float)",
    "isinstance(root.x, str) and len(root.x) < 2",
    "repr(root.x) < repr(root.y)",
    "str(root.x) == '1' and hash(root.x) == hash(root.x)",
    "isinstance(root.x, int) and isinstance(root.y, int) and root.x < root.y",
    "isinstance(root.x, int) and root.x + 1 > 1",
    "isinstance(root.x, str) and root.x < 'a'",
    "isinstance(root.x, str) and isinstance(root.y, str) and root.x + root.y == 'a1'",
    "repr(root.x) == '-0.0'",
)


def description(value):
    """Return a key that distinguishes a value from all others, equal ones of other types and signs among them."""
    return type(value).__name__, repr(value)


domains = st.lists(st.sampled_from(VALUES), min_size=1, max_size=5, unique_by=lambda value: (type(value), value))


@pytest.mark.slow
@given(domains, domains, st.sampled_from(CONDITIONS))
@example([1, True, 1.0], [True, 1.0, 1], "repr(root.x) < repr(root.y)")
@example([0.0], [-0.0], "root.x == root.y")
@example([0.0, 1], [-0.0, 1], "not root.x")
@example(["\ud800", "\0"], ["a\0b", "\\"], "root.x == '\\ud800'")
@example([2**59 - 1, 2**59], [2**64], "isinstance(root.x, int) and root.x + 1 > 1")
@settings(max_examples=examples(100), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_engine_takes_each_value_for_what_it_is(of_x, of_y, condition):
    f = Finitization("R")
    f.set("R.x", *of_x)
    f.set("R.y", *of_y)
    code, space = module(SOURCE), StateSpace(f)
    rep_ok = predicate(f"def rep_ok(root):\n    return {condition}\n")
    states = {}
    for vector in labelled_states(space, code, rep_ok):
        root = Decoder(space, code).decode(vector).root
        states[vector] = description(root.x), description(root.y)
    expected = {
        (i, j): (description(x), description(y))
        for i, x in enumerate(of_x)
        for j, y in enumerate(of_y)
        if rep_ok(type("R", (), {"x": x, "y": y}))
    }
    assert states == expected
    reference = KoratSearch(space, code, rep_ok)
    vectors = list(reference)
    assert len(set(vectors)) == len(vectors)
    assert set(vectors) == set(expected)
    chosen = StateSearch(space, code, rep_ok, workshop(pace=Pace(1)))
    assert (list(chosen), chosen.explored) == (vectors, reference.explored)
    try:
        compiled = CompiledSearch(space, code, rep_ok, shared_objects())
        found = list(compiled)
    except (Untranslatable, SearchGaveUp):
        return
    assert (found, compiled.explored) == (vectors, reference.explored)


@pytest.mark.parametrize("values", [[0.0, -0.0], [1, 1], [True, False, True], ["a", "a"]])
def test_the_same_value_twice_is_refused_in_one_line(values):
    f = Finitization("R")
    with pytest.raises(SpecError, match=r"field domain of R.x holds .* twice; give each value once"):
        f.set("R.x", *values)
