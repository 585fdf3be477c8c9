"""The figures of a run have their curves and the same bytes each time; a paragraph describes the set-up."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median

import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from support.compared_samples import write_run
from support.report_samples import OUTPUT, RESULTS, stored_run
from support.run_samples import frames_of_rows, growing_run, trial_row

from harness import api
from harness.analysis.drawing import Page, drawn_for, save_figure
from harness.analysis.measures import NONE_PROVEN, coverage_ratios, scores
from harness.analysis.titles import short_names
from harness.errors import UsageError
from harness.model.experiment import ExecutionMode, TrialFilter
from harness.model.outcome import ScorePolicy
from harness.runs.run_figures import (
    ScoreCurve,
    ScoresPanel,
    curve_figures,
    draw_scores_by,
    draw_scores_by_scope,
    generators_figure,
    growth_figure,
    scopes_figure,
)
from harness.runs.run_tables import RunFacts
from harness.store import RunStore
from harness.store.facts import FailedTrial
from harness.tables.figures import KILLED, SCOPES, STATEMENTS, UNFINISHED, scope_panels
from harness.tables.stored import Run

SEEDS = (0, 1, 2)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two scopes of korat, and of random with three seeds, the last of which kills one mutant less."""
    stored_run(tmp_path)
    for seed in SEEDS:
        survived = RESULTS[-1]
        results = [*RESULTS] if seed < 2 else [type(survived)(OUTPUT.id, survived.verdict, 50, 60), *RESULTS[1:]]
        stored_run(tmp_path, generator="random", seed=seed, inputs=50, results=results)
    return tmp_path


def test_a_panel_has_a_curve_for_each_generator_with_the_median_of_its_seeds(folder: Path) -> None:
    run = Run(folder)
    figure = generators_figure(RunFacts.of(run))
    assert figure is not None
    (axes,) = figure.axes
    scores = run.scores()
    for line in axes.get_lines():
        rows = scores[scores["generator"] == line.get_label()]
        expected = [median(rows[rows["scope"] == scope]["score_pct"]) for scope in (2, 3)]
        assert list(line.get_xdata()) == [2, 3]
        assert list(line.get_ydata()) == pytest.approx(expected)
    assert [line.get_label() for line in axes.get_lines()] == ["korat", "random"]
    assert len(axes.collections) == 1, "one band, for the generator with several seeds"


def test_figures_of_some_generators_leave_the_others_out(folder: Path, tmp_path: Path) -> None:
    stored_run(folder, generator="beapi")
    chosen = TrialFilter(("search_tree",), ("random", "beapi"))
    figure = generators_figure(RunFacts.of(Run(folder)).chosen_by(chosen))
    assert figure is not None
    assert [line.get_label() for line in figure.axes[0].get_lines()] == ["beapi", "random"]
    one = api.figures(folder=folder, out=tmp_path / "one", generators=["korat"])
    assert {path.stem for path in one} == {"scopes", "growth"}, "nothing is overlaid of one generator"


@pytest.mark.slow
def test_only_figures_that_are_named_are_drawn(folder: Path, tmp_path: Path) -> None:
    paths = api.figures(folder=folder, out=tmp_path / "out", names=["growth", "generators_by_inputs"])
    assert [path.name for path in paths] == [
        "growth.png", "growth.svg", "generators_by_inputs.png", "generators_by_inputs.svg",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("pie", "a run has no figure 'pie'; there are scopes, growth, generators, .*killed_by_inputs, .*branches_by"),
        ("scope", "a run has no figure 'scope'; did you mean 'scopes'?"),
        ("killed_by_seconds", "it has no data for figure killed_by_seconds; leave this --figure out"),
        ("branches_by_calls", "it has no data for figure branches_by_calls"),
    ],
)
def test_a_figure_that_there_is_not_is_refused_in_one_line(
    folder: Path, tmp_path: Path, name: str, message: str
) -> None:
    with pytest.raises(UsageError, match=message) as refused:
        api.figures(folder=folder, out=tmp_path / "out", names=["growth", name])
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_figure_of_a_paper_is_drawn_by_its_name(tmp_path: Path) -> None:
    assert [path.name for path in api.figures("exhaustive2003", out=tmp_path, names=["figure3"])] == [
        "figure3.png", "figure3.svg",
    ]  # fmt: skip
    with pytest.raises(UsageError, match="exhaustive2003 has no figure 'scopes'; there are figure3, figure9"):
        api.figures("exhaustive2003", out=tmp_path, names=["scopes"])


