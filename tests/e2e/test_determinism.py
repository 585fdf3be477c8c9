"""The same sources give the same bytes, whatever the processes, the load, the settings and the processor."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from command_line import Place

from harness.store.run_store import export_facts


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


def kills(facts: str) -> list[list[object]]:
    """Return what the facts of a run at one scope say of each mutant's first kill."""
    named = ("mutant", "verdict", "reason", "phase", "input")
    results = (fact for fact in map(json.loads, facts.splitlines()) if fact["table"] == "mutant_result")
    return sorted([fact[name] for name in named] for fact in results)


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
    place.succeed(*run, "matrix", "--matrix")
    assert kills(export_facts(tmp_path / "matrix")) == kills(facts)


@pytest.mark.slow
@pytest.mark.parametrize(("operators", "scope", "least"), [("ferastrau", 3, 200), ("mujava", 2, 150)])
def test_verify_confirms_every_mutant_of_search_tree(operators, scope, least, tmp_path):
    place = Place(tmp_path)
    place.succeed("run", "--subject", "search_tree", "--operators", operators, "--scope", scope, "--out", "run")
    output = place.succeed("verify", "run", "--json").json
    assert output["disagreements"] == []
    assert output["checked"] == len(export_facts(tmp_path / "run").split('"table": "mutant_result"')) - 1 > least


SCRIPT = """
import sys
from pathlib import Path
from harness.command_line.main import main
from harness.store.run_store import export_facts
assert main(["run", "--subject", "pile", "--scope", "2", "--out", "run", "--jobs", sys.argv[1]]) == 0
print(export_facts(Path("run")))
assert main(["tables", "run"]) == 0
assert main(["generate", "pile", "--scope", "2", "--show"]) == 0
"""

SETTINGS = {
    "plain": {"PYTHONHASHSEED": "0"},
    "hostile": {
        "PYTHONHASHSEED": "4242", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0",
        "PYTHONIOENCODING": "utf-8", "TZ": "Pacific/Chatham", "COLUMNS": "40", "OPENBLAS_CORETYPE": "Prescott",
        "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3 AVX512F",
    },
}  # fmt: skip
"""Variables of the environment; the hostile ones have no HOME, and another umask and number of workers."""


def facts_and_tables(place: Place, settings: str) -> list[str]:
    """Return the lines that the script prints, but for those on seconds and on the folder of the cache."""
    is_hostile = settings == "hostile"
    environment = {name: value for name, value in os.environ.items() if not is_hostile or name != "HOME"}
    process = subprocess.run(
        [sys.executable, "-c", SCRIPT, "3" if is_hostile else "1"],
        cwd=place.folder,
        env=environment | {"MUTASCOPE_CACHE": str(place.folder / "cache")} | SETTINGS[settings],
        umask=0o077 if is_hostile else 0o022,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
    )
    assert process.returncode == 0, process.stderr
    own = (" pre-states of ", "seconds: of when", "/cache/")
    return [line for line in process.stdout.splitlines() if not any(text in line for text in own)]


@pytest.mark.slow
def test_facts_and_tables_of_a_run_do_not_depend_on_settings(tmp_path):
    texts = {}
    for settings in SETTINGS:
        place = Place(tmp_path / settings)
        place.subject("pile")
        texts[settings] = facts_and_tables(place, settings)
    assert texts["hostile"] == texts["plain"]
    assert len(texts["plain"]) > 50
