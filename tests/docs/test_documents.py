"""The examples in the documents are executed as by a reader: files written, commands run, output compared."""

import ast

import pytest
from support.documents import ROOT, blocks, environment, run_console, run_document

from harness import spec
from harness.spec import Finitization, SequenceScope

DOCUMENTS = [
    "docs/tutorial.md",
    "docs/specs.md",
    "docs/relational.md",
    "docs/checking.md",
    "docs/criteria_pruning2011.md",
    "docs/difference.md",
    "docs/field_exhaustive.md",
    "docs/random.md",
    "docs/exhaustive2003.md",
    "docs/experiments.md",
    "docs/cluster.md",
    "docs/plug_ins.md",
    "docs/suites_of_your_own.md",
    "docs/policies.md",
    "docs/test_code.md",
    "docs/surviving_mutants.md",
    "docs/paper_figures.md",
    "docs/commands.md",
    "docs/api.md",
    "README.md",
]
QUICK = {
    "docs/relational.md",
    "docs/difference.md",
    "docs/criteria_pruning2011.md",
    "docs/random.md",
    "docs/field_exhaustive.md",
    "docs/api.md",
}
"""Those that take a second or two; between them they write files, run commands and execute Python."""
FOR_GENERATORS = {"behind", "extended", "of_parts", "requiring", "with_constants", "without_targets"}
"""Methods of Finitization that no spec needs."""
FOR_SEQUENCE_GENERATORS = {
    "extended",
    "left_out",
    "omission",
    "says_constructor",
    "with_constructors",
    "checked",
    "most_of",
    "of_parts",
    "requiring",
    "restricted",
}
"""Methods of SequenceScope that no spec needs."""


@pytest.mark.parametrize(
    "document", [pytest.param(name, marks=[pytest.mark.slow] * (name not in QUICK)) for name in DOCUMENTS]
)
def test_a_document_shows_what_happens(document, tmp_path):
    assert run_document(document, tmp_path)


def test_the_tutorials_first_subject_has_fewer_than_sixty_lines():
    files = [block for block in blocks("docs/tutorial.md") if block.file and "ring_buffer" in block.file]
    assert len(files) == 2
    assert sum(len(block.text.splitlines()) - 1 for block in files) < 60


def test_a_wrong_output_is_noticed(tmp_path):
    run_console("$ echo one\none\n", tmp_path, environment(tmp_path))
    with pytest.raises(AssertionError, match="instead of"):
        run_console("$ echo one\ntwo\n", tmp_path, environment(tmp_path))


def test_every_name_that_a_spec_can_use_has_an_example():
    used = {name for block in blocks("docs/specs.md") if block.language == "python" for name in names(block.text)}
    public = {name for name in vars(Finitization) if not name.startswith("_")} - FOR_GENERATORS
    public |= {name for name in vars(SequenceScope) if not name.startswith("_")} - FOR_SEQUENCE_GENERATORS
    assert {*public, *(name for name in vars(spec) if not name.startswith("_"))} - used == set()
    assert all(f"`{name}`" in (ROOT / "docs/specs.md").read_text() for name in FOR_GENERATORS)


def test_the_reference_names_every_part_of_a_spec():
    text = (ROOT / "docs/specs.md").read_text()
    parts = {"rep_ok", "finitization", "sequences", "abstraction", "title", "implementation", "blocked", "helpers"}
    missing = [part for part in parts if f"| `{part}`" not in text and f"| `{part}(" not in text]
    assert not missing


def names(source: str) -> set[str]:
    """Names and attributes that the code uses, imports apart."""
    nodes = ast.walk(ast.parse(source))
    return {
        node.id if isinstance(node, ast.Name) else node.attr
        for node in nodes
        if isinstance(node, ast.Name | ast.Attribute)
    }
