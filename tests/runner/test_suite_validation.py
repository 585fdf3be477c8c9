"""The files of a suite are validated before they become one."""

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest

from harness.kernel.inputs.suites import Call, SuiteHeader, SuiteReader, SuiteWriter
from harness.runner.suites import InvalidSuite, validate_suite

EXTENSION = {"Node.left": {"feasible": ["0,2-3", ""], "covered": ["0"]}, "Node.key": {"covered": ["12345"]}}
SOLVING = {"solver": "cadical195", "version": "1", "variables": 3, "clauses": 0, "calls": 1, "instances": 1, "kept": 1}
DETAILS = {"sat.extension": 3, "sat.pairs": EXTENSION, "sat.solving": SOLVING}
TRIAL_FIELDS = {"subject": "counter", "generator": "korat", "scope": 2, "seed": 0}


def counter_suite(folder: Path) -> Path:
    """Write a suite of two inputs."""
    header = SuiteHeader("counter", "0", "korat", "1", 2, 0, width=1, itemsize=1, targets=["add"])
    with SuiteWriter(folder / "suite", header) as writer:
        for value in range(2):
            writer.add_input(writer.add_state([value]), Call(0, ()))
        writer.close()
    return folder / "suite"


def change(**fields: object) -> Callable[[Path], None]:
    """Writes other fields into the header, as somebody does who knows how."""

    def changed(suite: Path) -> None:
        header = asdict(SuiteReader(suite).header)
        (suite / "header.json").write_text(json.dumps({**header, **fields}))

    return changed


def link(suite: Path) -> None:
    (suite / "states.bin").rename(suite.parent / "elsewhere")
    (suite / "states.bin").symlink_to(suite.parent / "elsewhere")


def test_a_suite_as_expected_is_fine(tmp_path):
    validate_suite(counter_suite(tmp_path), TRIAL_FIELDS)


@pytest.mark.parametrize(
    "details", [DETAILS, {"sat.solving": {}}, {"lab.count": 3, "lab.way": "a line", "lab.all": []}]
)
def test_a_suite_with_details_is_fine(tmp_path, details):
    suite = counter_suite(tmp_path)
    change(details=details)(suite)
    validate_suite(suite, TRIAL_FIELDS)


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        (lambda suite: (suite / "header.json").unlink(), "its files are inputs.bin, states.bin"),
        (lambda suite: (suite / "more").touch(), "its files are "),
        (link, "its files are "),
        (lambda suite: (suite / "header.json").write_text("[]"), "not a complete suite"),
        (lambda suite: (suite / "header.json").write_bytes(b"\xff"), "not a complete suite"),
        (lambda suite: (suite / "header.json").write_text("[" * 100_000), "not the suite: maximum recursion"),
        (lambda suite: (suite / "states.bin").write_bytes(b"\1\0"), "not what was written there"),
        (change(subject="other"), "its header tells another subject"),
        (change(details=[1]), "its header tells another details"),
        (change(details={"count": 1}), "its header tells another details"),
        (change(details={"lab.count": 1 << 64}), "its header tells another details"),
        (change(details={"lab.count": float("nan")}), "its header tells another details"),
        (change(details={"lab.count": None}), "its header tells another details"),
        (change(details={"lab.way": "two\nlines"}), "its header tells another details"),
        (change(details={"lab.way": "x" * 1001}), "its header tells another details"),
        (change(details=DETAILS | {"sat.pairs": [1]}), "its header tells another details"),
        (change(details=DETAILS | {"sat.pairs": {"a": {"covered": ["0-99999999999"]}}}), "tells another details"),
        (change(details=DETAILS | {"sat.pairs": {"a": {"feasible": ["0"]}}}), "its header tells another details"),
        (change(details=DETAILS | {"sat.solving": {}}), "its header tells another details"),
        (change(details=DETAILS | {"sat.solving": {**SOLVING, "kept": "2"}}), "its header tells another details"),
        (change(details=DETAILS | {"sat.extension": 4}), "its header tells another details"),
        (change(details={"sat.extension": "3"}), "its header tells another details"),
        (change(searchable=None), "its header tells another searchable"),
        (change(states=-1), "not the suite"),
        (change(explored="many"), "its header tells another explored"),
        (change(inputs=[]), "not the suite"),
        (change(calls=[[0]]), "not the suite"),
        (change(ended=["calls"]), "its header tells another ended"),
        (change(notices="cut"), "its header tells another notices"),
        (change(notices=["cut", 1]), "its header tells another notices"),
        (change(calls=None), "not the suite"),
        (change(format=99), "suite format 99"),
    ],
)
def test_anything_else_is_refused_in_one_line(harm, says, tmp_path):
    suite = counter_suite(tmp_path)
    harm(suite)
    with pytest.raises(InvalidSuite) as failure:
        validate_suite(suite, TRIAL_FIELDS)
    assert says in str(failure.value)
    assert "\n" not in str(failure.value)


def test_a_process_that_wrote_nothing_is_told_from_one_that_did(tmp_path):
    with pytest.raises(InvalidSuite, match=r"there is none \(No such file or directory\)"):
        validate_suite(tmp_path / "suite", TRIAL_FIELDS)
