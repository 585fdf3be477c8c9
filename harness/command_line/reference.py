"""Writes the reference of the commands and of `harness.api` as Markdown, from the declarations and the docstrings.

python -m harness.command_line.reference commands > docs/commands.md
python -m harness.command_line.reference api > docs/api.md
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from textwrap import fill
from typing import Any

from harness import api
from harness.command_line.command import Command, Form, Option
from harness.command_line.commands import COMMANDS
from harness.command_line.options import JSON

_WIDTH = 118
_SIGNATURE_WIDTH = 100

_COMMANDS_HEAD = f"""\
# Commands

This page is written by `python -m harness.command_line.reference commands` from the declarations of the commands.
Each command calls functions of [`harness.api`](api.md). The last column names the parameter that an option is passed
for; options without one only decide what is printed. Every command takes `--json`: {JSON.help}.

| exit status | meaning |
|---|---|
| 0 | the command did what was asked for |
| 1 | a check failed; the command's section says which |
| 2 | wrong use, or a limit of the machine |
| 128 + N | signal N ended the command |
"""

_API_HEAD = """\
# The API

This page is written by `python -m harness.command_line.reference api` from the docstrings of `harness.api`, which has a
function for everything that [commands](commands.md) do. `from harness import api` imports it.
"""


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
    return "\n".join([_API_HEAD, *sections])


def _is_public(name: str, value: object) -> bool:
    return inspect.isfunction(value) and value.__module__ == api.__name__ and not name.startswith("_")


def _command_section(command: Command) -> str:
    lines = [f"## {command.name}", "", command.summary, ""]
    lines += [f"* `{_usage(command, form)}` calls {_links(command, form)}." for form in command.forms]
    if command.options:
        rows = [_option_row(option) for option in _positionals_first(command)]
        lines += ["", "| option | value | meaning | parameter |", "|---|---|---|---|", *rows]
    if command.finding:
        lines += ["", f"The exit status is 1 if {command.finding}."]
    if command.resumes:
        lines += ["", "The same command, given again, continues a run that was interrupted."]
    return "\n".join([*lines, ""])


def _usage(command: Command, form: Form) -> str:
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


def _links(command: Command, form: Form) -> str:
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
    heading = [f"## {name}", "", "```python", _signature(name, function), "```", ""]
    return "\n".join([*heading, *_markdown(inspect.getdoc(function) or ""), *called, ""])


def _signature(name: str, function: Callable[..., Any]) -> str:
    """Return a function's signature; on a line for each parameter if one line is too short."""
    signature = inspect.signature(function)
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
