"""The graph of imports: which test files a change can affect, in a small made-up repository and in this one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.changes import changes_since
from support.import_graph import ImportGraph, is_test_file

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent

FILES = {
    "pack/__init__.py": "",
    "pack/low.py": '"""Uses nothing; `pack.alone` is mentioned only."""',
    "pack/high.py": "from pack.low import (\n    one,\n    two,\n)\n",
    "pack/late.py": "def main():\n    if print:\n        from pack import low\n",
    "pack/typed.py": "if TYPE_CHECKING:\n    from pack.low import One\n\nfrom pack.other import x\n",
    "pack/other.py": "",
    "pack/alone.py": "",
    "pack/begin.py": 'ask("pack.child")',
    "pack/child.py": "",
    "pack/plugs/__init__.py": "",
    "pack/plugs/one.py": "",
    "pack/registry.py": 'def find(name): return import_module(f"pack.plugs.{name}")',
    "pack/page.py": 'template("page.j2")\nraise Error("see docs/guide.md")',
    "pack/files/page.j2": '{% include "part.j2" %}',
    "pack/files/part.j2": "",
    "pack/reader.py": 'shipped("things")',
    "tests/conftest.py": "",
    "tests/deep/conftest.py": 'pytest_plugins = ["support.plug"]',
    "tests/support/plug.py": "",
    "pack/star.py": "from pack.high import *",
    "pack/wide.py": "",
    "tests/test_wide.py": "from pack import (  # noqa: F401 (neither alone)\n    wide,\n)\n",
    "tests/support/tool.py": "from pack.star import one",
    "tests/test_low.py": "from pack.low import one",
    "tests/test_high.py": "import os, pack.high",
    "tests/test_late.py": "from pack.late import main",
    "tests/test_typed.py": "from pack.typed import x",
    "tests/test_tool.py": "from support.tool import one",
    "tests/test_begin.py": "from pack import begin",
    "tests/test_registry.py": "from pack.registry import find",
    "tests/test_page.py": "from pack.page import render",
    "tests/test_reader.py": "from pack.reader import read",
    "tests/test_command.py": 'run([sys.executable, "-m", "pack.alone", "x"])',
    "tests/test_program.py": 'PROGRAM = "import sys\\nfrom pack import alone"',
    "tests/test_guide.py": 'ROOT / "docs" / "guide.md"',
    "tests/test_whole.py": 'compile_folder(ROOT / "pack")',
    "tests/test_sources.py": 'files = [*(ROOT / "bench").rglob("*.py")]',
    "bench/__init__.py": "",
    "bench/deep/one.py": "",
    "tests/test_docs.py": '(ROOT / "docs").glob("*.md")',
    "tests/test_queue.py": 'load("queue at scope 3")',
    "tests/deep/near.py": "from pack.alone import x",
    "tests/deep/test_relative.py": "from .near import x",
    "docs/guide.md": "`pack.low` and `import pack.low` in prose",
    "docs/extra/more.md": "",
    "things/queue/spec.py": "from pack.other import x",
    "things/queue/impl.py": "",
    "things/stack/spec.py": "",
    "things/stack/impl.py": "",
    "pyproject.toml": 'main = "pack.low:main"',
}

Affected = Callable[..., dict[str, int]]


@pytest.fixture
def affected(tmp_path: Path) -> Affected:
    """Return the short names of the affected test files, with their distances."""

    def find(*changed: str, deleted: bool = False) -> dict[str, int]:
        for file, text in FILES.items():
            (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / file).write_text(text, encoding="utf-8")
        files = FILES.keys() - set(changed) if deleted else FILES.keys()
        distances = ImportGraph(tmp_path, files, changed if deleted else ()).distances(changed)
        return {Path(file).stem.removeprefix("test_"): distance for file, distance in distances.items()}

    return find


def test_a_module_affects_the_tests_that_import_it_directly_or_through_others(affected: Affected) -> None:
    assert affected("pack/low.py") == {"low": 1, "high": 2, "late": 2, "tool": 4}


def test_a_comment_in_the_parentheses_of_an_import_hides_no_name(affected: Affected) -> None:
    assert affected("pack/wide.py") == {"wide": 1}


def test_tests_depend_on_the_packages_around_what_they_import(affected: Affected) -> None:
    assert affected("pack/plugs/__init__.py") == {"registry": 2}
    assert affected("pack/__init__.py").keys() >= {"low", "high", "command", "program", "begin"}


def test_an_import_for_annotations_only_does_not_count_and_what_follows_it_does(affected: Affected) -> None:
    assert "typed" not in affected("pack/low.py")
    assert affected("pack/other.py")["typed"] == 2


def test_a_module_that_a_process_or_a_program_in_a_string_begins_with_affects_the_test(affected: Affected) -> None:
    assert affected("pack/child.py") == {"begin": 2}
    assert affected("pack/alone.py") == {"command": 1, "program": 1, "relative": 2}


def test_a_module_that_is_chosen_by_name_affects_those_that_choose(affected: Affected) -> None:
    assert affected("pack/plugs/one.py") == {"registry": 2}


def test_a_file_is_affected_by_the_text_that_includes_it(affected: Affected) -> None:
    assert affected("pack/files/part.j2") == {"page": 3}


def test_a_document_affects_tests_that_name_it_or_its_folder_but_not_code_that_mentions_it(affected: Affected) -> None:
    assert affected("docs/guide.md") == {"guide": 1, "docs": 2}
    assert affected("docs/extra/more.md") == {"guide": 2, "docs": 2}


def test_a_module_affects_tests_that_go_through_all_files_of_its_package(affected: Affected) -> None:
    assert affected("bench/deep/one.py") == {"sources": 2}


def test_a_file_in_a_folder_beside_others_is_known_by_the_name_of_the_folder(affected: Affected) -> None:
    assert affected("things/queue/impl.py") == {"queue": 1, "reader": 3}
    assert affected("things/stack/spec.py") == {"reader": 3}


def test_what_a_data_file_imports_affects_the_tests_that_name_the_file(affected: Affected) -> None:
    assert affected("pack/other.py") == {"typed": 2, "queue": 2, "reader": 4}


def test_a_changed_test_file_affects_itself_alone(affected: Affected) -> None:
    assert affected("tests/test_low.py") == {"low": 0}


def test_a_conftest_affects_the_tests_below_its_folder_and_the_settings_affect_all(affected: Affected) -> None:
    everything = {Path(file).stem.removeprefix("test_") for file in FILES if is_test_file(file)}
    assert affected("tests/deep/conftest.py").keys() == {"relative"}
    assert affected("tests/support/plug.py").keys() == {"relative"}
    assert affected("tests/conftest.py").keys() == everything
    assert affected("pyproject.toml").keys() == everything


def test_a_deleted_file_affects_those_that_still_use_it(affected: Affected) -> None:
    assert affected("pack/low.py", deleted=True) == {"low": 1, "high": 2, "late": 2, "tool": 4}
    assert affected("things/queue/spec.py", deleted=True) == {"queue": 1, "reader": 3}
    assert affected("tests/test_low.py", deleted=True) == {}


def test_what_nobody_uses_affects_nothing(affected: Affected) -> None:
    assert affected("README.md") == {}


@pytest.fixture(scope="module")
def here() -> tuple[ImportGraph, list[str]]:
    """Return the graph of this repository, and its files."""
    changes = changes_since(ROOT, "HEAD")
    return ImportGraph(ROOT, changes.files), sorted(changes.files)


@pytest.mark.sweep
def test_what_every_test_file_loads_depends_on_no_module_under_test(here: tuple[ImportGraph, list[str]]) -> None:
    graph, files = here
    under_test = [file for file in files if not file.startswith("tests/") and file != "pyproject.toml"]
    assert "tests/support/test_plugins.py" not in graph.distances(under_test)


@pytest.mark.sweep
@pytest.mark.parametrize("part", range(20))
def test_all_that_importing_a_test_file_loads_affects_it(here: tuple[ImportGraph, list[str]], part: int) -> None:
    graph, files = here
    file = [file for file in files if is_test_file(file)][part::20][part % 7]
    paths = [str(path) for path in (ROOT, TESTS, TESTS / "generators", (ROOT / file).parent)]
    further = sorted({str((ROOT / name).parent) for name in files if name.startswith("tests/")})
    program = (
        f"import sys; sys.path[:0] = {paths}\n"
        f"sys.path += {further}\n"  # some of which conftest.py files put there
        f"import {Path(file).stem}\n"
        "print(*{getattr(module, '__file__', None) for module in [*sys.modules.values()]}, sep='\\n')"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    loaded = {Path(line).relative_to(ROOT).as_posix() for line in done.stdout.split("\n") if line.startswith(str(ROOT))}
    assert file in loaded
    assert [other for other in loaded.intersection(files) if file not in graph.distances([other])] == []
