"""What is told of a suite of sequences: counts, and the first sequences as calls."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness import api
from harness.cli import main


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path_factory.getbasetemp() / "shown"))


def test_the_first_sequences_are_shown_as_calls(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "search_tree", "--generator", "random:20", "--scope", "2", "--show", "2"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("search_tree scope 2: 20 inputs (SearchTree 1, add ")
    assert "more states than candidates" not in printed, "that is of searches"
    assert "\n1  search_tree = SearchTree()\n2  search_tree = SearchTree(); search_tree." in printed
    assert printed.endswith("\n... and 18 sequences more\n")


def test_what_ended_a_suite_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["generate", "search_tree", "--generator", "random:calls=30", "--scope", "2"]
    assert main([*arguments, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["ended"] == "calls"
    assert main(arguments) == 0
    assert f"\nended by the limit of calls: the same bytes as random:{told['inputs']}\n" in capsys.readouterr().out
    same = api.generate("search_tree", f"random:{told['inputs']}", 2)
    assert same.header.digest == told["digest"]


def test_sequences_are_told_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["generate", "heapq", "--generator", "random:20", "--scope", "2", "--show", "--json"]
    assert main(arguments) == 0
    shown = json.loads(capsys.readouterr().out)["sequences"]
    assert len(shown) == 10
    assert shown[0] == "items = list()"
    assert shown == api.first_sequences("heapq", api.generate("heapq", "random:20", 2))


def test_sequences_are_not_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figure = tmp_path / "states.svg"
    arguments = ["generate", "heapq", "--generator", "random:20", "--scope", "2", "--figure", str(figure)]
    assert main(arguments) == 2
    assert "--figure draws states, and random:20 makes sequences of calls; --show lists" in capsys.readouterr().err
    assert not figure.exists()
