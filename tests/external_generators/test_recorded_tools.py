"""Recorded output of other projects' tools is imported like fresh output: their environments take minutes to make.

The files in `recorded` are the exact output of the pinned versions for `shop.txt`: `crosshair cover
--example_output_format pytest --per_condition_timeout 4 shop`, `hypothesis write shop`, and Pynguin with seed 0, 4
seconds of search and 4 of assertions.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness import api
from harness.external_generators import running, suite_generation
from harness.external_generators.process import ToolEnd
from harness.external_generators.tools import CROSSHAIR, HYPOTHESIS_WRITE, PYNGUIN, WritingTool

RECORDED = Path(__file__).parent / "recorded"


def recorded(tool: WritingTool) -> str:
    """Return the tool's recorded output."""
    return (RECORDED / f"{tool.name}-{tool.version}.txt").read_text()


@pytest.fixture(params=[CROSSHAIR, HYPOTHESIS_WRITE, PYNGUIN], ids=lambda tool: tool.name)
def tool(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WritingTool:
    """A tool that leaves what was recorded; one stands in a project with `shop`."""
    chosen: WritingTool = request.param
    left = running.ToolRun({"test_shop.py": recorded(chosen)}, (), ToolEnd(0, 1.0, 1.0, 1))
    monkeypatch.setattr(suite_generation, "run_tool", lambda *_, **__: left)
    (tmp_path / "shop.py").write_text((RECORDED / "shop.txt").read_text())
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    return chosen


WRITTEN = {
    "crosshair": ["test_price", "test_price_2", "test_cheaper", "test_cheaper_2"],
    "hypothesis-write": ["test_fuzz_cheaper", "test_fuzz_price"],
    "pynguin": ["test_0", "test_1", "test_2"],
}
PASSING = WRITTEN | {"hypothesis-write": ["test_fuzz_cheaper"]}
"""The ghostwriter's other test fails: it knows no error that is meant. Pynguin's that end in one are told to fail."""


def test_what_a_tool_wrote_is_kept_where_the_original_passes_and_told_where_not(tool: WritingTool) -> None:
    folder = Path("made")
    summary = api.generate_tests("shop", tool.name, folder).as_dict()
    (file,) = folder.glob("test_*.py")
    assert running.tests_in(recorded(tool)) == WRITTEN[tool.name]
    assert running.tests_in(file.read_text()) == PASSING[tool.name]
    left_out = set(WRITTEN[tool.name]) - set(PASSING[tool.name])
    assert {name.rpartition("::")[2] for name in summary["left_out"]} == left_out
    assert json.loads((folder / "generated.json").read_text())["kept"] == len(PASSING[tool.name])
