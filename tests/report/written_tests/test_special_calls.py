"""Calls of special methods are written as what one writes instead."""

import pytest

from harness.report.written_tests.special_calls import as_operators


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("cache.__getitem__((1, 2))", "cache[(1, 2)]"),
        ('cache.__setitem__("a, b", [1])', 'cache["a, b"] = [1]'),
        ("cache.__delitem__(1)", "del cache[1]"),
        ("cache.__contains__(1)", "1 in cache"),
        ("cache.__len__()", "len(cache)"),
        ("list()", "[]"),
        ("cache.pop(1)", "cache.pop(1)"),
        ("cache.__getitem__(1, 2)", "cache.__getitem__(1, 2)"),
        ("cache.__setitem__(1, value=2)", "cache.__setitem__(1, value=2)"),
        ("Cache(1)", "Cache(1)"),
    ],
)
def test_a_special_method_is_written_as_its_operator(expression, expected):
    assert as_operators(expression) == expected
