"""What each command prints: JSON for programs, text for people, progress on a terminal only."""

from __future__ import annotations

import os
import pty
import select
import sys
import termios
from pathlib import Path

import pytest
from command_line import IMPLEMENTATION, SPEC, Place


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A folder with a subject and its run, ./run."""
    place = Place(tmp_path_factory.mktemp("standing"))
    place.subject("pile")
    place.succeed("run", "--subject", "pile", "--scope", "1-2", "--out", "run")
    return place


def test_list_names_all_there_is(standing: Place) -> None:
    found = standing.succeed("list", "--json").json
    assert list(found) == [
        "subjects",
        "generators",
        "operators",
        "operator_sets",
        "experiments",
        "papers",
        "containment",
    ]
    assert {"pile", "search_tree", "heap_array", "binomial_heap", "heapq"} <= set(found["subjects"])
    assert "korat" in found["generators"]
    assert {"AOR", "ROR", "VRR", "MIR", "AORB", "SDL"} <= set(found["operators"])
    assert found["operator_sets"] == ["ferastrau", "extended", "mujava"]
    assert {"demo", "exhaustive2003"} <= set(found["experiments"])
    assert "exhaustive2003" in found["papers"]
    shown = standing.succeed("list").out
    assert all(name in shown for names in found.values() for name in names)


def test_an_operator_set_chooses_the_mutants_and_is_told_with_every_score(standing: Place) -> None:
    narrow, wide = (
        standing.succeed("mutate", "pile", "--operators", name, "--json").json for name in ("ferastrau", "extended")
    )
    assert {row["id"] for row in narrow} < {row["id"] for row in wide}
    assert {row["operator_set"] for row in narrow} == {"ferastrau"}
    listed = standing.succeed("mutate", "pile", "--operators", "extended").out
    assert listed.endswith("mutants of operator set extended\n")
    assert any(row["rule"] == "integer algebra" and f"{row['same_as']} by integer algebra" in listed for row in wide)
    found = standing.succeed("run", "--subject", "pile", "--scope", 1, "--operators", "extended", "--json").json
    assert found["folder"] == "results/pile-korat-extended"
    assert {trial["operator_set"] for trial in found["trials"]} == {"extended"}
    table = standing.succeed("tables", "exhaustive2003", "--from", found["folder"], "--table", "table4").out
    assert "of operator set extended" in table


def test_generate_counts(standing: Place) -> None:
    found = standing.succeed("generate", "search_tree", "--scope", 3, "--json").json
    fields = ["subject", "generator", "scope", "explored", "valid", "inputs", "inputs_by_method", "seconds"]
    assert list(found)[: len(fields)] == fields
    assert (found["valid"], found["inputs"]) == (15, 90)
    assert found["inputs_by_method"] == {"add": 45, "remove": 45}


def test_mutate_describes_each_mutant(standing: Place) -> None:
    found = standing.succeed("mutate", "pile", "--json").json
    assert {"id", "operator", "location", "original", "replacement"} <= set(found[0])
    assert len({mutant["id"] for mutant in found}) == len(found) > 20


def test_verify_says_what_it_judged_in_the_mutants_own_process(place: Place) -> None:
    implementation = f"{IMPLEMENTATION}\n    def is_valid(self):\n        return 0 <= self.count <= self.limit\n"
    place.subject("own", implementation, SPEC.replace("0 <= pile.count <= pile.limit", "pile.is_valid()"))
    place.succeed("run", "--subject", "own", "--scope", 2, "--out", "run")
    found = place.succeed("verify", "run", "--sample", 5, "--json").json
    assert found == {"checked": 5, "disagreements": [], "judged_inside": 5}
    told = place.succeed("verify", "run", "--sample", 5).out.splitlines()
    assert told[0] == "5 judged in the mutant's own process, where a forgery would not be seen"


def test_run_verify_and_report_say_what_they_did(standing: Place) -> None:
    found = standing.succeed("run", "--subject", "pile", "--scope", "1-2", "--out", "run", "--json").json
    assert found["folder"] == "run"
    assert [(trial["scope"], trial["inputs"]) for trial in found["trials"]] == [(1, 3), (2, 12)]
    assert {"subject", "generator", "scope", "killed", "counted", "score_pct", "policy"} <= set(found["trials"][0])
    assert standing.succeed("verify", "run", "--sample", 2, "--json").json == {"checked": 2, "disagreements": []}
    files = standing.succeed("report", "run", "--json").json["files"]
    assert {Path(file).suffix for file in files} == {".html", ".json"}
    assert all((standing.folder / file).is_file() for file in files)


def test_tables_and_figures_say_what_they_made(standing: Place) -> None:
    standing.succeed("run", "--subject", "search_tree", "--scope", "1-2", "--out", "trees")
    tables = standing.succeed("tables", "exhaustive2003", "--from", "trees", "--json").json
    assert {"table1", "table2", "table4"} <= set(tables)
    assert all(isinstance(row, dict) for rows in tables.values() for row in rows)
    shown = standing.succeed("tables", "exhaustive2003", "--from", "trees", "--table", "table4", "--format", "latex")
    assert "\\begin{" in shown.out
    figures = standing.succeed("figures", "exhaustive2003", "--from", "trees", "--json").json["figures"]
    assert figures
    assert all((standing.folder / figure).stat().st_size > 1000 for figure in figures)


def test_suite_writes_a_file_that_pytest_runs(standing: Place) -> None:
    written = standing.succeed("suite", "pile", "--scope", 2, "--json").json["file"]
    assert written == "test_pile_scope2.py"
    told = standing.succeed("suite", "pile", "--scope", 2, "--export", "pytest").out
    assert told == "test_pile_scope2.py: run it with python -m pytest test_pile_scope2.py\n"
    assert pytest.main(["-q", "-p", "no:cacheprovider", str(standing.folder / written)]) == 0


def test_nothing_but_the_result_is_printed_where_no_terminal_is(place: Place) -> None:
    place.subject("pile")
    assert place.succeed("run", "--subject", "pile", "--scope", 1).err == ""


def test_progress_is_shown_on_a_terminal(standing: Place) -> None:
    standing.subject("shown", spec=(standing.folder / "subjects/pile/spec.py").read_text() + "\n# of its own\n")
    process, terminal = pty.fork()
    if process == 0:  # on the terminal
        os.chdir(standing.folder)
        os.environ["MUTASCOPE_CACHE"] = "cache"
        command = [sys.executable, "-m", "harness.cli", "run", "--subject", "shown", "--scope", "2", "--out", "shown"]
        os.execv(command[0], command)
    termios.tcsetwinsize(terminal, (24, 120))
    seen = b""
    while select.select([terminal], [], [], 60)[0]:
        try:
            chunk = os.read(terminal, 1 << 16)
        except OSError:  # how a terminal says that its process has ended
            break
        if not chunk:
            break
        seen += chunk
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0, seen
    assert b"shown korat scope 2:" in seen
    assert b"mutant/s" in seen
