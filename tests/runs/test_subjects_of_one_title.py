"""Two subjects of one title, and the seeds of a generator, have rows and panels of their own in all views of a run."""

import pytest
from matplotlib.figure import Figure
from support.own_subject import write_subject

from harness import api
from harness.command_line.main import main
from harness.runs.run_figures import curve_figures
from harness.runs.run_tables import RunFacts
from harness.tables.criteria import draw_criteria

SOURCE = """
class Counter:
    def __init__(self):
        self.count = 0

    def add(self, amount):
        if amount > 1 and self.count < 3:
            self.count += amount
        return self.count
"""
SPEC = """
from harness.spec import Finitization

title = "Counter"

def rep_ok(counter):
    return counter.count >= 0

def finitization(scope):
    f = Finitization("Counter")
    f.set("Counter.count", range(scope + 3))
    f.method("add", range(scope + 3))
    return f
"""
OTHER = SOURCE.replace("amount > 1", "amount >= 1")
NAMES = ["Counter (subjects/first)", "Counter (subjects/second)"]
SUITES = [(name, seed) for name in NAMES for seed in ("0", "1")]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    home = tmp_path_factory.mktemp("one_title")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        for name, source in (("first", SOURCE), ("second", OTHER)):
            write_subject(home / "subjects" / name, source, SPEC)
        subjects = ["--subject", "subjects/first", "--subject", "subjects/second"]
        generators = ["--generator", "random:20", "--seeds", "2"]
        assert main(["run", *subjects, *generators, "--scope", "1", "--matrix", "--out", "run", "--jobs", "1"]) == 0
        yield home / "run"


def titles_of(figure: Figure) -> list[str]:
    return [" ".join(axes.get_title().split()) for axes in figure.axes if axes.get_title()]


@pytest.mark.slow
@pytest.mark.parametrize("table", ["criteria", "sizes"])
def test_criteria_have_rows_of_each_subject_and_seed(run, table):
    records = api.criteria(run).tables()[table].records()
    assert sorted({(row["subject"], row["seed"]) for row in records}) == SUITES


def test_curves_and_the_figure_of_criteria_have_a_panel_of_each_subject(run):
    figure = draw_criteria(api.criteria(run).suites, "")
    assert titles_of(figure) == [f"{name}, random:20 at scope 1, seed {seed}" for name, seed in SUITES]
    figure = curve_figures(RunFacts.of(api.load(run)), ["killed_by_inputs"])["killed_by_inputs"]
    assert figure is not None
    assert titles_of(figure) == [f"{name}, scope 1" for name in NAMES]


@pytest.mark.slow
def test_condition_outcomes_have_rows_of_each_subject(run):
    records = api.outcomes(run)["coverage"].records()
    assert sorted({row["subject"] for row in records}) == NAMES


@pytest.mark.parametrize("table", ["sizes", "pairs"])
def test_compared_generators_have_rows_of_each_subject(run, table):
    compared = api.compare(run, table=table)[table]
    assert sorted({row.labels[0] for row in compared.rows}) == NAMES
    assert all(f"{name} " in compared.caption for name in NAMES)
