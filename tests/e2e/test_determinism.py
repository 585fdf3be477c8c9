"""The same sources give the same facts, however many processes there are, however busy the machine is."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from command_line import Place

from harness.store.run_store import export_facts

RUN = ("run", "--subject", "search_tree", "--scope", "1-2")


@pytest.fixture(scope="module")
def standing(few_mutants, tmp_path_factory):
    """A folder with few mutants and, below ./run, a run with two workers and nothing else to do."""
    place = Place(tmp_path_factory.mktemp("standing"))
    shutil.copytree(few_mutants, place.folder / "mutants")
    place.succeed(*RUN, "--out", "run", "--jobs", 2)
    return place


@pytest.fixture(scope="module")
def facts(standing):
    return export_facts(standing.folder / "run")


@contextmanager
def busy_machine() -> Iterator[None]:
    """Each core has something else to do as well."""
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()


def without_the_approach(facts: str) -> list[str]:
    """Return the facts without the approach, and without the trials' keys, which cover it."""
    rows = []
    keys: dict[str, str] = {}
    for line in facts.splitlines():
        fact = json.loads(line)
        if fact["table"] == "trial":
            keys[fact["key"]] = f"{fact['subject']} {fact['scope']}"
            fact.pop("approach")
        rows.append(fact)
    for fact in rows:
        for name in ("key", "trial"):
            if name in fact:
                fact[name] = keys[fact[name]]
    return sorted(json.dumps(fact, sort_keys=True) for fact in rows)


def run_again(place: Place, name: str, *options: object) -> str:
    place.succeed(*RUN, "--out", name, *options)
    return export_facts(place.folder / name)


@pytest.mark.slow
def test_metamutants_give_the_verdicts_of_separate_modules(facts, standing):
    repeated = run_again(standing, "metamutants", "--metamutants")
    assert repeated != facts
    assert without_the_approach(repeated) == without_the_approach(facts)


@pytest.mark.slow
def test_a_kill_matrix_names_the_same_first_kills(facts, standing):
    def kills(text: str) -> set[tuple[object, ...]]:
        named = [json.loads(line) for line in text.splitlines()]
        keys = {fact["key"]: fact["scope"] for fact in named if fact["table"] == "trial"}
        return {
            (keys[fact["trial"]], fact["mutant"], fact["verdict"], fact["reason"], fact["phase"], fact["input"])
            for fact in named
            if fact["table"] == "mutant_result"
        }

    assert kills(run_again(standing, "matrix", "--matrix")) == kills(facts)


def test_verify_confirms_a_run(standing):
    output = standing.succeed("verify", "run", "--sample", 12, "--json").json
    assert output == {"checked": 12, "disagreements": []}


@pytest.mark.slow
@pytest.mark.parametrize(("subject", "operators"), [("binomial_heap", "ferastrau"), ("search_tree", "mujava")])
def test_all_mutants_have_the_same_facts_whatever_the_jobs_and_the_approach(subject, operators, tmp_path):
    """At one scope: the inputs of smaller ones are among its own."""
    place = Place(tmp_path)
    run = ("run", "--subject", subject, "--operators", operators, "--scope", 3, "--out")
    place.succeed(*run, "one", "--jobs", 1)
    facts = export_facts(tmp_path / "one")
    with busy_machine():
        place.succeed(*run, "three", "--jobs", 3)
        assert export_facts(tmp_path / "three") == facts
    place.succeed(*run, "metamutants", "--metamutants")
    assert without_the_approach(export_facts(tmp_path / "metamutants")) == without_the_approach(facts)


@pytest.mark.slow
@pytest.mark.parametrize(("operators", "scope", "least"), [("ferastrau", 3, 200), ("mujava", 2, 150)])
def test_verify_confirms_every_mutant_of_search_tree(operators, scope, least, tmp_path):
    place = Place(tmp_path)
    place.succeed("run", "--subject", "search_tree", "--operators", operators, "--scope", scope, "--out", "run")
    output = place.succeed("verify", "run", "--json").json
    assert output["disagreements"] == []
    assert output["checked"] == len(export_facts(tmp_path / "run").split('"table": "mutant_result"')) - 1 > least
