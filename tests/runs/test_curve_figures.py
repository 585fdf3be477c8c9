"""Figures of curves by budget have a line for each generator, and a panel for each subject and scope."""

import pytest
from support.compared_samples import write_run
from support.report_samples import stored_run

from harness.model.experiment import ExecutionMode
from harness.runs.run_figures import curve_figures
from harness.runs.run_tables import RunFacts
from harness.store import RunStore
from harness.store.facts import FailedTrial
from harness.tables.stored import Run


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
