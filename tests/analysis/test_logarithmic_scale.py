"""Positions on a logarithmic axis do not depend on the processor."""

import itertools
import math
import os
import subprocess
import sys
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from harness.analysis.logarithmic_scale import ExactLogScale

DRAWING = """
import io
import matplotlib as mpl
from matplotlib.figure import Figure
from harness.analysis.logarithmic_scale import ExactLogScale
mpl.rcParams["svg.hashsalt"] = "x"
axes = Figure().subplots()
axes.plot([1.07 ** n for n in range(300)], [n * n % 97 + 0.3 for n in range(300)])
axes.set_xscale(ExactLogScale(axes.xaxis))
axes.set_yscale(ExactLogScale(axes.yaxis))
text = io.StringIO()
axes.figure.savefig(text, format="svg", metadata={"Date": None})
print(text.getvalue())
"""


def transform():
    axes = Figure().subplots()
    axes.set_xscale(ExactLogScale(axes.xaxis))
    return axes.xaxis.get_transform()


@pytest.mark.sweep
@given(st.lists(st.floats(min_value=1e-300, max_value=1e300), min_size=1, max_size=50))
def test_logarithms_are_the_true_ones_rounded_once(numbers):
    logarithms = transform().transform(np.array(numbers)).tolist()
    assert logarithms == [float(Decimal(each).log10()) for each in numbers]
    for each, logarithm in zip(numbers, logarithms, strict=True):
        assert abs(logarithm - math.log10(each)) <= math.ulp(logarithm), "the C library may differ by one unit at most"


@pytest.mark.sweep
@given(st.integers(-300, 300))
def test_powers_of_ten_are_whole_numbers_and_back(exponent):
    there = transform()
    number = float(f"1e{exponent}")
    assert there.transform([number]).tolist() == [exponent]
    assert there.inverted().transform([float(exponent)]).tolist() == [number]


def test_what_has_no_logarithm_lies_below_all_else():
    numbers = np.ma.masked_equal([0.0, -1.0, np.nan, np.inf, 7.0], 7.0)
    np.testing.assert_array_equal(transform().transform(numbers), [-1000, -1000, np.nan, np.inf, np.nan])


@pytest.mark.parametrize("last", [300, 900, 3000, 30_000, 3_000_000])
def test_labels_of_a_small_panel_do_not_overlap(last):
    figure = Figure(figsize=(3.0, 2.0))
    axes = figure.subplots()
    axes.plot([130, last], [1, 2])
    axes.set_xscale(ExactLogScale(axes.xaxis))
    figure.draw_without_rendering()
    labels = [label for label in axes.get_xticklabels(which="both") if label.get_text() and label.get_visible()]
    extents = [label.get_window_extent() for label in labels if axes.get_xlim()[0] <= label.get_position()[0] <= last]
    boxes = sorted((box.x0, box.x1) for box in extents)
    assert boxes
    assert all(end < begin for (_, end), (begin, _) in itertools.pairwise(boxes))


@pytest.mark.parametrize(
    ("least", "greatest"),
    [(30, 170), (25, 250), (40, 90), (210, 480), (130, 190), (70, 130), (90, 91), (90, 90), (1, 10**9), (3, 4e5)],
)
def test_an_axis_has_labels_at_two_ticks_at_least(least, greatest):
    axes = Figure(figsize=(1.6, 1.2), layout="constrained").subplots()
    axes.plot([2, 3], [least, greatest])
    axes.set_yscale(ExactLogScale(axes.yaxis))
    axes.figure.draw_without_rendering()
    low, high = axes.get_ylim()
    labels = [label for label in axes.get_yticklabels(which="both") if low <= label.get_position()[1] <= high]
    boxes = sorted((box.y0, box.y1) for box in (label.get_window_extent() for label in labels if label.get_text()))
    assert len(boxes) >= 2
    assert all(end < begin for (_, end), (begin, _) in itertools.pairwise(boxes))


@pytest.mark.end_to_end
def test_a_figure_is_the_same_without_the_instructions_that_this_processor_has_beyond_the_least():
    beyond = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    figures = {
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", DRAWING],
            env={**os.environ, "NPY_DISABLE_CPU_FEATURES": " ".join(left_out)},
            capture_output=True,
            check=True,
        ).stdout
        for left_out in ([], beyond)
    }
    assert len(figures) == 1
