"""Suites that plain pytest passes are judged, whatever plug-ins, options and names of modules their projects have."""

import re

import pytest
from support.own_project import own_project
from support.own_runs import SHORT, SHORT_TESTS, results_of

from harness import api
from harness.errors import UsageError
from harness.model.outcome import KillReason, Verdict

pytestmark = pytest.mark.slow

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
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
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
SIGNALS = """

import os
import signal
import sys
import time

import pytest


def rung(number, ring):
    heard = []
    before = signal.signal(number, lambda *_: heard.append(bounded(1, 2)))
    try:
        ring()
        time.sleep(0.05)
        return heard
    finally:
        signal.signal(number, before)


@pytest.mark.parametrize("timer", [signal.ITIMER_REAL])
def test_a_timer_rings(timer):
    assert rung(signal.SIGALRM, lambda: (signal.setitimer(timer, 0.01), time.sleep(0.05))) == [1]


def test_a_signal_is_heard():
    assert rung(signal.SIGALRM, lambda: os.kill(os.getpid(), signal.SIGALRM)) == [1]
    assert rung(signal.SIGUSR1, lambda: signal.raise_signal(signal.SIGUSR1)) == [1]


def test_an_interrupt_is_an_exception():
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(1)
    assert bounded(1, 2) == 1


def test_nothing_is_set():
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL and signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, [])
    assert (sys.getrecursionlimit(), sys.gettrace(), bounded(1, 2)) == (1000, None, 1)
"""
COLLECTED = {
    "test_socket.py": "import socket\n\nsocket.socket().bind(('127.0.0.1', 0))\n",
    "test_exit.py": "import sys\n\nsys.exit('no')\n",
    "test_end.py": "import os\n\nos._exit(3)\n",
    "test_old.py": "raise DeprecationWarning('Old. Use new.\\nSee: there.')\n",
}
FORKED = """

def test_process():
    import os

    if os.fork() == 0:
        os._exit(0)


def test_frozen():
    import gc

    assert bounded(1, 2) == 1 and gc.get_freeze_count() == 0
"""
BLOCKING = """
import socket
import time


def received(count):
    left, right = socket.socketpair()
    if count > 2:
        left.send(b"x")
    return right.recv(1)


def slept(seconds):
    time.sleep(60 * seconds - 60)
    return seconds
"""
BLOCKED = """
from till.core import received, slept


def test_received():
    assert received(3) == b"x"


def test_slept():
    assert slept(1) == 1
"""
NAMES = ("harness", "codec", "errors", "kernel", "model", "runner", "spec", "store", "resource", "fractions")


def _judged(tmp_path, files=None, target="till.core", tests=SHORT_TESTS, settings="", core=SHORT, **options):
    """Run a suite on a module, and check a verdict; return the number of tests and of kills."""
    folder = own_project(tmp_path / "own", core=core, tests=tests)
    for name, text in (files or {}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "pytest.ini").write_text(f"[pytest]\npythonpath = .\n{settings}\n")
    api.run(api.pytest_experiment(target, ["tests"], folder=folder, **options), folder=tmp_path / "out", jobs=1)
    assert api.verify(tmp_path / "out", sample=1, jobs=1).disagreements == ()
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
    tests += "    assert bounded(3, 2) == 1\n"
    is_none = encoding == "utf-16"  # Python reads no such source
    assert _judged(tmp_path, {}, "till" if is_none else "till.more", SHORT_TESTS if is_none else tests)[1]
    assert ("till.more is left out" in capsys.readouterr().err) == is_none


@pytest.mark.parametrize(
    ("settings", "conftest", "more"),
    [
        ("addopts = --junitxml=out.xml", "", ""),
        ("addopts = --junitxml=/nowhere/out.xml", "", ""),
        ("", UNREGISTERS, ""),
        ("addopts = --doctest-glob=*.md --maxfail=2", RERUNS, SECOND_TIME),
        ("log_cli = true\nlog_cli_level = INFO", "", ON_LEVEL),
        ("", "", SIGNALS),
    ],
)
def test_plug_ins_and_options_of_a_project_refuse_nothing(tmp_path, settings, conftest, more):
    assert _judged(tmp_path, {"conftest.py": conftest}, tests=SHORT_TESTS + more, settings=settings)[1]


