"""Defines the known tools with their versions, and the command that makes each write tests of a module."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from harness.did_you_mean import suggestion
from harness.errors import UsageError
from harness.plug_ins import load_plug_in, names_with_plug_ins, plug_ins

ENTRY_POINTS = "mutascope.test_tools"


@dataclass(frozen=True)
class Request:
    """A request to a tool: tests of a module, within so many seconds.

    Args:
        target: the module's dotted name.
        project: the folder from which it is imported.
        functions: the number of public functions in the module.
        out: a folder for the tests.
    """

    target: str
    project: str
    functions: int
    seconds: int
    seed: int
    out: str


@dataclass(frozen=True)
class WritingTool:
    """A tool that writes pytest tests.

    Args:
        pins: the contents of its environment, as `name==version`, itself first; empty if it needs none of its own.
        entry: the function that its command calls, as `module:name`.
        arguments: returns the arguments of its command for a request.
        environment: variables that it needs.
        prints: whether it prints the tests; else it writes files to the request's `out`.
    """

    name: str
    pins: tuple[str, ...]
    entry: str
    arguments: Callable[[Request], tuple[str, ...]]
    environment: tuple[tuple[str, str], ...] = ()
    prints: bool = False

    @property
    def version(self) -> str:
        """The version of the tool itself; empty if nothing is pinned."""
        return self.pins[0].partition("==")[2] if self.pins else ""


def _pynguin(request: Request) -> tuple[str, ...]:
    return (
        "--project-path", request.project, "--module-name", request.target, "--output-path", request.out,
        "--report-dir", request.out, "--seed", str(request.seed), "--maximum-search-time", str(request.seconds),
        "--maximum-mutation-time", str(request.seconds), "--statistics-backend", "NONE",
        "--nosubprocess", "--nosubprocess-if-recommended", "--nouse-master-worker", "--no-rich",
        "--nofilter-assertions-in-subprocess",
    )  # fmt: skip


def _crosshair(request: Request) -> tuple[str, ...]:
    each = request.seconds / max(1, request.functions)
    return ("cover", "--example_output_format", "pytest", "--per_condition_timeout", f"{each:g}", request.target)


def _hypothesis(request: Request) -> tuple[str, ...]:
    return ("write", request.target)


PYNGUIN = WritingTool(
    name="pynguin",
    pins=(
        "pynguin==0.48.0", "black==25.12.0", "bytecode==0.17.0", "click==8.5.1", "dill==0.4.1",
        "docstring_parser==0.18.0", "iniconfig==2.3.1", "Jinja2==3.1.6", "libcst==1.9.0", "markdown-it-py==4.3.0",
        "MarkupSafe==3.0.4", "mdurl==0.1.2", "multiprocess==0.70.19", "mypy_extensions==1.2.0", "networkx==3.6.1",
        "packaging==26.3", "pathspec==1.1.1", "platformdirs==4.14.7", "pluggy==1.7.0", "psutil==7.2.2",
        "Pygments==2.21.0", "pytest==8.4.2", "pytokens==0.4.1", "PyYAML==6.0.3", "rich==14.3.4", "rstr==3.2.2",
        "simple-parsing==0.1.9", "toml==0.10.2", "typeshed_client==2.14.0", "typing_extensions==4.16.0",
    ),
    entry="pynguin.cli:main",
    arguments=_pynguin,
    environment=(("PYNGUIN_DANGER_AWARE", "1"),),
)  # fmt: skip
"""Its search is bounded by the wall clock; it calls what it tests with all kinds of values."""

CROSSHAIR = WritingTool(
    name="crosshair",
    pins=(
        "crosshair-tool==0.0.113", "attrs==26.1.0", "cattrs==26.2.1", "lsprotocol==2025.0.0", "mypy_extensions==1.2.0",
        "packaging==26.3", "pygls==2.1.1", "typeshed_client==2.14.0", "typing-inspect==0.9.0",
        "typing_extensions==4.16.0", "z3-solver==5.4.1.0",
    ),
    entry="crosshair.main:main",
    arguments=_crosshair,
    prints=True,
)  # fmt: skip
"""`crosshair cover`: its seconds are processor time, shared out among the functions. It takes no seed."""

HYPOTHESIS_WRITE = WritingTool(
    name="hypothesis-write",
    pins=(
        "hypothesis==6.170.15", "black==25.12.0", "click==8.5.1", "mypy_extensions==1.2.0", "packaging==26.3",
        "pathspec==1.1.1", "platformdirs==4.14.7", "pytokens==0.4.1", "sortedcontainers==2.4.0", "libcst==1.9.0",
        "PyYAML==6.0.3",
    ),
    entry="hypothesis.extra.cli:main",
    arguments=_hypothesis,
    prints=True,
)  # fmt: skip
"""The ghostwriter: one property for each function. It takes neither seed nor seconds."""

BUILT_IN = (HYPOTHESIS_WRITE, PYNGUIN, CROSSHAIR)


def tool_names() -> list[str]:
    """Return the names that `find_tool` knows, built-in ones first."""
    return names_with_plug_ins([tool.name for tool in BUILT_IN], ENTRY_POINTS)


def find_tool(name: str) -> WritingTool:
    """Return the tool called `name`; a plug-in's entry point names a `WritingTool`.

    Raises:
        UsageError: there is no such tool, or the plug-in is no tool.
    """
    for built_in in BUILT_IN:
        if built_in.name == name:
            return built_in
    entry = plug_ins(ENTRY_POINTS).get(name)
    if entry is None:
        raise UsageError(f"unknown tool {name!r}; {suggestion(name, tool_names())}")
    tool = load_plug_in(entry, "tool")
    if not isinstance(tool, WritingTool):
        raise UsageError(f"tool {name!r} ({entry.value}) is no WritingTool; harness.external_generators.tools says how")
    return tool
