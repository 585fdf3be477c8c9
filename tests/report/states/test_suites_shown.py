"""A suite is shown by its counts, which its lines explain, and by its first sequences as calls."""

import json

import pytest

from harness import api
from harness.command_line.main import main
from harness.report.states.suite_summary import suite_text
from harness.report.states.text import state_lines


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path_factory.getbasetemp() / "shown"))


def test_the_first_sequences_are_shown_as_calls(capsys):
    assert main(["generate", "search_tree", "--generator", "random:20", "--scope", "2", "--show"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("search_tree scope 2: 20 inputs (SearchTree 1, add ")
    assert "more states than candidates" not in printed, "that is of searches"
    assert "\n 1  search_tree = SearchTree()\n    after:  SearchTree(size=0)\n 2  search_tree = Searc" in printed
    assert "\n    before: SearchTree(size=0)\n    after:  SearchTree(size=1)\n            └─ root: Node0(" in printed
    assert printed.endswith("\n... and 10 sequences more\n")


def test_what_ended_a_suite_is_told(capsys):
    arguments = ["generate", "search_tree", "--generator", "random:calls=30", "--scope", "2"]
    assert main([*arguments, "--json"]) == 0
    output = json.loads(capsys.readouterr().out)
    assert output["ended"] == "calls"
    assert main(arguments) == 0
    assert f"\nended by the limit of calls: the same bytes as random:{output['inputs']}\n" in capsys.readouterr().out
    same = api.generate("search_tree", f"random:{output['inputs']}", 2)
    assert same.header.digest == output["digest"]


def test_sequences_are_told_as_data(capsys):
    arguments = ["generate", "heapq", "--generator", "random:20", "--scope", "2", "--show", "--json"]
    assert main(arguments) == 0
    output = json.loads(capsys.readouterr().out)
    assert len(output["sequences"]) == len(output["last_calls"]) == 10
    assert output["sequences"][0] == "items = list()"
    assert output["last_calls"][0] == {"before": None, "after": ["list []"], "raised": ""}
    assert output["sequences"] == api.first_sequences("heapq", api.generate("heapq", "random:20", 2))
    misused = next(n for n, text in enumerate(output["sequences"]) if text == "items = list(); heappop(items)")
    assert output["last_calls"][misused] == {"before": ["list []"], "after": ["list []"], "raised": "IndexError"}


def test_the_structures_that_calls_make_are_drawn(tmp_path):
    suite = api.generate("search_tree", "beapi", 2)
    reached = api.first_states("search_tree", suite, 100)
    assert {"; ".join(state_lines(state.graph)) for state in reached} == {
        "SearchTree(size=0)",
        "SearchTree(size=1); └─ root: Node0(info=1)",
        "SearchTree(size=1); └─ root: Node0(info=2)",
        "SearchTree(size=2); └─ root: Node0(info=1);    └─ right: Node1(info=2)",
        "SearchTree(size=2); └─ root: Node0(info=2);    └─ left: Node1(info=1)",
    }
    assert [(state.first, state.last) for state in reached] == [(number, number) for number in range(1, 6)]
    figure = api.draw_states(reached[:4], suite, tmp_path / "states.svg")
    assert figure.read_text().count("SearchTree") >= 4


def test_a_suite_of_constructors_alone_has_nothing_to_draw(tmp_path, capsys):
    figure = tmp_path / "states.svg"
    arguments = ["generate", "search_tree", "--generator", "random:1", "--scope", "2", "--figure", str(figure)]
    assert main(arguments) == 2
    assert "no state is before a call in this suite of search_tree; choose a larger" in capsys.readouterr().err
    assert not figure.exists()


def test_states_beyond_those_explored_are_explained(tmp_path):
    folder = tmp_path / "point"
    folder.mkdir()
    (folder / "impl.py").write_text(
        "class Point:\n    def __init__(self):\n        self.x = 0\n        self.name = 'a'\n\n"
        "    def move(self):\n        self.x += 1\n"
    )
    (folder / "spec.py").write_text(
        "from harness.spec import Finitization\n\n\ndef rep_ok(point):\n    return point.x >= 0\n\n\n"
        "def finitization(scope):\n    f = Finitization('Point')\n    f.set('Point.x', range(scope))\n"
        "    f.set('Point.name', 'a', 'b', 'c')\n    f.method('move')\n    return f\n"
    )
    suite = api.generate(str(folder), scope=2)
    assert (suite.header.explored, suite.header.states, suite.header.unread) == (2, 6, ["Point.name"])
    assert suite.header.engines == ["reference"]
    lines = suite_text("point", suite).splitlines()
    assert lines[1] == "engine: reference"
    assert "leaves unread in a valid state (Point.name) makes" in lines[2]
    other = api.generate("search_tree", scope=2)
    assert len(suite_text("search_tree", other).splitlines()) == 3