def test_figures_of_a_paper_take_no_filter() -> None:
    with pytest.raises(UsageError, match="choose from a run; give its folder instead of a paper"):
        api.figures("exhaustive2003", generators=["korat"])


def test_a_run_of_one_generator_has_no_such_figure(tmp_path: Path) -> None:
    assert generators_figure(RunFacts.of(Run(stored_run(tmp_path)))) is None


@pytest.mark.slow
def test_figures_are_written_as_pdf_on_request(folder: Path, tmp_path: Path) -> None:
    paths = api.figures(folder=folder, out=tmp_path / "out", pdf=True)
    assert {path.suffix for path in paths} == {".png", ".svg", ".pdf"}
    (pdf,) = [path for path in paths if path.name == "generators.pdf"]
    assert b"/TrueType" in pdf.read_bytes() or b"/CIDFontType2" in pdf.read_bytes()


NAMES = [
    "korat", "beapi", "mine.py:generate", "random:10000,calls=50000,seconds=20",
    "experiments/generators/another.py:by_size:most=5000", *(f"generator_{at}:option={at}" for at in range(5, 12)),
]  # fmt: skip


@pytest.mark.parametrize("draw", [draw_scores_by_scope, partial(draw_scores_by, "inputs")], ids=["scope", "inputs"])
@pytest.mark.parametrize("width", [None, 3.3, 7.0])
@pytest.mark.parametrize("count", [1, 2, 5, 12])
@pytest.mark.parametrize("subjects", [1, 3, 4])
def test_no_text_is_cut_off_or_covers_another_one(
    subjects: int, count: int, width: float | None, draw: Callable[[list[ScoresPanel], str], Figure]
) -> None:
    names = NAMES[:count]
    curves = tuple(ScoreCurve(name, ((1, 10, 10, 10), (2, 90 - 7 * at, 80, 95))) for at, name in enumerate(names))
    numbers = {name: at for at, name in enumerate(names)}
    panels = [ScoresPanel(f"Subject {at}", curves, numbers) for at in range(subjects)]
    with drawn_for(Page(width)):
        figure = draw(panels, "A note. " * 40)
    check_texts(figure, names, width)
    assert min(height_of(axes) for axes in figure.axes if axes.get_visible()) > 0.7, "inches"


SUBJECTS = {"queue": "BoundedQueue", "deque": "ConcurrentLinkedDequeOfIntervals"}


def run_of(generators: Sequence[str], seeds: int = 2) -> RunFacts:
    """Return a run of two subjects, one with a long name, at three scopes."""
    frames = growing_run(SUBJECTS, range(1, 4), runs=[(name, seed) for name in generators for seed in range(seeds)])
    return RunFacts(frames, ScorePolicy.ALL_VIABLE, NONE_PROVEN, frames)


@pytest.mark.parametrize("draw", [scopes_figure, growth_figure])
@pytest.mark.parametrize("width", [None, 84 / 25.4, 3.3, 174 / 25.4])
@pytest.mark.parametrize("count", [1, 2, 5, 12])
def test_figures_of_a_run_with_long_names_and_seeds_can_be_printed(
    count: int, width: float | None, draw: Callable[[RunFacts], Figure | None]
) -> None:
    names = list(short_names(NAMES[:count]).values())
    titles = [f"{title}, {name}" if count > 1 else title for title in SUBJECTS.values() for name in names]
    with drawn_for(Page(width)):
        figure = draw(run_of(NAMES[:count]))
    assert figure is not None
    check_texts(figure, titles, width)
    for axes in (axes for axes in figure.axes if axes.get_visible()):
        assert len([label for label in axes.get_yticklabels(which="both") if label.get_text()]) >= 2
        if width is not None:
            assert axes.title.get_window_extent().width <= axes.get_window_extent().width
            assert axes.title.get_fontsize() <= 9
            assert height_of(axes) > 0.6, "inches"
            assert axes.title.get_text().count("\n") <= 1 or figure.get_figheight() > 6, "else one column has room"


