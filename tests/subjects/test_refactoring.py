"""Refactorings by rope: programs of each case are well formed, compile, and show rope's faults."""

import ast
import importlib
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from harness import api, resources
from harness.errors import SpecError
from harness.generators.policies.korat.generator import Korat
from harness.generators.policies.sat_exhaustive import SatExhaustive
from harness.generators.protocol import Task
from harness.generators.states.canonical_form import canonical_form
from harness.kernel.inputs.state_space import Decoder, StateSpace
from harness.kernel.specs.spec import Spec, load_spec
from harness.programs import behaviour

FOLDER = Path(__file__).parents[2] / "subjects" / "refactoring"
CASES = sorted(path.parent.name for path in FOLDER.glob("*/spec.py"))
STATES = {
    "encapsulate_double": 192,
    "encapsulate_list": 52,
    "encapsulate_single": 160,
    "encapsulate_two": 39,
    "extract_method": 310,
    "extract_variable": 66,
    "inline": 600,
    "move_method": 423,
    "rename": 996,
}
"""Shapes x statements x expressions, of one statement and one expression each at the most."""


@pytest.fixture
def engine(monkeypatch):
    pytest.importorskip("rope")
    monkeypatch.syspath_prepend(str(FOLDER / "engine"))
    yield
    for name in [path.stem for path in (FOLDER / "engine").glob("*.py")]:
        sys.modules.pop(name, None)


def spec_of(case: str) -> Spec:
    path = FOLDER / case / "spec.py"
    return load_spec(path.read_text(), str(path))


def programs_of(case: str, scope: int = 1) -> tuple[ModuleType, list[Any]]:
    """Return the driver, and all programs of a scope."""
    spec = spec_of(case)
    assert spec.driver is not None
    driver = importlib.import_module(Path(spec.driver).stem)
    bounds = spec.finitization(scope)
    decoder = Decoder(StateSpace(bounds), driver)
    states = [tuple(vector) for vector, _ in Korat().produce(Task(spec, driver, bounds, 0))]
    return driver, [decoder.decode(state).root for state in states]


def test_these_are_the_cases():
    assert sorted(STATES) == CASES
    assert [f"refactoring/{case}" for case in CASES] == [
        name for name in resources.grouped_subjects() if name.startswith("refactoring/")
    ]


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("case", CASES)
def test_all_programs_compile_and_do_something(case):
    driver, programs = programs_of(case)
    assert len(programs) == STATES[case]
    for program in programs:
        marked = program.modules(driver.TABLES)
        assert sum(text.count("«") for _, text in marked) == 1
        assert behaviour([(name, text.replace("«", "").replace("»", "")) for name, text in marked])


@pytest.mark.slow
@pytest.mark.usefixtures("engine")
def test_what_is_to_be_extracted_is_an_expression_of_its_own():
    driver, programs = programs_of("extract_variable", 3)
    assert len(programs) == 1650
    for program in programs:
        ((_, text),) = program.modules(driver.TABLES)
        before, value, behind = re.split("[«»]", text)
        whole = ast.dump(ast.parse(f"{before}({value}){behind}"))
        assert ast.dump(ast.parse(before + value + behind)) == whole, text


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("case", CASES)
def test_spec_and_driver_have_the_same_forms(case):
    driver, _ = programs_of(case)
    grammar = spec_of(case).module.GRAMMAR
    tables = driver.TABLES
    assert grammar.shapes.keys() <= tables.shapes.keys()
    for name, has_value in grammar.statements.items():
        assert ("{value}" in tables.statements[name]) == has_value
    for name, parts in grammar.expressions.items():
        assert ("{left}" in tables.expressions[name]) + ("{right}" in tables.expressions[name]) == parts


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize(("case", "scope"), [("encapsulate_two", 3), ("inline", 1), ("extract_variable", 2)])
def test_the_formula_allows_the_programs_that_rep_ok_accepts(case, scope):
    pytest.importorskip("pysat")
    driver, _ = programs_of(case)
    spec = spec_of(case)
    bounds = spec.finitization(scope)
    by_search, by_solver = (
        sorted(
            canonical_form(StateSpace(bounds), vector)[0] for vector, _ in made.produce(Task(spec, driver, bounds, 0))
        )
        for made in (Korat(), SatExhaustive())
    )
    assert by_search == by_solver


@pytest.mark.slow
@pytest.mark.parametrize("case", ["encapsulate_two", "extract_variable"])
def test_faults_are_found_and_all_of_known_causes(case):
    pytest.importorskip("rope")
    report = api.faults(f"refactoring/{case}", scope=1)
    causes = {cause.name for cause in spec_of(case).module.CAUSES}
    assert report.inputs == STATES[case]
    assert report.distinct
    assert {name for fault in report.faults for name in fault.causes} <= causes


def test_a_spec_without_fault_is_told_what_is_missing():
    with pytest.raises(SpecError, match="has no function fault"):
        api.faults("sorted_list", scope=1)


@pytest.mark.slow
def test_mutants_of_rope_are_killed_by_programs_and_witnessed(tmp_path):
    pytest.importorskip("rope")
    experiment = api.subject_experiment("refactoring/encapsulate_two", "field-exhaustive", [1])
    folder = api.run(experiment, tmp_path / "run", jobs=1)
    summary = api.load(folder).summary().iloc[0]
    assert 0 < summary["killed"] < summary["counted"]
    verified = api.verify(folder, sample=4)
    assert (verified.checked, verified.disagreements) == (4, ())
