"""The processes that run suites of pytest: a warmed session, or the second path of `verify`."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from harness.codec.codec import codec_of
from harness.kernel.process.talk import FactWriter
from harness.pytest_suites.job import PlainRequest

WARMED = "warmed"


def main(arguments: list[str]) -> int:
    """Serve orders in a warmed session, given WARMED, JOB, WORK, ORDERS and FACTS (`harness.pytest_suites.server`).

    Given REQUEST, ORDERS and FACTS, run plain pytest once (`harness.pytest_suites.naive`).
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if arguments[0] == WARMED:
        from harness.pytest_suites.server import serve_orders

        return serve_orders(*arguments[1:])
    from harness.pytest_suites.naive import run_once

    request, _, facts_end = arguments
    os.set_inheritable(int(facts_end), False)
    return run_once(codec_of(PlainRequest).of_json(Path(request).read_bytes()), FactWriter(int(facts_end)))
