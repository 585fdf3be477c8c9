"""The picture in docs/architecture.md is drawn from the imports."""

import re

import pytest

from benchmarks import structure


@pytest.mark.document
def test_the_picture_in_the_architecture_is_that_of_the_sources():
    drawn = structure.picture(structure.sources_of_work_tree())
    assert structure.PICTURE.read_text(encoding="utf-8") == drawn, "run `python -m benchmarks.structure`"


def test_an_import_that_follows_from_others_has_no_arrow():
    sources = {
        "top.a": "from harness.middle.b import b\nfrom harness.bottom.c import c\n",
        "middle.b": "from harness.bottom import c\nfrom harness import errors\n",
        "bottom.c": "",
        "errors": "",
    }
    drawn = structure.picture(sources)
    assert re.findall(r">(\w+)</text>", drawn) == ["top", "middle", "bottom"]
    assert drawn.count('<path d="M480,') == 2
