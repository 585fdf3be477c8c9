"""The lines of a generated suite explain its counts."""

from harness import api
from harness.report.states.suite_summary import suite_text


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
