"""Recorded output of other projects' tools is imported like fresh output: their environments take minutes to make.

The files in `recorded` are the exact output of the pinned versions for `shop.txt`: `crosshair cover
--example_output_format pytest --per_condition_timeout 4 shop`, `hypothesis write shop`, and Pynguin with seed 0, 4
seconds of search and 4 of assertions.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.plug_ins import install_plug_in

from harness import api
from harness.external_generators import running
from harness.external_generators.tools import CROSSHAIR, ENTRY_POINTS, HYPOTHESIS_WRITE, PYNGUIN, WritingTool

RECORDED = Path(__file__).parent / "recorded"
AS_A_TOOL = """\
import sys
from pathlib import Path

TEXT = {text!r}


def main():
    if len(sys.argv) > 1:
        Path(sys.argv[1], "test_shop.py").write_text(TEXT)
    else:
        print(TEXT)
"""

STAND_IN = """\
from harness.external_generators.tools import WritingTool

PRINTS = {prints}
recorded = WritingTool(
    "recorded", (), "recorded_tool:main", lambda request: () if PRINTS else (request.out,), prints=PRINTS
)
"""


def recorded(tool: WritingTool) -> str:
    """Return the tool's recorded output."""
    return (RECORDED / f"{tool.name}-{tool.version}.txt").read_text()


def stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch, module: str, text: str, prints: bool) -> None:
    """Install the tool `recorded`, which writes or prints `text`, and stand in a project with `shop`."""
    (folder / "tools").mkdir()
    (folder / "tools" / "recorded_tool.py").write_text(AS_A_TOOL.format(text=text))
    install_plug_in(folder / "tools", module, STAND_IN.format(prints=prints), ENTRY_POINTS, ["recorded"])
    monkeypatch.syspath_prepend(folder / "tools")
    project = folder / "project"
    project.mkdir()
    (project / "shop.py").write_text((RECORDED / "shop.txt").read_text())
    (project / "pyproject.toml").write_text("")
    monkeypatch.chdir(project)


@pytest.fixture(params=[CROSSHAIR, HYPOTHESIS_WRITE, PYNGUIN], ids=lambda tool: tool.name)
def tool(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WritingTool:
    """A real tool; `recorded` writes or prints its text as it does, and one stands in a project with `shop`."""
    real: WritingTool = request.param
    stand_in(tmp_path, monkeypatch, f"recorded_{real.name.replace('-', '_')}", recorded(real), real.prints)
    return real


WRITTEN = {
    "crosshair": ["test_price", "test_price_2", "test_cheaper", "test_cheaper_2"],
    "hypothesis-write": ["test_fuzz_cheaper", "test_fuzz_price"],
    "pynguin": ["test_0", "test_1", "test_2"],
}
PASSING = WRITTEN | {"hypothesis-write": ["test_fuzz_cheaper"]}
"""The ghostwriter's other test fails: it knows no error that is meant. Pynguin's that end in one are told to fail."""


def test_what_a_tool_wrote_is_kept_where_the_original_passes_and_told_where_not(tool: WritingTool) -> None:
    folder = Path("made")
    summary = api.generate_tests("shop", "recorded", folder).as_dict()
    (file,) = folder.glob("test_*.py")
    assert running.tests_in(recorded(tool)) == WRITTEN[tool.name]
    assert running.tests_in(file.read_text()) == PASSING[tool.name]
    left_out = set(WRITTEN[tool.name]) - set(PASSING[tool.name])
    assert {name.rpartition("::")[2] for name in summary["left_out"]} == left_out
    assert json.loads((folder / "generated.json").read_text())["kept"] == len(PASSING[tool.name])
