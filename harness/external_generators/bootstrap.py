"""Starts a tool, which starts no process itself. The tool's own interpreter runs this as a script, in the sandbox.

The only argument is JSON with these keys: `package` is the folder of our package. `path` lists the folders of modules,
the environment's own first, and `first` those that precede them. `contained` says whether the system refuses new
processes. `entry` and `arguments` are those of the tool. Only the standard library is used, since the environment has
no module of ours.
"""

from __future__ import annotations

import importlib
import json
import sys
from types import ModuleType


def main() -> None:
    """Call the tool's entry; its exit status becomes that of the process."""
    job = json.loads(sys.argv[1])
    sys.path[0:1] = job["first"]  # instead of the folder of this script
    sys.path += [path for path in job["path"] if path not in sys.path]
    if job["contained"]:
        _refuse_processes(job["package"])
    module, _, name = job["entry"].partition(":")
    sys.argv = [module, *job["arguments"]]
    sys.exit(getattr(importlib.import_module(module), name)())


def _refuse_processes(package: str) -> None:
    """Refuse new processes by our own module. The folder around our package cannot be read here, so it is bypassed."""
    ours = sys.modules["harness"] = ModuleType("harness")
    ours.__path__ = [package]
    seccomp = importlib.import_module("harness.kernel.process.containment.seccomp")
    seccomp.refusal_of_processes_and_signals(file_modes=True).install()
    for name in [name for name in sys.modules if name.partition(".")[0] == "harness"]:
        del sys.modules[name]


if __name__ == "__main__":
    main()
