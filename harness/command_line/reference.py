"""Writes the reference of the commands and of `harness.api` as Markdown, from the declarations and the docstrings.

python -m harness.command_line.reference commands > docs/commands.md
python -m harness.command_line.reference api > docs/api.md
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator, Sequence
from enum import Enum
from textwrap import fill

from harness import api
from harness.analysis.columns import COVERAGE, CRITERIA, EVALUATED, FAILURES, RESULTS, SAMPLES, TIMINGS, TRIALS
from harness.analysis.frames import RunFrames
from harness.command_line.command import Command, CommandForm, Option
from harness.command_line.commands import COMMANDS, EXAMPLE_OF_COMMAND
from harness.command_line.options import JSON
from harness.papers import PAPERS, paper
from harness.runs.comparison_tables import COMPARISON_TABLES
from harness.runs.criteria_of_run import CRITERIA_TABLES
from harness.runs.oracle_tables import ALL_RUN_TABLES
from harness.runs.outcomes_of_run import OUTCOME_TABLES
from harness.runs.policy_tables import POLICY_TABLES
from harness.tables.stored import Run

_WIDTH = 118
_SIGNATURE_WIDTH = 100

_COMMANDS_HEAD = f"""\
# Commands

*For everybody who uses the command line. Afterwards you can call each command: the page has its options with their
defaults, its exit status, and an example.* `mutascope COMMAND --help` prints the same options.

This page is written by `python -m harness.command_line.reference commands` from the declarations of the commands.
Each command calls functions of [`harness.api`](api.md). The last column names the parameter that an option is passed
for; options without one only decide what is printed. Every command takes `--json`: {JSON.help}.

The examples can be executed in the order of this page, and tests do so. The command `run` makes `results/trees`, at
which later commands look. Some examples use a module and its test:

```python
# shop/tills.py
def change(price, paid):
    if paid < price:
        raise ValueError("too little money")
    return paid - price
```

```python
# tests/test_tills.py
from shop.tills import change


def test_change():
    assert change(3, 5) == 2
```

| exit status | meaning |
|---|---|
| 0 | the command did what was asked for |
| 1 | a check failed; the command's section says which |
| 2 | wrong use, or a limit of the machine |
| 128 + N | signal N ended the command |
"""

_API_HEAD = """\
# The API

*For everybody who writes scripts or notebooks. Afterwards you can do from Python what the commands do, and compute with
the frames of a run.*

```python
# look_at_trees.py
from harness import api

folder = api.run(api.subject_experiment("search_tree", "korat", [1, 2]))
run = api.load(folder)
print(api.as_text(run.scores()[["scope", "killed", "counted", "score_pct"]]))
survivors = run.frames.results.query("scope == 2 and verdict == 'survived'")
print(survivors.groupby("function").size().to_string())
```

```console
$ python look_at_trees.py
  scope    killed    counted    score_pct
-------  --------  ---------  -----------
      1        49        253        19.37
      2       151        253        59.68
function
SearchTree._remove_node    78
SearchTree.add             14
SearchTree.remove          10
```

