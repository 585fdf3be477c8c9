"""A plain function of an installed package is found by its entry point, and a wrong one is named with its line."""

import importlib
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.plug_ins import install_plug_in

from harness import api
from harness.conformance import GeneratorConformance
from harness.errors import UsageError
from harness.generators.process import make_suite
from harness.generators.registry import ENTRY_POINTS, find_generator, plug_in_paths
from harness.generators.requests import SuiteRequest
from harness.runner.subjects import load_subject

PACKAGE = """
def calls(subject, scope, seed):
    for length in range(scope):
        yield [("SearchTree",), *[("add", seed)] * length]


def twice(subject, scope, seed):
    yield subject.module.SearchTree(), "add", (0,)
    yield subject.module.SearchTree(), "add", (0,)


def endless(subject, scope, seed):
    yield subject.module.SearchTree(), "add", (0,)
    while True:
        pass


def misfit(subject):
    yield [("SearchTree",)]
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    install_plug_in(tmp_path, "functions_of_trees", PACKAGE, ENTRY_POINTS, ("calls", "twice", "endless", "misfit"))
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path / "functions_of_trees.py"
    sys.modules.pop("functions_of_trees", None)
    importlib.invalidate_caches()


class Calls(GeneratorConformance):
    generator = "calls"


@pytest.mark.usefixtures("module")
def test_a_function_of_a_package_keeps_the_rules_of_all_generators():
    assert "calls" in api.available_names()["generators"]
    Calls().test_the_same_seed_gives_the_same_bytes()
    Calls().test_every_input_is_valid_within_the_scope_and_there_once()


def test_the_version_is_that_of_the_text_and_the_package_may_be_read_wherever_it_is(module):
    version = find_generator("calls").version
    assert find_generator("calls:distinct").version == version
    assert plug_in_paths("calls:distinct") == [module]
    assert plug_in_paths("korat") == plug_in_paths("mine.py:calls") == []
    module.write_text(PACKAGE.replace("range(scope)", "range(2 * scope)"), encoding="utf-8")
    assert find_generator("calls").version != version


def suite_made(name: str, folder: Path) -> list[str]:
    """Make a suite in this process, and return the lines that it tells."""
    told: list[dict[str, Any]] = []
    request = SuiteRequest.by(name, load_subject("search_tree"), 1, 0, folder / "suite")
    headway: Any = SimpleNamespace(begins=lambda *stage, **kind: None, teller=SimpleNamespace(report=told.append))
    make_suite(replace(request, candidate_seconds=0.2), headway)
    return [fact["text"] for fact in told if fact["kind"] == "Notice"]


@pytest.mark.usefixtures("module")
def test_what_a_function_of_states_gave_is_told_as_that_of_a_file(tmp_path):
    assert suite_made("twice", tmp_path)[0] == "1 of 2 inputs came twice; each counts once"


@pytest.mark.usefixtures("module")
def test_a_function_of_states_without_an_end_is_ended_and_named(tmp_path):
    with pytest.raises(UsageError, match=r"trees\.py: endless, in line 14, gave no new input within 0.2 s of"):
        suite_made("endless", tmp_path)


@pytest.mark.usefixtures("module")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("misfit", r"TypeError: it is called with \(subject, scope, seed\), and takes \(subject\); repair"),
        ("calls:sorted", "generator 'calls:sorted': 'sorted' is none of its options; .*, distinct, most=NUMBER"),
    ],
)
def test_other_arguments_and_options_that_there_are_not_are_refused(name, message):
    with pytest.raises(UsageError, match=message):
        find_generator(name)