def test_at_one_scope_the_generators_stand_side_by_side_each_with_its_interval(tmp_path: Path) -> None:
    for seed, kills in enumerate((4, 3)):
        results = [*RESULTS[:kills], *(replace(RESULTS[-1], mutant=one.mutant) for one in RESULTS[kills:])]
        stored_run(tmp_path, (3,), generator="random", seed=seed, results=results)
    figure = generators_figure(RunFacts.of(Run(stored_run(tmp_path, (3,)))))
    assert figure is not None
    (axes,) = figure.axes
    korat, random = sorted(axes.get_lines(), key=lambda line: str(line.get_label()))
    assert abs(korat.get_xdata()[0] - random.get_xdata()[0]) > 0.3, "no marker is on another one"
    (bar,) = axes.collections
    assert bar.get_segments()[0][:, 1].tolist() == [50, 66.67]
    assert "Bars: from the least to the greatest score." in " ".join(figure.texts[0].get_text().split())


def test_growth_has_no_candidates_and_states_of_a_generator_of_calls() -> None:
    facts = run_of(["korat", "random"], seeds=1)
    trials = facts.frames.trials
    trials["sequences"] = trials["generator"].map({"random": "on-mutant"})
    lines = {axes.get_title(): [line.get_label() for line in axes.get_lines()] for axes in growth_figure(facts).axes}
    assert lines["BoundedQueue, korat"] == ["candidates", "pre-states", "inputs"]
    assert lines["BoundedQueue, random"] == ["inputs"]


def test_own_generators_are_named_after_their_functions_and_seeds_are_counted_once() -> None:
    figure = scopes_figure(run_of(["korat", "mine.py:generate"]))
    assert figure is not None
    titles = [axes.get_title().replace("\n", " ") for axes in figure.axes]
    assert titles == [f"{title}, {name}" for title in SUBJECTS.values() for name in ("korat", "generate")]
    assert sum("Medians of up to 2 seeds." in text.get_text().replace("\n", " ") for text in figure.texts) == 1


def test_each_curve_of_scopes_is_known_by_its_look_without_colours() -> None:
    for draw in (scopes_figure, growth_figure):
        figure = draw(run_of(["korat"]))
        assert figure is not None
        lines = figure.axes[0].get_lines()
        looks = {(line.get_linestyle(), line.get_marker(), line.get_linewidth() > 2) for line in lines}
        assert len(looks) == len(lines) == 3


def height_of(axes: Axes) -> float:
    """Return the height of axes in inches."""
    return axes.get_window_extent().height / axes.get_figure().dpi


def check_texts(figure: Figure, names: Sequence[str], width: float | None) -> None:
    """Check that all names are in a figure of that width, and that no text is cut off or covers another one."""
    figure.draw_without_rendering()
    assert width is None or figure.get_figwidth() == width
    texts = [*figure.texts, *(text for legend in figure.legends for text in legend.get_texts())]
    for axes in (axes for axes in figure.axes if axes.get_visible()):
        texts += [axes.title, axes.xaxis.label, axes.yaxis.label, *axes.texts]
        inside = axes.bbox.expanded(1.01, 1.01)
        ticks = [tick for axis in (axes.xaxis, axes.yaxis) for tick in axis.get_major_ticks() + axis.get_minor_ticks()]
        texts += [tick.label1 for tick in ticks if inside.contains(*tick.tick1line.get_window_extent().p0)]
    boxes = {text: text.get_window_extent() for text in texts if text.get_text() and text.get_visible()}
    visible = {"".join(text.get_text().split()) for text in boxes}
    assert {"".join(name.split()) for name in names} <= visible
    for text, box in boxes.items():
        assert box.x0 >= 0, text
        assert box.y0 >= 0, text
        assert box.x1 <= figure.bbox.width, text
        assert box.y1 <= figure.bbox.height, text
        assert not any(box.overlaps(other) for one, other in boxes.items() if one is not text), text


@pytest.mark.slow
def test_a_style_file_replaces_settings(folder: Path, tmp_path: Path) -> None:
    style = tmp_path / "paper.mplstyle"
    style.write_text("svg.fonttype: none\nfont.size: 6\n")
    plain, styled = tmp_path / "plain", tmp_path / "styled"
    for out, chosen in ((plain, None), (styled, style)):
        api.figures(folder=folder, out=out, style=chosen)
    assert "<text" not in (plain / "generators.svg").read_text()
    assert "<text" in (styled / "generators.svg").read_text()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "cannot be read"),
        (b"nosuch.setting: 3", "Bad key nosuch.setting"),
        (b"font.size: big", "Could not convert 'big' to float"),
        (b"\xff\xfe", "it is no text"),
    ],
    ids=["missing", "unknown", "value", "bytes"],
)
def test_a_wrong_style_file_is_refused_in_one_line(
    folder: Path, tmp_path: Path, text: bytes | None, message: str
) -> None:
    style = tmp_path / "paper.mplstyle"
    if text is not None:
        style.write_bytes(text)
    with pytest.raises(UsageError, match=message) as refused:
        api.figures(folder=folder, out=tmp_path, style=style)
    assert "\n" not in str(refused.value)


