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


@pytest.mark.sweep
@pytest.mark.parametrize("dots", [72, 100, 160])
@pytest.mark.parametrize("count", [1, 2, 5, 12])
def test_a_long_note_is_broken_into_lines_inside_the_figure(panels, count, dots):
    note = "Mutants killed: killed / all viable mutants, of operator set mujava; oracle postcondition. " * 4
    many = [dataclasses.replace(panels[0], title=str(number)) for number in range(count)]
    figure = draw_scope_figure(many, note + "\nA short line.")
    figure.set_dpi(dots)
    figure.draw_without_rendering()
    (text,) = [text for text in figure.texts if "Mutants killed" in text.get_text()]
    box = text.get_window_extent()
    assert (box.x0 >= 0, box.x1 <= figure.bbox.width, box.y0 >= 0) == (True, True, True)
    assert text.get_text().endswith("\nA short line.")
    assert text.get_text().split() == f"{note} A short line.".split()


@pytest.mark.sweep
@pytest.mark.parametrize("count", [1, 2, 5, 12])
def test_a_long_title_is_broken_into_lines_above_its_panel(panels, count):
    title = "SearchTree, random:10000,calls=50000,seconds=20, median of 30 seeds"
    figure = draw_scope_figure([dataclasses.replace(panels[0], title=title)] * count)
    figure.draw_without_rendering()
    titles = [axes.title for axes in figure.axes if axes.get_visible()]
    assert ["".join(text.get_text().split()) for text in titles] == ["".join(title.split())] * count
    boxes = [text.get_window_extent() for text in titles]
    assert all(box.x0 >= 0 and box.x1 <= figure.bbox.width and box.y1 <= figure.bbox.height for box in boxes)
    assert not any(one.overlaps(other) for number, one in enumerate(boxes) for other in boxes[:number])


def test_nothing_to_draw_is_an_error():
    with pytest.raises(UsageError, match="nothing to draw"):
        draw_scope_figure(scope_panels(frames_of_rows([trial_row("a", "A", 1, finished=False)]), "korat"))
