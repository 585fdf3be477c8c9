"""Makes tables, figures and comparisons of stored runs; functions import pandas and matplotlib only when needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness import resources
from harness.did_you_mean import suggestion
from harness.errors import UsageError
from harness.model.experiment import EVERY_TRIAL, TrialFilter
from harness.model.outcome import OracleName, ScorePolicy
from harness.tables.stored import Run

if TYPE_CHECKING:
    from fractions import Fraction

    from matplotlib.figure import Figure

    from harness.tables.criteria import CriteriaOfRun
    from harness.tables.table import Table


def tables(  # noqa: PLR0913 (a keyword for each option)
    paper: str | None = None,
    folder: Path | str | None = None,
    table: str | None = None,
    policy: ScorePolicy = ScorePolicy.ALL_VIABLE,
    oracle: str = OracleName.DIFFERENTIAL.value,
    subjects: Sequence[str] = (),
    generators: Sequence[str] = (),
) -> dict[str, Table]:
    """Return a paper's tables of a run, each measured value beside the published one; by default the run's own tables.

    Args:
        folder: of the run, or of a frozen one; default: results/<paper>, else the frozen run that ships.
        policy: decides which mutants count; every table of scores names it.
        oracle: which results are shown, by the name of an `OracleName`.
        subjects: tabulate the trials of these subjects only, by name or title; default: of all.
        generators: tabulate the trials of these generators only; default: of all.

    Raises:
        UsageError: unknown paper or table, or no run to make it from, or none that the oracle judged, or a choice of no
            trials or for a paper.
        StoreError: a mutant argued to be equivalent was killed.
    """
    from harness.papers import paper as known_paper
    from harness.runs.run_tables import POLICY_TABLES, RUN_TABLES, without_rows
    from harness.tables.table import check_table, made_tables

    makers: Mapping[str, Any] = {**RUN_TABLES, **POLICY_TABLES} if paper is None else known_paper(paper).TABLES
    check_table(makers, table, paper or "a run")
    run = Run(_run_folder(paper, folder)).under(oracle)
    inputs = _inputs(paper, run, policy, TrialFilter(tuple(subjects), tuple(generators)))
    if paper is None and table is None:
        left_out = without_rows(inputs) | set(POLICY_TABLES)
        makers = {name: make for name, make in makers.items() if name not in left_out}
    return made_tables(makers, inputs, table, paper or "a run")


def describe(
    folder: Path | str,
    policy: ScorePolicy = ScorePolicy.ALL_VIABLE,
    oracle: str = OracleName.DIFFERENTIAL.value,
    form: str = "text",
) -> str:
    """Return a paragraph on the set-up of a run: generators, subjects, mutants, suites, oracle, versions, machine.

    Args:
        folder: the folder of the run, or of a frozen one.
        policy: decides which mutants count.
        oracle: the oracle whose trials are described, by the name of an `OracleName`.
        form: `text`, or `latex` with escaped characters.

    Raises:
        UsageError: there is no such oracle or form.
        StoreError: no trial is stored yet, or none was judged by the oracle.
    """
    from harness.runs.description import description
    from harness.runs.run_tables import RunFacts
    from harness.tables.render import latex_escaped

    if form not in (forms := ("text", "latex")):
        raise UsageError(f"no form {form!r} for a description; {suggestion(form, forms)}")
    text = description(RunFacts.of(Run(folder).under(oracle), policy))
    return latex_escaped(text) if form == "latex" else text


def figures(  # noqa: PLR0913 (a keyword for each option)
    paper: str | None = None,
    folder: Path | str | None = None,
    out: Path | None = None,
    policy: ScorePolicy = ScorePolicy.ALL_VIABLE,
    pdf: bool = False,
    width: float | None = None,
    style: Path | str | None = None,
    subjects: Sequence[str] = (),
    generators: Sequence[str] = (),
    names: Sequence[str] = (),
) -> list[Path]:
    """Draw a paper's figures of a run, by default the run's own figures, as PNG and SVG. Return their paths.

    A figure is left out if the run has no data for it.

    Args:
        out: where they go; default: the run's folder, but the present folder where the run is a frozen one.
        pdf: True to write them as PDF, too, with embedded fonts.
        width: of each figure, in inches, as for a column of a paper; default: as its panels need it.
        style: a style file of matplotlib; its settings replace those of mutascope.
        subjects: draw the trials of these subjects only; default: of all.
        generators: draw the trials of these generators only; default: of all.
        names: draw these figures only, such as `scopes`; default: all.

    Raises:
        UsageError: unknown paper or figure, no run to draw, or a style file that matplotlib cannot read. A choice of no
            trials, or for a paper. A figure in `names` for which there is no data.
        StoreError: a file cannot be written.
    """
    from harness.analysis.drawing import STYLE, Page, drawn_for, save_figures, style_of
    from harness.analysis.frozen import is_frozen
    from harness.papers import paper as known_paper
    from harness.runs.run_figures import CURVE_FIGURES, RUN_FIGURES, curve_figures

    source = _run_folder(paper, folder)
    makers: Mapping[str, Callable[[Any], Figure | None]] = RUN_FIGURES if paper is None else known_paper(paper).FIGURES
    all_names = [*makers, *CURVE_FIGURES] if paper is None else list(makers)
    if unknown := [name for name in names if name not in all_names]:
        raise UsageError(f"{paper or 'a run'} has no figure {unknown[0]!r}; {suggestion(unknown[0], all_names)}")
    chosen_names = list(names) or all_names
    inputs = _inputs(paper, Run(source), policy, TrialFilter(tuple(subjects), tuple(generators)))
    target = out or (Path() if is_frozen(source) else source)
    with drawn_for(Page(width, STYLE if style is None else style_of(Path(style)))):
        drawn = {name: draw(inputs) for name, draw in makers.items() if name in chosen_names}
        drawn |= curve_figures(inputs, chosen_names) if paper is None else {}
        if lacking := [name for name in names if drawn.get(name) is None]:
            raise UsageError(f"{source}: it has no data for figure {lacking[0]}; leave this --figure out")
        return save_figures(drawn, target, pdf)


def _inputs(paper: str | None, run: Run, policy: ScorePolicy, chosen: TrialFilter) -> Any:
    """Return what tables and figures are made of: of a paper, or of the chosen trials of a run.

    Raises:
        UsageError: the choice is of no trials, or for a paper.
    """
    from harness.papers import paper as known_paper
    from harness.runs.run_tables import RunFacts
    from harness.tables.stored import check_has_trials

    if paper is None:
        return RunFacts.of(run, policy).chosen_by(chosen)
    if chosen != EVERY_TRIAL:
        raise UsageError("--subject and --generator choose from a run; give its folder instead of a paper")
    check_has_trials(run)
    return known_paper(paper).paper_inputs(run, policy)


def compare(  # noqa: PLR0913 (a keyword for each option)
    folder: Path | str | None = None,
    sizes: Sequence[Fraction | int] | None = None,
    policy: ScorePolicy = ScorePolicy.ALL_VIABLE,
    basis: str | None = None,
    oracle: str = OracleName.DIFFERENTIAL.value,
    take: str | None = None,
    table: str | None = None,
) -> dict[str, Table]:
    """Return tables of the generators of a run at equal budgets, and of the mutants on which they differ.

    The branches of each input are measured once for the table `sizes`, and stored with the run.

    Args:
        folder: the folder of the run; default: results/generators.
        sizes: the budgets; default: 100, 1,000 and 10,000, of seconds 0.01, 0.1 and 1.
        basis: the unit of the budgets: inputs, calls or (processor) seconds; None: inputs and calls, side by side.
        oracle: the oracle whose results are compared, by the name of an `OracleName`.
        take: the rule of all rows: inputs `drawn` at random from each suite, or its `first` ones; default: the first
            ones at equal seconds, as others exist only after all, else drawn ones.

    Raises:
        UsageError: no folder is named, and there is none in results/generators; or there is no such oracle or table.
        StoreError: no trial was run in mode matrix, or the generators were not run on the same mutants.
    """
    from harness.analysis.compared import Basis, Rule
    from harness.measured.suite_inputs import with_branches
    from harness.runs.comparison_tables import COMPARISON_TABLES, budgets_of, compared_generators
    from harness.tables.stored import proven_under
    from harness.tables.table import check_table, made_tables

    check_table(COMPARISON_TABLES, table, "a comparison")
    run = Run(_run_folder("generators", folder, "mutascope compare DIR")).under(oracle)
    proven = proven_under(run, policy)
    budgets = budgets_of(sizes, None if basis is None else Basis(basis))
    rule = Rule(take or ("first" if basis == Basis.SECONDS.value else "drawn"))
    found = compared_generators(run.folder, budgets, policy, proven, run.oracle, rule)
    if table in (None, "sizes"):
        found = replace(found, compared=with_branches(run.folder, found.compared))
    return made_tables(COMPARISON_TABLES, found, table, "a comparison")


def criteria(folder: Path | str) -> CriteriaOfRun:
    """Compare test criteria with each other and with random selections, on the suites with a kill matrix.

    The criteria are the spec's eq_class, criteria that nobody has to write, and products of both.

    Returns:
        An object with `tables()` and `draw(out)`.

    Raises:
        StoreError: no trial was run to the end in mode matrix.
    """
    from harness.tables.criteria import CriteriaOfRun

    return CriteriaOfRun(Run(folder))


def outcomes(folder: Path | str, table: str | None = None) -> dict[str, Table]:
    """Return tables of the condition outcomes that the suites of a run reach, and of those that they miss.

    Raises:
        UsageError: there is no such table.
        StoreError: the outcomes of no trial can be measured.
    """
    from harness.runner.run import existing_folder
    from harness.runs.outcomes_of_run import OUTCOME_TABLES, measured_suites
    from harness.tables.table import check_table, made_tables

    check_table(OUTCOME_TABLES, table, "condition outcomes")
    return made_tables(OUTCOME_TABLES, measured_suites(existing_folder(Path(folder))), table, "condition outcomes")


def _run_folder(paper: str | None, folder: Path | str | None, by: str = "--from DIR") -> Path:
    """Return the folder of a run: the one that is given, else that of the paper's own run, else of its frozen one.

    Raises:
        StoreError: there is no such folder.
        UsageError: nothing is given, or the paper has no run; `by` says how to name one.
    """
    from harness.runner.run import existing_folder

    if folder is not None:
        return existing_folder(Path(folder))
    if paper is None:
        raise UsageError("give a paper, or the folder of a run")
    own, frozen = Path("results") / paper, resources.shipped("results/frozen") / paper
    for candidate in (own, frozen):
        if candidate.is_dir():
            return candidate
    raise UsageError(f"no run in {own}; make one (mutascope run {paper}) or name a run's folder ({by})")
