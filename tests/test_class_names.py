"""The check of names that several classes have, which `make lint` runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import class_names

ONE = 'class Suite:\n    """One."""\n'


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A package with the class `Suite` in two modules, and private classes of one name."""
    root = tmp_path / "harness"
    (root / "store").mkdir(parents=True)
    (root / "suites.py").write_text(f"{ONE}\nclass _Row:\n    pass\n", encoding="utf-8")
    (root / "store" / "suites.py").write_text(f"\n{ONE}\nclass _Row:\n    pass\n", encoding="utf-8")
    return root


def test_a_name_that_two_classes_share_needs_a_reason(sources: Path) -> None:
    (message,) = class_names.messages(sources, {})
    assert message.startswith("Suite: harness/store/suites.py:2 and harness/suites.py:1 have one name; rename one")
    assert not list(class_names.messages(sources, {"Suite": "each module has its own"}))


def test_a_reason_that_no_two_classes_need_any_more_is_removed(sources: Path) -> None:
    (sources / "suites.py").unlink()
    (message,) = class_names.messages(sources, {"Suite": "each module has its own"})
    assert message == "Suite: no two classes have this name any more; remove it from class_names.py"


def test_each_name_that_classes_of_the_harness_share_has_a_reason(capsys: pytest.CaptureFixture[str]) -> None:
    assert class_names.main() == 0
    assert capsys.readouterr().out == ""
