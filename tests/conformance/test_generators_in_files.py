"""A function in a file, and a file of calls, keep the rules of all generators."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.conformance import GeneratorConformance
from harness.generators.policies.own.generator import OwnGenerator, SequencesChosen

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
