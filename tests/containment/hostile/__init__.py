"""Hostile programs, in families, by name."""

from dataclasses import replace

from . import behaviour, files, forging, network, processes, resources, secrets, signals
from .program import Program

_AT_LOAD_TOO = (
    "kill-parent", "kill-other", "write", "results", "read", "tcp-bare", "daemon", "forged-line",
    "print-errors", "many-files", "close-handles", "segmentation-fault", "leave",
)  # fmt: skip
"""These are tried at module level as well as in a call."""

_DEAR = ("lists", "recursion")
"""These take seconds."""


def _all() -> dict[str, Program]:
    modules = (signals, files, secrets, network, processes, resources, forging, behaviour)
    programs: dict[str, Program] = {}
    for program in (program for module in modules for program in module.PROGRAMS):
        name = program.name if program.name not in programs else f"{program.name}-{program.family}"
        assert name not in programs, name
        dear = program.dear or program.name in _DEAR
        programs[name] = replace(program, name=name, dear=dear, at_load=program.name.endswith("-at-load"))
    for name in _AT_LOAD_TOO:
        late = f"{name}-at-load"
        programs[late] = replace(
            programs[name], name=late, tries=f"{programs[name].tries}, at module level", at_load=True
        )
    return programs


PROGRAMS: dict[str, Program] = _all()
