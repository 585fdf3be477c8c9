"""The picture in docs/architecture.md is drawn from the imports."""

from __future__ import annotations

import pytest

from benchmarks import structure


@pytest.mark.document
def test_the_picture_in_the_architecture_is_that_of_the_sources() -> None:
    drawn = structure.picture(structure.sources_of_work_tree())
    message = "run `python -m benchmarks.structure`"
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