@pytest.fixture(scope="module")
def scope_curves():
    return scope_panels(growing_run({"a": "Alpha", "b": "Beta"}, range(1, 4)))


def test_panels_hold_the_measured_percentages(scope_curves):
    frames = growing_run({"a": "Alpha", "b": "Beta"}, range(1, 4))
    assert [panel.title for panel in scope_curves] == ["Alpha", "Beta"]
    code = coverage_ratios(frames).query("kind == 'code' and subject == 'a'")
    assert scope_curves[0].measured[STATEMENTS] == tuple(zip(code["scope"], code["statement_pct"], strict=True))
    scored = scores(frames).query("subject == 'a'")
    assert scope_curves[0].measured[KILLED] == tuple(zip(scored["scope"], scored["score_pct"], strict=True))


def test_statement_coverage_is_the_thick_line(scope_curves):
    published = dataclasses.replace(scope_curves[0], printed={STATEMENTS: ((1, 40.0), (2, 50.0))})
    axes = SCOPES.draw([published], "", UNFINISHED).axes[0]
    lines = {line.get_label(): line for line in axes.get_lines()}
    assert list(lines) == ["statement coverage", "statement coverage, published", "branch coverage", "mutants killed"]
    assert lines["statement coverage"].get_linewidth() > 2 * lines["mutants killed"].get_linewidth()
    assert lines["statement coverage, published"].get_linestyle() == "None"
    assert lines["statement coverage, published"].get_xydata().tolist() == [[1, 40], [2, 50]]
    assert lines["mutants killed"].get_xydata().tolist() == [list(point) for point in scope_curves[0].measured[KILLED]]
    assert "scope" in axes.get_xlabel()
    assert "%" in axes.get_ylabel()


@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf"])
def test_the_same_run_gives_the_same_file(scope_curves, tmp_path, suffix):
    for name in ("a", "b"):
        save_figure(SCOPES.draw(scope_curves, "", UNFINISHED), tmp_path / f"{name}{suffix}")
    data = (tmp_path / f"a{suffix}").read_bytes()
    assert data == (tmp_path / f"b{suffix}").read_bytes()
    assert b"Date" not in data


def test_nothing_to_draw_is_an_error():
    with pytest.raises(UsageError, match="nothing to draw"):
        SCOPES.draw(scope_panels(frames_of_rows([trial_row("a", "A", 1, finished=False)])), "", UNFINISHED)


def test_each_generator_has_a_line_by_scope_with_the_score_of_as_many_inputs(tmp_path):
    figures = curve_figures(RunFacts.of(Run(write_run(tmp_path))))
    figure = figures["killed_by_inputs"]
    at_two, at_three = figure.axes
    lines = {str(line.get_label()): line for line in at_two.get_lines()}
    assert list(lines) == ["beapi", "korat", "random"]
    assert list(lines["korat"].get_xdata()) == [1, 2, 5, 10, 20]
    third = 100 / 3  # of three mutants, korat kills one, by one of its 20 inputs
    assert list(lines["korat"].get_ydata()) == pytest.approx([third * n / 20 for n in (1, 2, 5, 10, 20)])
    assert [line.get_xdata()[-1] for line in at_three.get_lines()] == [40]
    assert {name for name, drawn in figures.items() if drawn is None} == {
        "killed_by_calls", "killed_by_seconds", "branches_by_inputs", "branches_by_calls", "branches_by_seconds",
    }, "the suites of a made-up run cannot be read, and were not timed"  # fmt: skip
    first = figures["generators_by_inputs"]
    titles = [axes.get_title() for axes in first.axes]
    assert titles == [axes.get_title() for axes in figure.axes] == ["Tree, scope 2", "Tree, scope 3"]
    korat = next(line for line in first.axes[0].get_lines() if line.get_label() == "korat")
    assert list(korat.get_ydata()) == pytest.approx([third] * 5), "its first input kills"