`api.load` returns a [run](#a-loaded-run), whose [frames](#frames-of-a-run) are pandas frames.

This page is written by `python -m harness.command_line.reference api` from the docstrings of `harness.api`, which has a
function for everything that [commands](commands.md) do.
"""

_FRAMES = {
    "trials": TRIALS,
    "results": RESULTS,
    "coverage": COVERAGE,
    "timings": TIMINGS,
    "samples": SAMPLES,
    "criteria": CRITERIA,
    "evaluated": EVALUATED,
    "failures": FAILURES,
}
"""The columns of the frames of a run."""

_RUN_TABLES = {
    "a run": [*ALL_RUN_TABLES, *POLICY_TABLES],
    **{f"`{name}`": list(paper(name).tables) for name in PAPERS},
}
_TABLES_OF_COMMANDS = {
    "tables": _RUN_TABLES,
    "compare": {"": list(COMPARISON_TABLES)},
    "criteria": {"": list(CRITERIA_TABLES)},
    "outcomes": {"": list(OUTCOME_TABLES)},
}
"""By command, the names that `--table` accepts; of `tables` by what the tables are of."""


def commands_page() -> str:
    """Return the page of the commands."""
    rows = [f"| [`{command.name}`](#{command.name}) | {command.summary} |" for command in COMMANDS.values()]
    table = "\n".join(["| command | what it does |", "|---|---|", *rows])
    return "\n".join([_COMMANDS_HEAD, f"{table}\n", *map(_command_section, COMMANDS.values())])


def api_page() -> str:
    """Return the page of the functions of `harness.api`, beginning with the functions of commands."""
    callers = {name: command.name for command in COMMANDS.values() for name in command.functions}
    further = [name for name, value in vars(api).items() if _is_public(name, value) and name not in callers]
    sections = [_function_section(name, callers.get(name)) for name in (*callers, *further)]
    return "\n".join([_API_HEAD, *sections, *_run_sections()])


def _is_public(name: str, value: object) -> bool:
    return inspect.isfunction(value) and value.__module__ == api.__name__ and not name.startswith("_")


def _command_section(command: Command) -> str:
    lines = [f"## {command.name}", "", command.summary, ""]
    for form in command.forms:
        use = f"* `{_usage(command, form)}` calls {_links(command, form)}."
        lines.append(fill(use, _WIDTH, subsequent_indent="  ", break_on_hyphens=False))
    if command.options:
        rows = [_option_row(option) for option in _positionals_first(command)]
        lines += ["", "| option | value | meaning | parameter |", "|---|---|---|---|", *rows]
    lines += _table_names(command)
    if command.finding:
        lines += ["", f"The exit status is 1 if {command.finding}."]
    if command.resumes:
        lines += ["", "The same command, given again, continues a run that was interrupted."]
    example, output = EXAMPLE_OF_COMMAND[command.name]
    lines += ["", "```console", f"$ {example}", output, "```"] if output else ["", "```sh", example, "```"]
    return "\n".join([*lines, ""])


def _table_names(command: Command) -> Iterator[str]:
    """Yield the lines that list the values of `--table`."""
    if command.name not in _TABLES_OF_COMMANDS:
        return
    yield ""
    for source, names in _TABLES_OF_COMMANDS[command.name].items():
        of_source = f" of {source}" if source else ""
        text = f"The tables{of_source} (`--table`): {', '.join(f'`{name}`' for name in names)}."
        yield fill(f"* {text}" if source else text, _WIDTH, subsequent_indent="  " if source else "")


def _usage(command: Command, form: CommandForm) -> str:
    """Return the shortest arguments of a form."""
    chosen, _, value = form.option.partition(" ")
    parts = ["mutascope", command.name]
    alternatives = command.alternatives.options if command.alternatives else ()
    needed = {chosen, *form.needs, *(() if chosen in alternatives else alternatives[:1])}
    for option in _positionals_first(command):
        if option.name == chosen and value:
            parts.append(form.option)
        elif option.is_required or option.name in needed:
            parts.append(_with_value(option))
    return " ".join(parts)


def _positionals_first(command: Command) -> list[Option]:
    return sorted(command.options, key=lambda option: not option.is_positional)


def _with_value(option: Option) -> str:
    value = option.value_name + " ..." * option.is_list
    if option.is_positional:
        return value
    if option.if_empty is not None:
        value = f"[{value}]"
    return f"{option.name} {value}".strip()


def _links(command: Command, form: CommandForm) -> str:
    names = [form.function, *([command.then.function] if command.then else [])]
    return " and then ".join(f"[`{name}`](api.md#{name})" for name in names)


def _option_row(option: Option) -> str:
    parameter = f"`{option.parameter}`" if option.parameter else ""
    needed = ", required" if option.is_required and not option.is_positional else ""
    name = f"`{_with_value(option)}`" if not option.kind.words else f"`{option.name}`"
    cells = [name, option.kind.values + needed, option.help, parameter]
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _function_section(name: str, command: str | None) -> str:
    function = getattr(api, name)
    called = ["", f"Called by [`mutascope {command}`](commands.md#{command})."] if command else []
    heading = [f"## {name}", "", "```py", _signature_text(name, inspect.signature(function)), "```", ""]
    return "\n".join([*heading, *_markdown(inspect.getdoc(function) or ""), *called, ""])


def _run_sections() -> Iterator[str]:
    """Yield the sections of the class `Run` and of its frames."""
    yield "\n".join(["## A loaded run", "", *_markdown(inspect.getdoc(Run) or ""), ""])
    for name, member in vars(Run).items():
        if name.startswith("_"):
            continue
        code: list[str] = []
        if inspect.isfunction(member):
            signature = inspect.signature(member)
            _, *parameters = signature.parameters.values()
            code = ["```py", _signature_text(f"run.{name}", signature.replace(parameters=parameters)), "```", ""]
        yield "\n".join([f"### run.{name}", "", *code, *_markdown(inspect.getdoc(member) or ""), ""])
    yield "\n".join(["## Frames of a run", "", *_markdown(inspect.getdoc(RunFrames) or ""), ""])
    rows = [f"| `{frame}` | {', '.join(f'`{name}`' for name in columns)} |" for frame, columns in _FRAMES.items()]
    yield "\n".join(["| frame | columns |", "|---|---|", *rows, ""])


def _signature_text(name: str, signature: inspect.Signature) -> str:
    """Return a signature as text; on a line for each parameter if one line is too short."""
    parts: list[str] = []
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in parts:
            parts.append("*")
        default = "" if parameter.default is parameter.empty else f" = {_value(parameter.default)}"
        parts.append(f"{parameter.name}: {parameter.annotation}{default}")
    line = f"{name}({', '.join(parts)}) -> {signature.return_annotation}"
    if len(line) <= _SIGNATURE_WIDTH:
        return line
    return "\n".join([f"{name}(", *(f"    {part}," for part in parts), f") -> {signature.return_annotation}"])


def _value(default: object) -> str:
    """Return a default as it is written in code; of a function, dots."""
    if isinstance(default, Enum):
        return str(default)
    return "..." if inspect.isfunction(default) else repr(default)


def _markdown(docstring: str) -> Iterator[str]:
    """Yield the lines of a docstring in Google's style, its sections as lists."""
    escaped = re.sub(r"<(\w+)>", r"\<\1>", docstring)  # Markdown would take <paper> for HTML
    for number, paragraph in enumerate(escaped.split("\n\n")):
        if number:
            yield ""
        title, _, body = paragraph.partition("\n")
        if not re.fullmatch(r"[A-Z][a-z]+:", title):
            yield fill(" ".join(paragraph.split()), _WIDTH)
            continue
        yield f"{title}\n"
        for entry in re.split(r"\n(?=    \S)", body):
            words = re.sub(r"^(\w+): ", r"`\1`: ", " ".join(entry.split()))
            yield fill(f"* {words}", _WIDTH, subsequent_indent="  ", break_on_hyphens=False)


PAGES = {"commands": commands_page, "api": api_page}


def main(names: Sequence[str]) -> int:
    """Print the page of that name; return the exit status."""
    name = " ".join(names)
    if name not in PAGES:
        print(f"mutascope: no page {name!r}; give one of {', '.join(PAGES)}", file=sys.stderr)
        return 2
    print(PAGES[name](), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
