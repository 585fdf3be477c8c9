"""Plug-ins that we switch off: what a configuration names of theirs is understood, and nothing of it is done."""

import os
import subprocess
import sys

import pytest

RUN = """\
import sys

import pytest

from harness.pytest_suites.switched_off import SwitchedOff

sys.exit(pytest.main(["-p", "no:faulthandler", "-o", "cache_dir=kept"], plugins=[SwitchedOff()]))
"""
OTHERS = """\
import pytest


def pytest_addoption(parser):
    parser.addoption("--html", dest="htmlpath")
    parser.addoption("--alluredir", dest="allure_report_dir")
    parser.addoption("--picked", nargs="?", const="only")
    parser.addoption("--benchmark-disable", action="store_true")


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    assert not (config.option.htmlpath or config.option.allure_report_dir or config.option.picked)
    assert config.option.benchmark_disable
"""
RANDOMLY = """\
def pytest_addoption(parser):
    parser.addoption("--randomly-seed")


def pytest_collection_modifyitems(items):
    raise AssertionError("it is switched on")
"""


@pytest.fixture
def folder(tmp_path):
    """A project with a test, beside a plug-in that has the name of one that shuffles."""
    (tmp_path / "test_one.py").write_text(
        "import os\n\n\ndef test_one():\n    assert 'PYTEST_XDIST_WORKER' not in os.environ\n"
    )
    installed = tmp_path / "installed"
    (installed / "pytest_randomly-1.dist-info").mkdir(parents=True)
    (installed / "pytest_randomly-1.dist-info" / "METADATA").write_text("Name: pytest_randomly\nVersion: 1\n")
    (installed / "pytest_randomly-1.dist-info" / "entry_points.txt").write_text(
        "[pytest11]\nrandomly = pytest_randomly\nothers = others_of_ours\n"
    )
    (installed / "others_of_ours.py").write_text(OTHERS)
    (installed / "pytest_randomly.py").write_text(RANDOMLY)
    return tmp_path


def run(folder, settings):
    """Run the project's test with settings of pytest."""
    (folder / "pytest.ini").write_text(f"[pytest]\n{settings}\n")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment["PYTHONPATH"] = os.pathsep.join([str(folder / "installed"), *sys.path])
    return subprocess.run(
        [sys.executable, "-c", RUN], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
        encoding="utf-8",
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings",
    [
        "addopts = -n 2",
        "addopts = -p no:xdist",
        "addopts = --randomly-seed=3",
        "addopts = --html=out.html",
        "addopts = --alluredir=/nowhere/allure",
        "addopts = --picked",
        "addopts = --junitxml=/nowhere/out.xml --log-file=/nowhere/log.txt",
        "addopts = --collect-only",
        "addopts = --setup-plan",
        "addopts = --pdb",
        "addopts = --trace",
        "addopts = -p no:cacheprovider --strict-config\nfaulthandler_timeout = 60",
    ],
)
def test_a_configuration_that_names_what_is_switched_off_is_understood(folder, settings):
    process = run(folder, settings)
    assert process.returncode == 0, process.stdout + process.stderr
    assert "1 passed" in process.stdout
    assert "workers" not in process.stdout


def test_a_failing_test_asks_no_debugger(folder):
    (folder / "test_one.py").write_text("def test_one():\n    assert 1 == 2\n")
    process = run(folder, "addopts = --pdb")
    assert (process.returncode, "Pdb" in process.stdout) == (1, False), process.stdout
