"""Figures show every curve, and the same run draws the same bytes."""

import dataclasses

import pytest
from support.run_samples import frames_of_rows, growing_run, trial_row

from harness.analysis.measures import coverage_ratios, scores
from harness.analysis.plots import draw_scope_figure, save_figure, scope_panels
from harness.errors import UsageError


@pytest.fixture(scope="module")
def panels():
    return scope_panels(growing_run({"a": "Alpha", "b": "Beta"}, range(1, 4)), "korat")


def test_panels_hold_the_measured_percentages(panels):
    frames = growing_run({"a": "Alpha", "b": "Beta"}, range(1, 4))
    assert [panel.title for panel in panels] == ["Alpha", "Beta"]
    code = coverage_ratios(frames).query("kind == 'code' and subject == 'a'")
    assert panels[0].statement == tuple(zip(code["scope"], code["statement_pct"], strict=True))
    scored = scores(frames).query("subject == 'a'")
    assert panels[0].killed == tuple(zip(scored["scope"], scored["score_pct"], strict=True))
    assert panels[0].published_killed == ()


def test_statement_coverage_is_the_thick_line(panels):
    published = dataclasses.replace(panels[0], published_statement=((1, 40.0), (2, 50.0)))
    axes = draw_scope_figure([published]).axes[0]
    lines = {line.get_label(): line for line in axes.get_lines()}
    assert list(lines) == ["statement coverage", "mutants killed", "statement coverage, published"]
    assert lines["statement coverage"].get_linewidth() > 2 * lines["mutants killed"].get_linewidth()
    assert lines["statement coverage, published"].get_linestyle() == "--"
    assert lines["mutants killed"].get_xydata().tolist() == [list(point) for point in panels[0].killed]
    assert "scope" in axes.get_xlabel()
    assert "%" in axes.get_ylabel()


@pytest.mark.sweep
@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_there_is_one_visible_panel_per_subject(panels, count):
    figure = draw_scope_figure([panels[0]] * count, "note")
    assert sum(axes.get_visible() for axes in figure.axes) == count
    assert len(figure.legends) == 1


@pytest.mark.end_to_end
@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf"])
def test_the_same_run_gives_the_same_file(panels, tmp_path, suffix):
    for name in ("a", "b"):
        save_figure(draw_scope_figure(panels), tmp_path / f"{name}{suffix}")
    data = (tmp_path / f"a{suffix}").read_bytes()
    assert data == (tmp_path / f"b{suffix}").read_bytes()
    assert b"Date" not in data


def test_nothing_to_draw_is_an_error():
    with pytest.raises(UsageError, match="nothing to draw"):
        draw_scope_figure(scope_panels(frames_of_rows([trial_row("a", "A", 1, finished=False)]), "korat"))
