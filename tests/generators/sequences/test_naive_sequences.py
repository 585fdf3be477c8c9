"""The naive exploration finds what the closed formulas say (../shared/published/README.md)."""

from math import comb
from pathlib import Path

from support import naive_sequences

from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.spec import load_spec
from harness.runner.subjects import load_subject


def test_search_trees_are_as_many_as_catalan_numbers_say(tmp_path: Path) -> None:
    subject = load_subject("search_tree")
    module = execute(ModuleText.of(subject))
    bounds = load_spec(subject.spec_source, str(subject.spec_path)).sequences(3, subject.source)
    exploration = naive_sequences.explore(module, bounds)
    assert len(exploration.structures) == sum(comb(3, k) * comb(2 * k, k) // (k + 1) for k in range(4)) == 15
    bounds.builders("add")
    again = naive_sequences.explore(module, bounds)
    assert again.structures.keys() == exploration.structures.keys()
    assert again.explored == 15 * 3 + again.rounds == 50
    naive_sequences.write_suite(tmp_path / "suite", module, bounds, 3)
    suite = SuiteReader(tmp_path / "suite")
    suite.check()
    assert suite.header.states == 15
    assert len(suite) == 15 * 6
    assert next(suite.header.targets[call.target] for call in suite.sequence(len(suite) - 1)) == "SearchTree"
