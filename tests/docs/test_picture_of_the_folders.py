"""The picture in docs/architecture.md is drawn from the imports."""

from benchmarks import structure


def test_the_picture_in_the_architecture_is_that_of_the_sources():
    drawn = structure.picture(structure.sources_of_work_tree())
    assert structure.PICTURE.read_text(encoding="utf-8") == drawn, "run `python -m benchmarks.structure`"