def test_what_cannot_be_judged_is_a_line_and_the_rest_runs(tmp_path, capsys):
    files = {f"tests/{name}": text + SHORT_TESTS for name, text in COLLECTED.items()}
    files["conftest.py"] = "def pytest_sessionfinish(session):\n    raise SystemExit('never')\n"
    assert _judged(tmp_path, files, tests=SHORT_TESTS + FORKED)[1]
    said = capsys.readouterr().err
    for line in (
        "tests/test_socket.py cannot be collected (PermissionError: [Errno 1] Operation not permitted), so",
        "tests/test_exit.py cannot be collected (collection ended by SystemExit: no), so it is left out",
        "tests/test_end.py ends its process on the original (left with exit status 3), so it is left out",
        "tests/test_old.py cannot be collected (DeprecationWarning: Old. Use new.), so it is left out",
        "test_process fails on the original (PermissionError: [Errno 1] Operation not permitted), so it is left out",
        "test_frozen passes on the original, but fails in a process that was forked, so it is left out",
        "till.core: pytest_sessionfinish of conftest.py is not called, so what it checks kills no mutant",
    ):
        assert line in said


def test_a_mutant_that_waits_is_ended_soon(tmp_path):
    folder = own_project(tmp_path / "own", core=BLOCKING, tests=BLOCKED)
    api.run(api.pytest_experiment("till.core", ["tests"], folder=folder, wait=1), folder=tmp_path / "out", jobs=1)
    _, results = results_of(tmp_path / "out")
    waited = [result.detail for _, result in results if result.reason is KillReason.WALL_LIMIT]
    assert len(waited) >= 3
    assert set(waited) == {"waits longer than 1 s and 5 x the original"}
    assert api.verify(tmp_path / "out", sample=1, jobs=1).disagreements == ()


def test_arguments_are_passed_to_pytest(tmp_path):
    tests = SHORT_TESTS + "\n\ndef test_wrong():\n    assert 0\n"
    arguments = ["--deselect", "tests/test_core.py::test_wrong", "-p", "no:junitxml"]
    assert _judged(tmp_path, tests=tests, flaky="refuse", arguments=arguments)[1]


FAILING = "def pytest_{hook}():\n    raise KeyError('no such port')\n"
FAILING_CLOSURE = """\
def made():
    def hook():
        raise KeyError('no such port')
    return hook

pytest_{hook} = made()
"""
REGISTERING = """\
import sys

def pytest_addoption(pluginmanager):
    global manager
    manager = pluginmanager

def pytest_{hook}():
    manager.register(sys.modules[__name__])
"""
FAILED = "pytest_{hook} of {plug_in}.py raised KeyError: 'no such port'"


@pytest.mark.parametrize("hook", ["configure", "sessionstart"])
@pytest.mark.parametrize(
    ("plug_in", "text", "says"),
    [
        ("ports", FAILING, f"{FAILED}; correct it, or leave it out by -- -p no:ports"),
        ("conftest", FAILING, f"{FAILED}; correct it, or remove"),
        ("conftest", FAILING_CLOSURE, "hook of conftest.py raised KeyError: 'no such port'; correct it, or remove"),
        ("conftest", REGISTERING, "pytest_{hook} of conftest.py raised ValueError: Plugin"),
    ],
)
def test_a_plug_in_that_fails_is_named(tmp_path, hook, plug_in, text, says):
    folder = own_project(tmp_path / "own", core=SHORT, tests=SHORT_TESTS)
    (folder / f"{plug_in}.py").write_text(text.format(hook=hook))
    arguments = ["-p", "ports"] if plug_in == "ports" else []
    with pytest.raises(UsageError, match=re.escape(says.format(hook=hook, plug_in=plug_in))):
        api.run(api.pytest_experiment("till.core", ["tests"], folder=folder, arguments=arguments), tmp_path / "out")


def test_a_project_s_own_modules_win_whatever_they_are_called(tmp_path):
    bodies = {f"{name}.py": f"HELD = {name!r}\n" for name in NAMES if name != "harness"}
    package = {"harness/__init__.py": "", "harness/errors.py": "class HarnessError(Exception):\n    pass\n"}
    package["harness/api.py"] = SHORT
    imports = "".join(f"import {name}\nassert {name}.HELD == {name!r}\n" for name in NAMES if name != "harness")
    tests = f"{imports}from harness.errors import HarnessError\n" + SHORT_TESTS.replace("till.core", "harness.api")
    reached, killed = _judged(tmp_path, bodies | package, target="harness.api", tests=tests)
    assert reached
    assert killed


def test_a_module_that_reads_a_file_beside_it_is_judged(tmp_path):
    core = 'import pkgutil\n\nRATES = pkgutil.get_data(__name__, "rates.py").decode()\n' + SHORT
    assert _judged(tmp_path, core=core)[1]
