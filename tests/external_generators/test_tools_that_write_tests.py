"""Tools that write tests: one that a test makes up stands for those of other people, whose output is recorded."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest
from support.own_project import digest_of
from support.plug_ins import install_plug_in

from harness import api
from harness.command_line.main import main
from harness.errors import SourceError, UsageError
from harness.external_generators import running, suite_generation
from harness.external_generators.process import ToolEnd
from harness.external_generators.running import python_of
from harness.external_generators.suite_generation import without
from harness.external_generators.tools import (
    BUILT_IN,
    CROSSHAIR,
    ENTRY_POINTS,
    HYPOTHESIS_WRITE,
    PYNGUIN,
    Request,
    WritingTool,
    find_tool,
)

SHOP = """\
def price(count: int) -> int:
    return count * 3 if count > 0 else 0


def _hidden():
    return 1
"""
TESTS = """\
import pytest
from shop import price

SEEN = []


@pytest.mark.parametrize("count", [1, 2])
def test_price(count):
    assert price(count) == count * 3


@pytest.mark.parametrize("count", [0, 7])
def test_partly(count):
    assert price(count) == 0


def test_nothing():
    assert price(0) == 0


def test_wrong():
    assert price(2) == 7


def test_first_of_all():
    assert SEEN == []


def test_leaves_something():
    SEEN.append(1)
"""
TOOL = f"""\
import os, subprocess, sys
from pathlib import Path

TESTS = {TESTS!r}


def writes():
    out, target, seed, seconds = sys.argv[1:]
    assert __import__(target).price(2) == 6
    Path(out, f"test_{{target}}.py").write_text(TESTS)


def starts_a_process():
    try:
        subprocess.run([sys.executable, "-c", ""])
    except OSError:
        return "no process"


def dies():
    print("working", file=sys.stderr)
    raise RuntimeError("out of ideas")


def is_silent():
    pass


def links():
    out = sys.argv[1]
    os.symlink({__file__!r}, Path(out, "test_link.py"))


def prints_what_fails():
    print("def test_one():\\n    assert False")


def computes():
    while True:
        pass
"""


PLUG_INS = """\
from harness.external_generators.tools import WritingTool


def asked(request):
    return request.out, request.target, str(request.seed), str(request.seconds)


def tool(name, arguments=lambda request: (), prints=False):
    return WritingTool(name, (), f"made_up_tool:{name}", arguments, prints=prints)


