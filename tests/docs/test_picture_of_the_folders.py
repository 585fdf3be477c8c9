"""The picture in docs/architecture.md is drawn from the imports."""

from __future__ import annotations

import pytest

from benchmarks import structure


@pytest.mark.document
def test_the_picture_in_the_architecture_is_that_of_the_sources() -> None:
    drawn = structure.picture(structure.sources_of_work_tree())
    message = "run `python -m benchmarks.structure --picture`"
    assert structure.PICTURE.findall(structure.PAGE.read_text(encoding="utf-8")) == [drawn], message


def test_an_import_that_follows_from_others_has_no_arrow() -> None:
    sources = {
        "top.a": "from harness.middle.b import b\nfrom harness.bottom.c import c\n",
        "middle.b": "from harness.bottom import c\nfrom harness import errors\n",
        "bottom.c": "",
        "errors": "",
    }
    arrows = [line.strip() for line in structure.picture(sources).splitlines() if "-->" in line]
    assert arrows == ["middle --> bottom", "top --> middle"]


def test_sizes_are_counted_by_folder() -> None:
    text = "from typing import Any\n\nclass A:\n    x: Any\n\ndef main():\n    SandboxedProcess(Table(), Any)\n"
    sizes = structure.counts({"": "", "runs.one": text, "tables.two": "Table()", "api": "x = 1\n"})
    assert list(sizes) == ["runs/", "tables/", "top level"]
    assert sizes["runs/"] == {
        "files": 1, "lines": 7, "classes": 1, "`main`s": 1, "`Any`": 2, "tables by hand": 1, "starts of processes": 1
    }  # fmt: skip
    assert sizes["tables/"] == {"files": 1, "lines": 1}
    assert sizes["top level"] == {"files": 2, "lines": 1}
