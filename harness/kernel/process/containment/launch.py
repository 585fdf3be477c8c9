"""Starts a module in a contained process: `-m harness.kernel.process.containment.launch PLAN MODULE ...`."""

from __future__ import annotations

import importlib
import os
import resource
import signal
import sys

from harness.kernel.process.confinement import end_with_parent
from harness.kernel.process.containment.contain import Plan, contain


def main(arguments: list[str]) -> None:
    """Enter the plan's levels, and call the module's `main` with the arguments after its name.

    It is imported, not run as the main one: one level of calls in C more would count for the limit on recursion.
    """
    plan = Plan.of(arguments[0])
    end_with_parent(signal.SIGKILL)
    if os.getppid() != plan.parent:
        return  # it was gone before we asked to go with it
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    contain(plan)
    end_with_parent(signal.SIGKILL)
    sys.argv = arguments[1:]
    sys.exit(importlib.import_module(arguments[1]).main(arguments[2:]))


if __name__ == "__main__":
    main(sys.argv[1:])