writes, links = tool("writes", asked), tool("links", asked)
dies, is_silent, computes, starts_a_process = map(tool, ("dies", "is_silent", "computes", "starts_a_process"))
prints_what_fails = tool("prints_what_fails", prints=True)
"""
NAMES = ("writes", "links", "dies", "is_silent", "computes", "starts_a_process", "prints_what_fails")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project to stand in; tools with NAMES are installed where Python finds them."""
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "made_up_tool.py").write_text(TOOL)
    install_plug_in(tmp_path / "tools", "made_up", PLUG_INS, ENTRY_POINTS, NAMES)
    monkeypatch.syspath_prepend(tmp_path / "tools")
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "shop.py").write_text(SHOP)
    (folder / "pyproject.toml").write_text("")
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.slow
def test_as_many_as_asked_for_of_the_tests_that_pass_in_any_order_are_kept_with_a_record(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = digest_of(project)
    out = project.parent / "made"
    options = ["--target", "shop", "--seed", "4", "--seconds", "9", "--most", "2", "--out", str(out)]
    assert main(["generate-tests", "writes", *options]) == 0
    assert "made: 2 of 6 tests by writes" in capsys.readouterr().out
    assert digest_of(project) == before
    text = (out / "test_shop.py").read_text()
    assert running.tests_in(text) == ["test_price", "test_nothing"]
    assert 'parametrize("count", [1, 2])' in text
    assert "[0, 7]" not in text
    record = json.loads((out / "generated.json").read_text())
    assert (record["written"], record["kept"], record["arguments"]) == (6, 2, ["tool/out", "shop", "4", "9"])
    assert record["left_out"] == {
        "test_shop.py::test_partly[7]": "fails on the original",
        "test_shop.py::test_wrong": "fails on the original",
        "test_shop.py::test_leaves_something": "over the number of tests that was asked for",
        "test_shop.py::test_first_of_all": record["left_out"]["test_shop.py::test_first_of_all"],
    }
    assert "flaky" in record["left_out"]["test_shop.py::test_first_of_all"]
    assert record["cpu_seconds"] > 0 < record["most_bytes"]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("dies", "dies  on shop ended with exit status 1: RuntimeError: out of ideas; see that the module"),
        ("starts_a_process", "ended with exit status 1: no process"),
        ("is_silent", "wrote no test of shop; give it more --seconds"),
        ("links", "wrote no test of shop"),
        ("prints_what_fails", "no test passes on the original"),
    ],
)
def test_a_tool_of_no_use_is_told_in_one_line_and_leaves_nothing(project: Path, entry: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        api.generate_tests("shop", entry, project / "tests")
    assert "\n" not in str(caught.value)
    assert not (project / "tests").exists()


@pytest.mark.slow
def test_processor_time_is_bounded(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "cpu_limit", lambda seconds: 1)
    with pytest.raises(UsageError, match=r"was ended: more than 1 s of processor time"):
        api.generate_tests("shop", "computes", project / "tests")


def test_wrong_use_is_told_in_one_line(project: Path) -> None:
    with pytest.raises(UsageError, match="unknown tool 'evosuite'; there are hypothesis-write, pynguin, crosshair"):
        api.generate_tests("shop", "evosuite", project / "tests")
    with pytest.raises(UsageError, match="there is something already; name a new folder after --out"):
        api.generate_tests("shop", "crosshair", project)
    with pytest.raises(SourceError, match="no module 'shops' of Python source"):
        api.generate_tests("shops", "crosshair", project / "tests")


PINNED = WritingTool("made-up", ("made-up==9.9.9",), "made_up:main", lambda request: ())


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache, beside a folder that has all packages that pip finds: made-up 9.9.9."""
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with ZipFile(tmp_path / "made_up-9.9.9-py3-none-any.whl", "w") as wheel:
        wheel.writestr("made_up.py", "VERSION = 9")
        about = "made_up-9.9.9.dist-info"
        wheel.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: made-up\nVersion: 9.9.9\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{about}/RECORD", "")
    return tmp_path / "cache" / "tools"


@pytest.mark.slow
def test_an_environment_of_its_own_is_made_once_and_told_of(packages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (python,) = {python_of(PINNED) for _ in range(2)}
    assert python.parents[2] == packages
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("mutascope: made-up 9.9.9 gets an environment of its own, ")
    command = [str(python), "-c", "import made_up; print(made_up.VERSION)"]
    assert subprocess.run(command, capture_output=True, check=True).stdout == b"9\n"


@pytest.mark.slow
def test_an_environment_that_cannot_be_made_is_told_with_pip_s_last_line(packages: Path) -> None:
    words = r"no environment for made-up: ERROR: No matching distribution .* other==1; see that packages can"
    with pytest.raises(UsageError, match=words):
        python_of(replace(PINNED, pins=(*PINNED.pins, "other==1")))
    assert list(packages.iterdir()) == []


def test_the_tool_s_version_that_is_installed_here_is_taken() -> None:
    from importlib.metadata import version

    here = WritingTool("made-up", (f"pytest=={version('pytest')}", "pluggy==0"), "pytest:main", lambda request: ())
    assert python_of(here) == Path(sys.executable)


def test_known_tools_are_pinned_and_asked_with_seed_and_seconds() -> None:
    request = Request("shop.cart", "/project", 4, 20, 7, "/out")
    command_lines = {tool.name: " ".join(tool.arguments(request)) for tool in BUILT_IN}
    assert "--seed 7 --maximum-search-time 20" in command_lines["pynguin"]
    assert command_lines["crosshair"].endswith("--per_condition_timeout 5 shop.cart")
    assert all("==" in pin for tool in BUILT_IN for pin in tool.pins)
    assert find_tool("pynguin").version == "0.48.0"


def test_functions_are_taken_out_with_their_decorators_and_all_else_stays() -> None:
    assert without("import a\n\n@a.b\ndef one(): pass\n# kept\ndef two():\n    return 1\n", ["one"]) == (
        "import a\n\n# kept\ndef two():\n    return 1\n"
    )


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
