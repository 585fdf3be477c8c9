"""Killed at any moment and started again, a run ends with the same facts, and nothing is run twice."""

import os
import random
import signal
import sqlite3
import subprocess
from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from command_line import Place, eventually

from harness.kernel.inputs.suites import SuiteReader
from harness.store.run_store import export_facts

RUN = ("run", "--subject", "search_tree", "--scope", "1-2", "--jobs", 2, "--out", "run")
LONG = ("run", "--subject", "search_tree", "--scope", "1-4", "--jobs", 2, "--out", "run")
LONG_OF_SEQUENCES = (*RUN, "--generator", "random:60", "--matrix")


def executions(folder: Path) -> Counter[tuple[str, str]]:
    """Count the complete executions of each mutant in each trial: each leaves a timing in the commit of its result.

    The original is run again with each start; its blocks are not counted.
    """
    connection = sqlite3.connect(f"file:{folder / 'run.sqlite'}?mode=ro", uri=True)
    of_mutants = "SELECT trial, what FROM timing WHERE what IN (SELECT mutant FROM mutant_result)"
    try:
        return Counter(connection.execute(of_mutants).fetchall())
    finally:
        connection.close()


def kill_all(process: subprocess.Popen[str]) -> None:
    """SIGKILL to the whole group, as an impatient person sends it, or the machine that goes down."""
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def kill_orchestrator(process: subprocess.Popen[str]) -> None:
    """SIGKILL to the orchestrator alone, as the system sends it when memory runs out."""
    process.kill()
    process.communicate()


@pytest.mark.slow
def test_a_finished_run_is_not_run_again(place):
    place.subject("pile")
    command = ("run", "--subject", "pile", "--scope", 2, "--out", "run", "--jobs", 2)
    first = place.succeed(*command)
    before = export_facts(place.folder / "run"), executions(place.folder / "run")
    assert place.succeed(*command).out == first.out
    assert (export_facts(place.folder / "run"), executions(place.folder / "run")) == before
    assert (place.folder / "run" / "run.log").read_text().count("sandbox") == 2


def test_what_a_killed_generation_left_goes_with_the_next_one(place):
    process = place.start("generate", "tree_map", "--scope", 11)
    suites = place.folder / "cache" / "suites"
    assert eventually(lambda: any(suites.glob("*/made/tree_map-*")), 60)
    kill_all(process)
    assert eventually(lambda: place.processes() == []), place.processes()
    (part,) = suites.iterdir()
    again = place.start("generate", "tree_map", "--scope", 11)
    assert eventually(lambda: not part.exists(), 60)
    kill_all(again)
    assert eventually(lambda: place.processes() == []), place.processes()


def generated(place: Place) -> set[str]:
    """Return the names of the files in the cache besides whole compiled searches. Each suite is checked to be whole."""
    cache, suites = place.folder / "cache", set()
    for suite in (cache / "suites").glob("*"):
        SuiteReader(suite).check()
        suites.add(suite.name.rpartition("-")[0])
    other_files = (path for path in (cache / "compiled").rglob("*") if path.is_file() and path.suffix != ".so")
    return suites | {str(path) for path in other_files} | {str(path) for path in place.temporary.iterdir()}


@pytest.mark.slow
@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGTERM])
def test_a_generation_that_is_interrupted_while_it_compiles_leaves_nothing(way, place):
    programs = place.folder / "programs"
    programs.mkdir()
    (programs / "cc").write_text("#!/bin/sh\ncase $1 in --version) echo slow 1.0;; *) exec sleep 1000;; esac\n")
    (programs / "cc").chmod(0o755)
    process = place.start("generate", "tree_map", "--scope", 9, PATH=f"{programs}{os.pathsep}{os.environ['PATH']}")
    begun = place.folder / "cache" / "compiled"
    assert eventually(lambda: any(begun.rglob("search.c")), 60)
    process.send_signal(way)
    assert place.finish(process).status == 128 + way
    assert eventually(lambda: place.processes() == []), place.processes()
    assert generated(place) == set()


def has_ended(process: subprocess.Popen[str]) -> bool:
    return process.poll() is not None


def has_begun_or_ended(process: subprocess.Popen[str], place: Place) -> bool:
    """Ended at once, where the suite lies in the cache already."""
    return process.poll() is not None or any((place.folder / "cache" / "suites").glob("*/made/tree_map-*"))


@pytest.mark.slow
def test_a_generation_interrupted_at_random_moments_leaves_whole_suites_only(place):
    moment = random.Random(0)
    place.succeed("generate", "tree_map", "--scope", 2)
    for _ in range(8):
        process = place.start("generate", "tree_map", "--scope", moment.choice([10, 11]))
        if moment.random() < 0.8:  # else while it starts
            assert eventually(partial(has_begun_or_ended, process, place), 60)
        eventually(partial(has_ended, process), moment.uniform(0.0, 4.0))
        way = moment.choice([signal.SIGINT, signal.SIGTERM])
        send = moment.choice([process.send_signal, lambda way, group=process.pid: os.killpg(group, way)])
        if process.poll() is None:
            send(way)
        process.communicate()
        assert eventually(lambda: place.processes() == []), place.processes()
        assert generated(place) <= {f"tree_map-korat-{n}" for n in (2, 10, 11)}


@pytest.mark.slow
@pytest.mark.parametrize(("command", "seed"), [(LONG, 0), (LONG_OF_SEQUENCES, 2)], ids=["states", "sequences"])
def test_killed_at_random_moments_it_still_finishes_with_the_same_facts(command, seed, place):
    reference = Place(place.folder / "reference")
    reference.succeed(*command)
    moment = random.Random(seed)
    folder = place.folder / "run"
    for _ in range(6):
        process = place.start(*command)
        eventually(partial(has_ended, process), moment.uniform(0.1, 3.0))
        kill = moment.choice([kill_all, kill_orchestrator, lambda process: os.killpg(process.pid, signal.SIGINT)])
        if process.poll() is None:
            kill(process)
            process.communicate()
        assert eventually(lambda: place.processes() == []), place.processes()
    place.succeed(*command)
    assert export_facts(folder) == export_facts(reference.folder / "run")
    assert set(executions(folder).values()) == {1}
    assert {entry.name for entry in folder.iterdir()} == {"run.sqlite", "run.log"}
