"""Figures show every curve, and the same run draws the same bytes."""

import dataclasses

import pytest
from support.run_samples import frames_of_rows, growing_run, trial_row

from harness.analysis.drawing import save_figure
from harness.analysis.measures import coverage_ratios, scores
from harness.errors import UsageError
from harness.tables.figures import KILLED, SCOPES, STATEMENTS, UNFINISHED, scope_panels


@pytest.fixture(scope="module")
def panels():
    return scope_panels(growing_run({"a": "Alpha", "b": "Beta"}, range(1, 4)))


def test_panels_hold_the_measured_percentages(panels):
    frames = growing_run({"a": "Alpha", "b": "Beta"}, range(1, 4))
    assert [panel.title for panel in panels] == ["Alpha", "Beta"]
    code = coverage_ratios(frames).query("kind == 'code' and subject == 'a'")
    assert panels[0].measured[STATEMENTS] == tuple(zip(code["scope"], code["statement_pct"], strict=True))
    scored = scores(frames).query("subject == 'a'")
    assert panels[0].measured[KILLED] == tuple(zip(scored["scope"], scored["score_pct"], strict=True))


def test_statement_coverage_is_the_thick_line(panels):
    published = dataclasses.replace(panels[0], printed={STATEMENTS: ((1, 40.0), (2, 50.0))})
    axes = SCOPES.draw([published], "", UNFINISHED).axes[0]
    lines = {line.get_label(): line for line in axes.get_lines()}
    assert list(lines) == ["statement coverage", "statement coverage, published", "branch coverage", "mutants killed"]
    assert lines["statement coverage"].get_linewidth() > 2 * lines["mutants killed"].get_linewidth()
    assert lines["statement coverage, published"].get_linestyle() == "None"
    assert lines["statement coverage, published"].get_xydata().tolist() == [[1, 40], [2, 50]]
    assert lines["mutants killed"].get_xydata().tolist() == [list(point) for point in panels[0].measured[KILLED]]
    assert "scope" in axes.get_xlabel()
    assert "%" in axes.get_ylabel()


@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf"])
def test_the_same_run_gives_the_same_file(panels, tmp_path, suffix):
    for name in ("a", "b"):
        save_figure(SCOPES.draw(panels, "", UNFINISHED), tmp_path / f"{name}{suffix}")
    data = (tmp_path / f"a{suffix}").read_bytes()
    assert data == (tmp_path / f"b{suffix}").read_bytes()
    assert b"Date" not in data


def test_nothing_to_draw_is_an_error():
    with pytest.raises(UsageError, match="nothing to draw"):
        SCOPES.draw(scope_panels(frames_of_rows([trial_row("a", "A", 1, finished=False)])), "", UNFINISHED)
