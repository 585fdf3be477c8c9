"""Draws the candidates that Korat and BEAPI explored, and their seconds, by scope, one panel per subject."""

from __future__ import annotations

from matplotlib.figure import Figure

from harness.analysis.drawing import COVERAGE_COLOUR, KILLED_COLOUR, Curve, curve_of
from harness.papers.beapi2023.run import (
    BEAPI,
    KORAT,
    NAME,
    SUBJECTS,
    WITH_SUITES,
    BeapiInputs,
    printed_generation,
    subject_of,
)
from harness.tables.figures import CurveFigure, Curves, Look

_LOOKS = {KORAT: Look("Korat", COVERAGE_COLOUR), BEAPI: Look("BEAPI", KILLED_COLOUR)}


def explored(dataset: BeapiInputs) -> Figure:
    """Draw the executions of rep_ok (Korat) and of sequences (BEAPI) by scope, on a logarithmic axis.

    Raises:
        UsageError: the run has no such trials.
    """
    return _drawn(dataset, "explored", "Explored: executions of rep_ok (Korat), of sequences (BEAPI).")


def seconds(dataset: BeapiInputs) -> Figure:
    """Draw the seconds of generation by scope, on a logarithmic axis.

    Raises:
        UsageError: the run has no such trials.
    """
    note = f"Seconds are of this machine ({dataset.frames.machine}), of both {WITH_SUITES}; the paper's are of Java."
    return _drawn(dataset, "seconds", note)


def panels_of(dataset: BeapiInputs, measure: str) -> list[Curves]:
    """Draw a panel for each subject that was run with one of the two, in the order of the paper."""
    panels = []
    for subject in dict.fromkeys(SUBJECTS.values()):
        measured = {way: _measured(dataset, subject, way, measure) for way in _LOOKS}
        if any(measured.values()):
            printed = {way: _printed(dataset, subject, way, measure) for way in _LOOKS}
            panels.append(Curves(subject, measured, printed))
    return panels


def _drawn(dataset: BeapiInputs, measure: str, note: str) -> Figure:
    note = f"{note} Crosses: as printed, of every class that the subject stands for."
    empty_message = f"the run has no trial of {KORAT} or {BEAPI}; run the experiment {NAME}"
    return CurveFigure(_LOOKS, f"{measure} (logarithmic)").draw(panels_of(dataset, measure), note, empty_message)


def _measured(dataset: BeapiInputs, subject: str, way: str, measure: str) -> Curve:
    numbers = ((at, dataset.generations[subject, way, at]) for at in dataset.scopes(subject, way))
    return curve_of((at, getattr(generation, measure) or None) for at, generation in numbers)


def _printed(dataset: BeapiInputs, subject: str, way: str, measure: str) -> Curve:
    rows = (row for row in dataset.printed("table1", keys=3).rows if subject_of(*row.key[:2]) == subject)
    points = {(int(row.key[2]), getattr(printed_generation(row, way), measure, None)) for row in rows}
    return tuple(sorted((scope, float(value)) for scope, value in points if value))
