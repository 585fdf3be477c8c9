"""Writes the report of a run: one HTML page for people, and mutation-testing reports as JSON for other tools."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from pathlib import Path

from harness import __version__
from harness.analysis.drawing import save_figure
from harness.analysis.frames import RunFrames, load_run, records
from harness.analysis.measures import Proven, row_labels, scored_rows, titles_of
from harness.analysis.mutant_sets import mixed_sets
from harness.analysis.score_caption import killed, named
from harness.errors import StoreError
from harness.model.outcome import OracleName, ScorePolicy
from harness.model.pytest_suite import PYTEST
from harness.report.pages.mutation_report import mutation_report
from harness.report.pages.sections import (
    as_script,
    kills_unseen_by_pytest,
    proven_mutants,
    seed_ranges,
    summary_rows,
    trial_section,
    wall_limit_kills,
)
from harness.report.pages.source_view import StatusMark
from harness.report.pages.trials import ReportedTrial, reported_trials
from harness.report.templates import template
from harness.sandbox.folders import locked_folder
from harness.store import RunStore
from harness.tables.figures import SCOPES, UNFINISHED, scope_panels

PAGE = "report.html"
POLICY = ScorePolicy.ALL_VIABLE


def write_report(folder: Path, oracle: OracleName = OracleName.DIFFERENTIAL) -> list[Path]:
    """Write `report.html` and a `mutation-report-SUBJECT-GENERATOR.json` per subject into a run's folder.

    The page has a section and there is a file (`-seed-N`) for each seed of a generator with several seeds. The same
    holds for several pytest suites on one target, by their names. The verdicts are those of `oracle`; file names
    contain its name unless it is the differential oracle.

    The page needs no network. For each subject, generator and seed it shows the largest finished scope in full. If an
    implementation is no longer available, the page says so and shows that subject without source. There is no JSON for
    it, since its schema demands the source. The same stored facts give the same bytes.

    Raises:
        StoreError: there is no run, the run is damaged, or the folder is unwritable.
        UsageError: the run has no trial.
    """
    frames = load_run(folder).under(oracle)
    with RunStore.open_existing(folder) as store:
        reported = reported_trials(store, oracle=oracle)
    texts = {
        f"mutation-report-{one.slug}.json": json.dumps(mutation_report(one), indent=1) + "\n"
        for one in reported
        if one.source is not None
    }
    page = PAGE if oracle is OracleName.DIFFERENTIAL else f"report-{oracle.value}.html"
    texts = {page: render_page(frames, reported, sorted(texts)), **texts}
    try:
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{error.filename}: cannot be written ({error.strerror}); copy the run elsewhere") from None
    return [folder / name for name in texts]


def render_page(frames: RunFrames, reported: Sequence[ReportedTrial], files: Sequence[str]) -> str:
    """Return the page's HTML, which links to `files`, the JSON reports in the same folder."""
    proven = proven_mutants(reported)
    policies = [POLICY, ScorePolicy.WITHOUT_PROVEN] if any(proven.values()) else [POLICY]
    mixed = mixed_sets(scored_rows(frames, POLICY, proven))
    return template("report.html.j2").render(
        version=__version__,
        sessions=frames.sessions,
        policies=policies,
        oracles=named(frames.oracles),
        rows=(rows := summary_rows(frames, policies, proven)),
        has_suites="suite" in row_labels(frames),
        has_seeds="seed" in row_labels(frames),
        has_scopes="scope" in row_labels(frames),
        failures=records(frames.failures),
        titles=titles_of(frames),
        ranges=seed_ranges(rows, policies),
        mixed=mixed,
        figures=[] if mixed else _figures(frames, proven),
        sections=[trial_section(frames, one, POLICY, proven) for one in reported],
        wall_limits=wall_limit_kills(reported),
        unseen=kills_unseen_by_pytest(reported),
        files=files,
        marks=list(StatusMark),
        mark_labels=as_script([{"css": mark.css, "sign": mark.sign, "label": mark.label} for mark in StatusMark]),
    )


def _figures(frames: RunFrames, proven: Proven) -> list[tuple[str, str]]:
    """Return each generator with a figure of its coverage and score by scope, as SVG in a data URL."""
    figures = []
    for generator in frames.trials["generator"].unique():
        panels = scope_panels(frames, POLICY, proven, str(generator))
        if not panels or generator == PYTEST:  # pytest suites have no scope
            continue
        figure = SCOPES.draw(panels, killed(POLICY, frames.oracles), UNFINISHED)
        with locked_folder() as folder:
            path = folder / "figure.svg"
            save_figure(figure, path)
            data = base64.b64encode(path.read_bytes()).decode()
        figures.append((str(generator), f"data:image/svg+xml;base64,{data}"))
    return figures
