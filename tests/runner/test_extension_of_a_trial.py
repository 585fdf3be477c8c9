"""A run keeps beside a field-exhaustive suite how many pairs its extensions have together."""

import pytest

from harness import api
from harness.model.experiment import ExecutionMode, Experiment, Trial


@pytest.mark.slow
def test_a_run_keeps_the_sum_of_the_extensions_of_field_exhaustive_suites_alone(tmp_path):
    ways = ("korat", "field-exhaustive", "field-exhaustive:fields=references")
    trials = tuple(Trial("field_sorted_list", way, 2) for way in ways)
    folder = api.run(Experiment("extensions", trials, ExecutionMode.GENERATE), tmp_path / "run", jobs=1)
    extensions = api.load(folder).frames.trials.set_index("generator")["extension"]
    header = api.generate("field_sorted_list", "field-exhaustive", 2).header
    assert extensions["field-exhaustive"] == header.details["sat.extension"] >= header.valid > 0
    assert 0 < extensions["field-exhaustive:fields=references"] < extensions["field-exhaustive"]
    assert extensions.isna()["korat"]
