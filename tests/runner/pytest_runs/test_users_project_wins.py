"""Suites that plain pytest passes are judged, whatever plug-ins, options and names of modules their projects have."""

from __future__ import annotations

import pytest
from support.own_project import own_project
from support.own_runs import SHORT, SHORT_TESTS, results_of

from harness import api
from harness.model.outcome import Verdict

pytestmark = [pytest.mark.end_to_end, pytest.mark.slow]

UNREGISTERS = """
class Writing:
    pass


def pytest_configure(config):
    config.pluginmanager.register(Writing(), "writing")


def pytest_unconfigure(config):
    config.pluginmanager.unregister(name="writing")
"""
RERUNS = """
import pytest
from _pytest.runner import runtestprotocol


def pytest_runtest_protocol(item, nextitem):
    for _ in range(2):
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        if not any(report.failed for report in reports):
            break
    return True
"""
SECOND_TIME = """

TRIES = []


def test_passes_the_second_time():
    TRIES.append(1)
    assert len(TRIES) % 2 == 0
    assert bounded(1, 2) == 1
"""
ON_LEVEL = """

def test_info_is_seen(caplog):
    import logging

    logging.info("seen %d", bounded(1, 2))
    assert caplog.messages == ["seen 1"]
"""
NAMES = ("harness", "codec", "errors", "kernel", "model", "runner", "spec", "store", "resource", "fractions")


def _judged(tmp_path, files, target="till.core", tests=SHORT_TESTS, settings="", check=1):
    """Run a suite on a module, and check some verdicts; return the number of tests and of kills."""
    folder = own_project(tmp_path / "own", core=SHORT, tests=tests)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "pytest.ini").write_text(f"[pytest]\npythonpath = .\n{settings}\n")
    api.run(api.pytest_experiment(target, ["tests"], folder=folder), folder=tmp_path / "out", jobs=1)
    assert api.verify(tmp_path / "out", sample=check, jobs=1).disagreements == ()
    _, results = results_of(tmp_path / "out")
    return results[0][1].reached, sum(result.verdict is Verdict.KILLED for _, result in results)


@pytest.mark.parametrize(
    ("encoding", "word"), [("latin-1", "Größe"), ("cp1252", "Größe€"), ("utf-16", "x"), ("shift_jis", "大きさ")]
)
def test_a_module_of_another_encoding_is_judged_and_one_that_is_none_is_left_out(tmp_path, capsys, encoding, word):
    package = tmp_path / "own" / "till"
    name = word.rstrip("€")
    core = f"#!/usr/bin/python\n# -*- coding: {encoding} -*-\n" + SHORT.replace("value", name) + f"TEXT = '{word}'\n"
    package.mkdir(parents=True)
    (package / "more.py").write_bytes(core.encode(encoding))
    tests = (
        SHORT_TESTS + f"\n\ndef test_text():\n    from till.more import TEXT, bounded\n\n    assert TEXT == '{word}'\n"
    )
    tests += "    assert bounded(3, 2) == 2\n"
    if encoding == "utf-16":  # Python reads no such source
        tests = SHORT_TESTS
    assert _judged(tmp_path, {}, target="till", tests=tests)[1]
    assert ("till.more is left out" in capsys.readouterr().err) == (encoding == "utf-16")


@pytest.mark.parametrize(
    ("settings", "conftest", "more"),
    [
        ("addopts = --junitxml=out.xml", "", ""),
        ("addopts = --junitxml=/nowhere/out.xml", "", ""),
        ("", UNREGISTERS, ""),
        ("addopts = --doctest-glob=*.md --maxfail=2", RERUNS, SECOND_TIME),
        ("log_cli = true\nlog_cli_level = INFO", "", ON_LEVEL),
    ],
)
def test_plug_ins_and_options_of_a_project_refuse_nothing(tmp_path, settings, conftest, more):
    assert _judged(tmp_path, {"conftest.py": conftest}, tests=SHORT_TESTS + more, settings=settings)[1]


def test_a_project_s_own_modules_win_whatever_they_are_called(tmp_path):
    bodies = {f"{name}.py": f"HELD = {name!r}\n" for name in NAMES if name != "harness"}
    package = {"harness/__init__.py": "", "harness/errors.py": "class HarnessError(Exception):\n    pass\n"}
    package["harness/api.py"] = SHORT
    imports = "".join(f"import {name}\nassert {name}.HELD == {name!r}\n" for name in NAMES if name != "harness")
    tests = f"{imports}from harness.errors import HarnessError\n" + SHORT_TESTS.replace("till.core", "harness.api")
    reached, killed = _judged(tmp_path, bodies | package, target="harness.api", tests=tests)
    assert reached
    assert killed
