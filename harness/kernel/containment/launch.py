"""Starts a module in a contained process: `python -P -m harness.kernel.containment.launch PLAN MODULE ARGUMENTS...`."""

from __future__ import annotations

import os
import resource
import runpy
import signal
import sys

from harness.kernel.containment.contain import contain
from harness.kernel.containment.plan import Plan
from harness.kernel.sandboxed import end_with_parent


def main(arguments: list[str]) -> None:
    """Enters the plan's levels, and runs the module as the main one."""
    plan = Plan.of(arguments[0])
    end_with_parent(signal.SIGKILL)
    if os.getppid() != plan.parent:
        return  # it was gone before we asked to go with it
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the first process of a namespace has no use for a handler
    contain(plan)
    end_with_parent(signal.SIGKILL)
    sys.argv = arguments[1:]
    runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1:])
