"""Survivors in a list, and one mutant with its diff and its tests."""

from dataclasses import replace

import pytest
from support.forged_store import forge
from support.report_samples import MUTANTS, OUTPUT, RESULTS, SURVIVOR, stored_run
from support.suite_samples import suite_run

from harness import api
from harness.command_line.main import main
from harness.errors import UsageError


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return stored_run(tmp_path_factory.mktemp("run"))


def test_survivors_are_those_that_no_input_kills(folder, capsys):
    assert main(["survivors", str(folder)]) == 0
    assert capsys.readouterr().out.startswith("SearchTree (korat) scope 3, oracle differential: 1 survivor\n")
    (survivor,) = api.survivors(folder)
    assert survivor.to_data()["oracle"] == "differential"
    assert survivor.mutant == SURVIVOR
    assert survivor.place == f"subjects/search_tree/impl.py:{SURVIVOR.location.line}"
    assert "ROR  info > current.info -> info != current.info  (survived 90 inputs" in survivor.line()


def test_survivors_of_one_function_are_listed_alone(folder):
    assert [one.mutant for one in api.survivors(folder, "SearchTree.add")] == [SURVIVOR]
    assert [one.mutant for one in api.survivors(folder, "add", subjects=["SearchTree"])] == [SURVIVOR]
    with pytest.raises(UsageError, match=r"in a function 'SearchTree.ad'; did you mean 'SearchTree.add'\?"):
        api.survivors(folder, "SearchTree.ad")


def test_mutants_of_some_generators_are_listed_and_shown_alone(tmp_path):
    run = stored_run(tmp_path, (3,))
    all_killed = [*RESULTS[:-1], replace(RESULTS[0], mutant=SURVIVOR.id)]
    stored_run(tmp_path, (3,), generator="random:500", results=all_killed)
    assert [one.trial for one in api.mutant_of_run(run, OUTPUT.id, generators=["random:500"])] == [
        "SearchTree (random:500) scope 3"
    ]
    assert len(api.mutant_of_run(run, OUTPUT.id, subjects=["search_tree"])) == 2
    assert [one.mutant for one in api.survivors(run, generators=["korat"])] == [SURVIVOR]
    assert api.survivors(run, generators=["random:500"]) == []
    with pytest.raises(UsageError, match=r"no trial of the generator 'random'; did you mean 'random:500'\?"):
        api.survivors(run, generators=["random"])


def test_a_mutant_is_shown_as_a_diff_with_its_reason(folder):
    (report,) = api.mutant_of_run(folder, OUTPUT.id)
    text = report.text()
    assert "Killed: output in phase call: SearchTree(...).add(1): returned another value" in text
    changed = [line.split(maxsplit=1) for line in report.diff if line[0] in "+-" and line[:3] not in ("+++", "---")]
    assert changed == [["-", "if info < current.info:"], ["+", "if info > current.info:"]]


def test_the_beginning_of_an_identifier_suffices_where_it_is_one_mutants(folder):
    (report,) = api.mutant_of_run(folder, SURVIVOR.id[:-2])
    assert report.mutant == SURVIVOR
    ambiguous = sum(mutant.id.startswith("FRR:") for mutant in MUTANTS)
    with pytest.raises(UsageError, match=f"{ambiguous} mutants begin with 'FRR:'"):
        api.mutant_of_run(folder, "FRR:")
    with pytest.raises(UsageError, match="the run has no mutant 'nothing'"):
        api.mutant_of_run(folder, "nothing")


@pytest.mark.slow
def test_a_mutant_of_a_pytest_run_names_the_tests_that_reach_and_kill_it(tmp_path):
    (tmp_path / "steps.py").write_text("def clamp(value):\n    return max(value, 0)\n")
    (tmp_path / "tests").mkdir()
    tests = [
        "from steps import clamp",
        "def test_positive():\n    assert clamp(2) == 2",
        "def test_called():\n    clamp(1)",
    ]
    (tmp_path / "tests" / "test_steps.py").write_text("\n\n".join(tests) + "\n")
    experiment = api.pytest_experiment("steps", ["tests"], folder=tmp_path, original_runs=1, matrix=True)
    run = api.run(experiment, tmp_path / "run", jobs=1)
    survivors = {one.mutant.id for one in api.survivors(run)}
    reports = [one for mutant in api.load(run).frames.results["mutant"] for one in api.mutant_of_run(run, mutant)]
    assert {one.mutant.id for one in reports if one.status == "Survived"} == survivors
    killed = [one for one in reports if one.status == "Killed"]
    assert killed
    assert {one.killers for one in killed} == {("tests/test_steps.py::test_positive",)}
    assert "killed by 1 test:\n  tests/test_steps.py::test_positive" in killed[0].text()


@pytest.mark.parametrize("module_file", ["shop/steps.py", "shop/steps/__init__.py", "src/shop/steps/__init__.py"])
def test_the_place_of_a_mutant_of_a_suite_is_a_path_from_the_folder_of_its_project(tmp_path, module_file):
    suite_run(tmp_path, lambda number: [], module_file=module_file)
    assert {one.place.partition(":")[0] for one in api.survivors(tmp_path)} == {module_file}


def test_the_place_in_an_installed_package_begins_with_the_package(tmp_path):
    suite_run(tmp_path, lambda number: [], module_file="another.py")
    forge(tmp_path, "UPDATE suite_record SET suite = replace(suite, 'shop.steps', 'email.mime')")
    assert {one.place.partition(":")[0] for one in api.survivors(tmp_path)} == {"email/mime/__init__.py"}
