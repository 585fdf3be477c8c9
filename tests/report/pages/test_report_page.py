"""The page describes the run, its results and its provenance, and needs nothing from outside."""

import json
import re
from html import unescape
from pathlib import Path

import pytest
from support.report_samples import (
    MUTANTS,
    OUTPUT,
    RESULTS,
    SUBJECT,
    SURVIVOR,
    WALL,
    killed,
    mutant,
    stored_run,
)  # fmt: skip

from harness.errors import UsageError
from harness.kernel.program.splice import mutated_source
from harness.model.coverage import CoverageCounts
from harness.model.outcome import KillReason, MutantResult, ScorePolicy, Verdict
from harness.report.pages.page import write_report
from harness.report.pages.source_view import mutant_rows, source_lines
from harness.report.pages.trials import reported_trials
from harness.store import RunStore
from harness.store.facts import FailedTrial


def page_of(folder: Path) -> str:
    write_report(folder)
    return (folder / "report.html").read_text(encoding="utf-8")


def text_of(html: str) -> str:
    """Return the text that a reader sees, in one line."""
    body = re.sub(r"<(style|script)\b.*?</\1>", " ", html, flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", body)).split())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return stored_run(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def page(folder):
    return page_of(folder)


def test_the_page_and_a_json_file_per_subject_are_written_into_the_run(folder):
    names = [path.name for path in write_report(folder)]
    assert names == ["report.html", "mutation-report-search_tree-korat.json"]
    assert all((folder / name).is_file() for name in names)


def test_the_same_facts_give_the_same_bytes(folder, tmp_path):
    first = [path.read_bytes() for path in write_report(folder)]
    assert [path.read_bytes() for path in write_report(stored_run(tmp_path / "again"))] == first


def test_a_trial_that_failed_has_a_row_with_the_reason(tmp_path):
    run = stored_run(tmp_path)
    with RunStore.open(run) as store:
        store.failures.add(FailedTrial("search_tree", "SearchTree", "bad.py:a<b>", 3, 7, "bad.py:6: ValueError: x < 1"))
    page = page_of(run)
    row = text_of(page[page.index("<td>bad.py:a&lt;b&gt;</td>") :])
    assert "3 7 could not be run: bad.py:6: ValueError: x < 1" in row
    table = page[page.index('<h2 id="summary"') : page.index("</table>")]
    widths = {
        sum(int(span or 1) for span in re.findall(r'<t[dh](?:[^>]*colspan="(\d+)")?', row))
        for row in re.findall(r"<tr.*?</tr>", table, re.S)
    }
    assert len(widths) == 1, "each row is as wide as the heading"


def test_every_score_stands_beside_its_policy(page):
    text = text_of(page)
    assert f"Score policy: {ScorePolicy.ALL_VIABLE.value} ; oracle differential" in text
    assert "83.33 % killed / all viable mutants; oracle differential 5 / 6 mutants killed" in text
    assert "65.00 (13/20)" in text, "statement coverage at scope 3"


def test_scores_under_the_rules_of_other_tools_stand_beside_ours(page):
    text = text_of(page[page.index("By the rules of other tools") :])
    assert "mutascope 5 6 83.33 mutmut 5 8 62.50 cosmic-ray 7 9 77.78 Stryker 4 6 66.67" in text


def test_a_survivor_is_shown_with_its_line_its_change_and_its_evidence(page):
    survivors = text_of(page[page.index('id="search_tree-korat-survivors"') :])
    line = SURVIVOR.location.line
    line_of_survivor = f"{line} SearchTree.add ROR elif info > current.info → info != current.info : survived 90 inputs"
    assert line_of_survivor in survivors
    assert f'href="#search_tree-korat-L{line}"' in page
    assert f'id="search_tree-korat-L{line}"' in page


def test_every_link_within_the_page_leads_somewhere_and_nothing_is_fetched_from_outside(page):
    anchors = set(re.findall(r'id="([^"]+)"', page))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= anchors
    assert not re.findall(r"<script[^>]*src|fetch\(|XMLHttpRequest|import\(", page)
    assert not re.findall(r'(?:src|href)="(?!#|data:|mutation-report-)', page)
    assert not re.findall(r"url\(|@import", page)


def test_the_proof_of_the_instrument_and_the_provenance_are_told(page):
    text = text_of(page)
    assert "The original passed all 90 inputs" in text
    assert "a no-op mutant survived 90 inputs" in text
    assert "mutascope run demo" in text
    assert SUBJECT.source_hash[:16] in text


def test_a_trial_without_proof_says_so(tmp_path):
    assert "The instrument is not proven" in text_of(page_of(stored_run(tmp_path, prove=False)))


def test_kills_by_the_wall_clock_are_noted_where_there_are_any(page, tmp_path):
    assert f"SearchTree: {WALL.id}" in text_of(page)
    results = [result for result in RESULTS if result.mutant != WALL.id]
    without = stored_run(tmp_path, results=[*results, killed(WALL, KillReason.STEP_LIMIT, "more steps")])
    assert "by the wall clock" not in text_of(page_of(without))


def argue(folder: Path, mutant: str) -> None:
    (folder / "mutants" / "search_tree").mkdir(parents=True, exist_ok=True)
    text = f'[[arguments]]\nmutant = "{mutant}"\nequivalence = "proven"\nargument = "keys never repeat"\n'
    (folder / "mutants" / "search_tree" / "equivalence.toml").write_text(text, encoding="utf-8")


def test_arguments_for_equivalence_stand_beside_the_survivor_and_give_a_second_score(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    argue(tmp_path, SURVIVOR.id)
    text = text_of(page_of(stored_run(tmp_path / "run")))
    assert "proven equivalent: keys never repeat" in text
    assert f"{ScorePolicy.ALL_VIABLE.value} ; {ScorePolicy.WITHOUT_PROVEN.value}" in text
    assert "83.33 (5/6) 100.00 (5/5)" in text


def test_arguments_for_other_mutants_are_said_to_be_unused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    argue(tmp_path, "ROR:1:1:no-such")
    text = text_of(page_of(stored_run(tmp_path / "run")))
    assert "Arguments for equivalence were not used:" in text
    assert ScorePolicy.WITHOUT_PROVEN.value not in text


@pytest.mark.slow
def test_text_of_a_subject_is_never_markup(tmp_path):
    hostile = mutant("return True", "True", "'<script>alert(1)</script>'")
    run = stored_run(
        tmp_path, mutants=[*MUTANTS, hostile], results=[*RESULTS, MutantResult(hostile.id, Verdict.SURVIVED, 90, 1)]
    )
    page = page_of(run)
    assert "<script>alert" not in page
    assert page.count("</script") == page.count("<script") == 3, "the data of one trial, the marks, and the script"
    assert r"'\u003cscript>alert(1)\u003c/script>'" in page


def test_an_unfinished_trial_has_no_score(tmp_path):
    text = text_of(page_of(stored_run(tmp_path, (2,), results=RESULTS[:2], finish=False)))
    assert "nothing is scored before every mutant has a result" in text
    assert "60.00 (12/20) 70.00 (7/10) not finished" in text
    assert "100.00" not in text, "two of two killed is no score"


def test_a_changed_implementation_is_reported_without_source_and_without_json(tmp_path):
    run = stored_run(tmp_path, source_hash="0" * 64)
    assert [path.name for path in write_report(run)] == ["report.html"]
    text = text_of((run / "report.html").read_text(encoding="utf-8"))
    assert "the implementation was changed since the run" in text
    assert "info > current.info → info != current.info" in text


def test_a_run_without_trials_is_refused(tmp_path):
    stored_run(tmp_path / "empty", scopes=())
    with pytest.raises(UsageError, match="no trial"):
        write_report(tmp_path / "empty")


def test_a_change_shows_the_line_as_it_stands_in_the_mutated_source(folder):
    with RunStore.open_existing(folder) as store:
        (reported,) = reported_trials(store)
    for row in mutant_rows(reported):
        mutated = mutated_source(SUBJECT.source, row.mutant).split("\n")[row.mutant.location.line - 1]
        change = row.change
        assert change.before + change.replacement + change.after == mutated.strip()
        assert change.original == row.mutant.original


def test_the_source_view_holds_every_line_and_every_mutant_once(folder):
    with RunStore.open_existing(folder) as store:
        (reported,) = reported_trials(store)
    lines = source_lines(reported, mutant_rows(reported))
    assert "\n".join(line.text for line in lines) + "\n" == SUBJECT.source
    assert sorted(shown.mutant.id for line in lines for shown in line.mutants) == sorted(m.id for m in MUTANTS)
    (line,) = (line for line in lines if line.number == OUTPUT.location.line)
    assert [(mark.label, count) for mark, count in line.counts] == [("killed", 1)]


def test_a_suite_that_ended_early_is_told_in_its_section(page, tmp_path):
    changes = {"generator": "random:1000", "ended": "attempts", "notices": ("cut: <1>",)}
    text = text_of(page_of(stored_run(tmp_path, **changes)))
    assert "90 of 1,000 inputs, ended by the attempts that the spec allows (s.attempts) cut: <1>" in text
    assert "ended by" not in text_of(page)


@pytest.fixture(scope="module")
def seeds(tmp_path_factory):
    """Three seeds at scopes 2 and 3, of which the last one kills least and the first one covers most, at scope 2."""
    folder = tmp_path_factory.mktemp("seeds")
    statements = {4: {2: 19, 3: 12}, 7: {2: 3, 3: 17}, 9: {2: 5, 3: 5}}
    for seed, kills in ((4, 5), (7, 4), (9, 1)):
        covered = {scope: CoverageCounts(20, count, 0, 0) for scope, count in statements[seed].items()}
        survivors = [MutantResult(one.mutant, Verdict.SURVIVED, 90, 267) for one in RESULTS[kills:]]
        results = [*RESULTS[:kills], *survivors]
        trials = {"generator": "random", "seed": seed, "suite_digest": str(seed) * 64}
        stored_run(folder, results=results, covered=covered.__getitem__, **trials)
    return folder


def test_every_seed_has_a_row_a_section_and_a_json_file(seeds):
    names = [path.name for path in write_report(seeds)]
    assert names == ["report.html", *(f"mutation-report-search_tree-random-seed-{seed}.json" for seed in (4, 7, 9))]
    for seed, killed_ones in ((4, 5), (7, 4), (9, 1)):
        text = (seeds / f"mutation-report-search_tree-random-seed-{seed}.json").read_text(encoding="utf-8")
        (file,) = json.loads(text)["files"].values()
        assert json.loads(text)["config"]["seed"] == seed
        assert sum(mutant["status"] in ("Killed", "Timeout") for mutant in file["mutants"]) == killed_ones
    page = (seeds / "report.html").read_text(encoding="utf-8")
    for seed in (4, 7, 9):
        assert f'<h2 id="search_tree-random-seed-{seed}">SearchTree (random, seed {seed})</h2>' in page
    assert len(re.findall(r'id="search_tree-random-seed-\d"', page)) == 3


def test_several_seeds_have_the_median_and_range_of_their_scores_with_their_number(seeds):
    text = text_of(page_of(seeds))
    for scope in (2, 3):
        # Of six viable mutants the seeds kill five, four and one.
        assert f"SearchTree random ferastrau {scope} 3 killed / all viable mutants 66.67 16.67 83.33" in text


def test_the_scope_of_the_most_coverage_is_that_of_the_rows_of_the_seed(seeds):
    page = page_of(seeds)
    expected = {4: ("95.00", 2), 7: ("85.00", 3), 9: ("25.00", 2)}
    for seed, (most, scope) in expected.items():
        section = text_of(page[page.index(f'<h2 id="search_tree-random-seed-{seed}"') :])
        assert f"statement coverage reaches its most, {most} %, at scope {scope}." in section[:2500]
        assert f" {scope} {seed} 178 15 90 {most} (" in text_of(page)


def test_a_run_of_one_seed_names_none(page):
    assert "seed" not in text_of(page)
