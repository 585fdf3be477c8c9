"""Every built-in generator keeps the rules that generators of other packages are held to."""

from __future__ import annotations

from inspect import getmembers, isfunction

import pytest

from harness.conformance import GeneratorConformance
from harness.generators.registry import BUILT_IN, find_generator

WITH_MORE = {
    "korat-plus": "search_tree_delete",
    "one-per-class": "search_tree_delete",
    "field-exhaustive": "field_sorted_list",
    "sat-exhaustive": "field_sorted_list",
}
"""Subjects of generators that need a criterion, or a declarative invariant."""
FEWER = {"hypothesis": "hypothesis:5", "hypothesis-stateful": "hypothesis-stateful:5", "random": "random:50"}
"""Generators by names that have them make fewer inputs."""
RULES = [name for name, _ in getmembers(GeneratorConformance, isfunction) if name.startswith("test_")]


LONGEST = {("hypothesis-stateful", "test_errors_are_told_in_one_line")}
PAIRS = [
    pytest.param(name, rule, marks=[pytest.mark.slow] if (name, rule) in LONGEST else [])
    for name in BUILT_IN
    for rule in RULES
]


@pytest.mark.parametrize(("name", "rule"), PAIRS)
def test_a_built_in_generator_keeps_the_rule(name: str, rule: str) -> None:
    held = GeneratorConformance()
    held.generator = FEWER.get(name) or find_generator(name)
    held.subject = WITH_MORE.get(name, "search_tree")
    getattr(held, rule)()
