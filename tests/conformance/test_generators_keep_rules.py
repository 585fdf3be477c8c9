"""Built-in generators, functions in files and files of calls keep the rules of all generators."""

from __future__ import annotations

from inspect import getmembers, isfunction
from pathlib import Path

import pytest

from harness.conformance import GeneratorConformance
from harness.generators.policies.own.generator import OwnGenerator, SequencesChosen
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


FUNCTION = """
from random import Random


def generate(subject, scope, seed):
    draw = Random(seed)
    for length in range(1, 8):
        calls = [(draw.choice(["add", "remove"]), draw.randrange(scope + 3)) for _ in range(length)]
        yield [(subject.root,), *calls]
"""
LINES = '[["SearchTree"], ["add", 1], ["remove", 1]]\n[["SearchTree"], ["add", 17]]\n[["SearchTree"], ["add", 17]]\n'


class TestFunction(GeneratorConformance):
    generator = OwnGenerator("mine.py:generate", FUNCTION)


class TestLines(GeneratorConformance):
    generator = OwnGenerator("cases.jsonl", LINES)


def test_a_relative_path_is_that_of_the_folder_in_which_the_tests_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Here(GeneratorConformance):
        generator = "cases.jsonl"

    monkeypatch.chdir(tmp_path)
    Path("cases.jsonl").write_text(LINES, encoding="utf-8")
    Here().test_it_tells_what_it_is_at()
    monkeypatch.setattr(SequencesChosen, "explore", lambda *_: 1 / 0)
    with pytest.raises(AssertionError, match="rep_ok raises: it raises ZeroDivisionError"):
        Here().test_errors_are_told_in_one_line()