def test_a_run_that_ends_each_mutant_at_its_first_kill_has_curves_of_first_inputs_only(tmp_path):
    stored_run(tmp_path, generator="random")
    figures = curve_figures(RunFacts.of(Run(stored_run(tmp_path))))
    assert {name for name, drawn in figures.items() if drawn} == {"generators_by_inputs"}


def test_a_curve_that_takes_less_than_the_clock_can_tell_is_not_drawn_and_said_so(tmp_path):
    run = write_run(tmp_path)
    with RunStore.open(run) as store:
        for trial in store.trials.all():
            for what in ("generate_cpu", "baseline"):
                store.timings.add(trial.key, what, 0.0001 if trial.generator == "korat" else 0.1)
    figure = curve_figures(RunFacts.of(Run(run)), ["killed_by_seconds"])["killed_by_seconds"]
    (at_two,) = figure.axes
    assert {str(line.get_label()): list(line.get_xdata()) for line in at_two.get_lines()} == {
        "beapi": [pytest.approx(0.2)], "random": [pytest.approx(0.2)],
    }  # fmt: skip
    assert "Left out: korat (it takes less than 0.001 s)." in " ".join(figure.texts[0].get_text().split())


def test_a_generator_without_a_curve_is_named_in_the_figure_and_in_the_log(tmp_path, caplog):
    run = write_run(tmp_path, random=ExecutionMode.FIRST_KILL)
    with RunStore.open(run) as store:
        store.failures.add(FailedTrial("tree", "Tree", "mine.py:make", 2, 0, "it made no input"))
    figures = curve_figures(RunFacts.of(Run(run)), ["killed_by_inputs", "generators_by_inputs", "killed_by_calls"])
    for name, left_out in (
        ("killed_by_inputs", "Left out: make (it could not be run: it made no input); random (only"),
        ("generators_by_inputs", "Left out: make (it could not be run: it made no input)."),
    ):
        figure = figures[name]
        assert left_out in " ".join(figure.texts[0].get_text().split())
    told = [message.partition(": Left out: make (it could not be run")[0] for message in caplog.messages]
    assert [line.partition(": ")[2] for line in told[-3:]] == [
        "generators_by_inputs", "killed_by_inputs", "killed_by_calls (not drawn)",
    ]  # fmt: skip


def test_a_run_of_generators_is_described_with_counts_and_versions(tmp_path: Path) -> None:
    stored_run(tmp_path)
    for seed in (0, 1, 2):
        stored_run(tmp_path, scopes=(2,), generator="random", generator_version="2", seed=seed, inputs=1500)
    text = api.describe(tmp_path)
    assert text.startswith(
        "The generator korat (version 1) was evaluated on SearchTree at scopes 2 and 3; the generator random "
        "(version 2, seeds 0 to 2) was evaluated on SearchTree at scope 2. The operator set ferastrau gives 6 mutants "
        "of SearchTree (set "
    )
    assert "The mutation score is killed / all viable mutants." in text
    assert "5 suites with 90 to 1,500 inputs (4,680 in all) were run." in text
    assert "Each mutant runs the inputs in the order of the suite until one kills it; each one is in a module" in text
    assert text.endswith(
        "The run used Mutascope 0.1.0, Python 3.11, pandas 2, on Linux with 2 processor cores (machine)."
    )


def test_generators_with_the_same_scopes_are_in_one_clause_and_a_file_of_calls_is_no_generator(tmp_path: Path) -> None:
    for generator in ("korat", "random", "cases.jsonl"):
        stored_run(tmp_path, scopes=(2,), generator=generator)
    assert api.describe(tmp_path).startswith(
        "The generators korat (version 1) and random (version 1, seed 0) were evaluated on SearchTree at scope 2; the "
        "suite of calls cases.jsonl (version 1) was evaluated on SearchTree at scope 2. "
    )


def test_trials_without_an_end_and_several_modes_are_named(tmp_path: Path) -> None:
    stored_run(tmp_path, scopes=(2,))
    stored_run(tmp_path, scopes=(3,), finish=False)
    assert "1 trial of 2 did not finish, and have no score." in api.describe(tmp_path)


def test_a_description_for_latex_is_escaped(tmp_path: Path) -> None:
    stored_run(tmp_path, operator_set="my_set", generator="random:50%")
    assert r"my\_set" in api.describe(tmp_path, form="latex")
    with pytest.raises(UsageError, match="no form 'html' for a description; there are text, latex"):
        api.describe(tmp_path, form="html")
