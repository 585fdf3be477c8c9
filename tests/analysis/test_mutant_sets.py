"""Rows over different mutant sets of one target are told, with their scores over what all have; curves are refused."""

from pathlib import Path

import pytest
from support.store_samples import MUTANTS, RESULTS, trial

from harness import api
from harness.analysis.measures import scored_rows
from harness.analysis.mutant_sets import ScoredRow, check_one_set, mixed_sets
from harness.analysis.run_summary import suite_warnings, summary_rows
from harness.errors import UsageError
from harness.store import RunStore


def row(name: str, killed: dict[str, bool], operators: str = "ferastrau", source: str = "s") -> ScoredRow:
    return ScoredRow("LRU", name, operators, f"{sorted(killed)}", source, killed)


FEW = row("korat scope 1", {"a": True, "b": False})
MANY = row("korat scope 2", {"a": True, "b": True, "c": True})


def test_rows_over_one_set_are_comparable():
    assert mixed_sets([FEW, row("random scope 1", {"a": False, "b": False})]) == []
    check_one_set([FEW], "a curve")


def test_rows_over_two_sets_are_told_with_what_they_kill_of_the_common_mutants():
    (line,) = mixed_sets([FEW, MANY])
    assert line.startswith("NOT COMPARABLE: the rows of LRU (ferastrau) are over different mutant sets, of 2 (")
    assert line.endswith("; of the 2 that all have are killed: korat scope 1 1, korat scope 2 2")
    with pytest.raises(UsageError, match="a curve cannot be made: NOT COMPARABLE"):
        check_one_set([FEW, MANY], "a curve")


def test_rows_of_two_sources_have_no_common_mutants():
    (line,) = mixed_sets([FEW, row("korat scope 2", {"a": True}, source="t")])
    assert line.endswith("as its source was changed in between; run all of them again, into another folder")


def test_operator_sets_and_targets_do_not_mix():
    other = ScoredRow("Tree", "korat scope 1", "ferastrau", "another", "s", {"x": True})
    assert mixed_sets([FEW, row("korat scope 1", {"x": True}, "mujava"), other]) == []


def mixed_run(folder: Path) -> Path:
    """Two scopes, of which the second was run on one mutant less."""
    with RunStore.open(folder) as store:
        for scope, mutants in ((1, MUTANTS[:3]), (2, [one for one in MUTANTS[:3] if one.id != RESULTS[0].mutant])):
            key = store.trials.add(trial(store.mutants.add(mutants), scope))
            for result in RESULTS:
                if result.mutant in {mutant.id for mutant in mutants}:
                    store.results.add(key, result)
            store.finished.add(key)
    return folder


def test_summaries_tables_pages_and_figures_of_a_mixed_run_say_so(tmp_path):
    folder = mixed_run(tmp_path)
    (line,) = [remark for remark in suite_warnings(folder) if remark.startswith("NOT COMPARABLE")]
    assert mixed_sets(scored_rows(api.load(folder).frames)) == [line]
    assert line in api.tables(folder=folder, table="scopes")["scopes"].caption
    assert len({told["mutant_set"] for told in summary_rows(folder)}) == 2
    api.report(folder)
    assert line in (folder / "report.html").read_text(encoding="utf-8")
    with pytest.raises(UsageError, match="a curve of scores by scope cannot be made: NOT COMPARABLE"):
        api.figures(folder=folder)
