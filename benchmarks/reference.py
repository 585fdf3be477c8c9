"""The pages docs/commands.md and docs/api.md, made of help texts and docstrings.

python -m benchmarks.reference commands > docs/commands.md
python -m benchmarks.reference api > docs/api.md
"""

from __future__ import annotations

import inspect
import os
import re
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from enum import Enum
from io import StringIO
from textwrap import fill
from unittest.mock import patch

from harness import api
from harness.analysis import frames
from harness.analysis.frames import RunFrames
from harness.command_line.commands import COMMANDS
from harness.command_line.parser import parse
from harness.tables.stored import Run

_WIDTH = 118
_SIGNATURE_WIDTH = 100
_MODULES = {
    "harness.api",
    "harness.runner.experiment",
    "harness.runs.run_views",
    *(f"harness.{module}" for module in api.LATE.values()),
}
"""The modules whose functions `harness.api` offers."""

_COMMANDS_HEAD = """\
# Commands

*For everybody who uses the command line. Afterwards you can call each command: the page has its options with their
defaults, its exit status, and an example.* `mutascope COMMAND --help` prints the same options.

This page is written by `python -m benchmarks.reference commands` from the help texts of the commands. Functions of
[`harness.api`](api.md) do the same.

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

_EXAMPLES = {
    "list": ("mutascope list", "subjects: ...\ngenerators: korat, ..."),
    "generate": (
        "mutascope generate search_tree --scope 2 --show 3",
        "search_tree scope 2: 20 inputs (add 10, remove 10) on 5 pre-states of 31 candidates, ... s\n"
        "...\n"
        "state 1               state 2                   state 3\n"
        "SearchTree(size=0)    SearchTree(size=1)        SearchTree(size=1)\n"
        "                      └─ root: Node0(info=1)    └─ root: Node0(info=2)\n"
        "\n... and 2 states more",
    ),
    "generate-tests": ("mutascope generate-tests hypothesis-write --target shop.tills --out tests_written", ""),
    "builders": (
        "mutascope builders search_tree --scope 3",
        "search_tree scope 3: 152 sequences executed\n"
        "1 structures by constructors\n"
        "15 structures by add\n"
        'to pin them in sequences(scope) of the spec: s.builders("add")',
    ),
    "mutate": ("mutascope mutate --target shop.tills --operators extended", "...\n21 mutants of operator set extended"),
    "profile": ("mutascope profile --target shop.tills --tests tests", "mutants/modules/shop.tills/....profile.json"),
    "init": ("mutascope init trees.toml --subject search_tree --generator korat beapi --scope 2", "trees.toml: ..."),
    "run": (
        "mutascope run --subject search_tree --generator korat beapi --scope 2 --matrix --out results/trees",
        "...\nSearchTree  beapi  2  21  81.82  83.33  151  253  59.68  on-mutant\n"
        "SearchTree  korat  2  20  81.82  83.33  151  253  59.68\n"
        "operator_set ferastrau; ...\nresults/trees",
    ),
    "shard": (
        "mutascope shard trees.toml 1/2 --out parts/1",
        "shard 1/2: 2 trials, ... mutants\nparts/1\n...",
    ),
    "merge": (
        "mutascope merge parts/1 --allow-missing --out results/half",
        "1 of 2 shards are missing: 2; run them (in SLURM: --array=2)\n"
        "search_tree korat scope 2 seed 0: ... of 253 mutants have no result (... is one); run their shards\n...",
    ),
    "verify": ("mutascope verify results/trees --sample 20", "20 verdicts checked, 0 disagreements"),
    "tables": (
        "mutascope tables results/trees --table operators --format csv",
        "subject,generator,scope,operator,killed,mutants,killed [%]\nSearchTree,beapi,2,ASR,6,6,100.00\n...",
    ),
    "figures": (
        "mutascope figures results/trees --width 3.3in --pdf",
        "results/trees/scopes.png\nresults/trees/scopes.svg\nresults/trees/scopes.pdf\n...",
    ),
    "describe": ("mutascope describe results/trees", "The generators beapi (version 2) and korat (version 1) were ..."),
    "compare": (
        "mutascope compare results/trees --sizes 10 --table sizes --format csv",
        "...\nSearchTree,2,10 inputs,beapi,1,10.00,...",
    ),
    "criteria": (
        "mutascope criteria results/trees --table criteria --format csv",
        "...\nSearchTree,beapi,2,branches,14,14,146,96.69,...",
    ),
    "outcomes": (
        "mutascope outcomes results/trees --table missed --format csv",
        "...\nSearchTree,beapi,2,SearchTree._remove_node,86,right is None: False\n...",
    ),
    "check": (
        "mutascope check search_tree --scope 3",
        "search_tree scope 3, black-box: 0 of 4 properties violated\n  add: holds; 45 calls, 178 candidates\n...",
    ),
    "faults": (
        "mutascope faults refactoring/encapsulate_single --scope 1",
        "refactoring/encapsulate_single scope 1, korat: 8 distinct faults on 160 inputs, ...",
    ),
    "difference": (
        "mutascope difference search_tree --scope 2",
        "search_tree scope 2: the API makes 5 structures (14 sequences), rep_ok has 5 (31 candidates)\n"
        "of the API alone 0, of rep_ok alone 0: equal",
    ),
    "survivors": (
        "mutascope survivors results/trees --function SearchTree.add",
        "SearchTree (beapi) scope 2, oracle differential: 14 survivors\n"
        "  search_tree/impl.py:27  VRR  current -> self.root  (survived 21 inputs)  VRR:27:21:self.root\n...",
    ),
    "show": (
        "mutascope show results/trees VRR:27:21:self.root",
        "SearchTree (beapi) scope 2, oracle differential: SearchTree.add, VRR, search_tree/impl.py:27\n"
        "Survived: survived 21 inputs\n...\n"
        "-            parent = current\n"
        "+            parent = self.root\n...",
    ),
    "report": (
        "mutascope report results/trees",
        "results/trees/report.html\n"
        "results/trees/mutation-report-search_tree-beapi.json\n"
        "results/trees/mutation-report-search_tree-korat.json",
    ),
    "suite": (
        "mutascope suite search_tree --generator beapi --scope 2 --export code",
        "test_search_tree.py: 12 of 21 sequences, which reach 30 of 35 condition outcomes, as all do; ...",
    ),
}
"""A use of each command and its output, `...` standing for anything. Without an output it is not executed by tests:
it needs tools that are downloaded.
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

This page is written by `python -m benchmarks.reference api` from the docstrings of `harness.api`, which has a function
for everything that [commands](commands.md) do.
"""

_FRAMES = ("trials", "results", "coverage", "timings", "samples", "criteria", "evaluated", "failures")


def commands_page() -> str:
    """Return the page of the commands."""
    return "\n".join([_COMMANDS_HEAD, *map(_command_section, COMMANDS)])


def api_page() -> str:
    """Return the page of the functions of `harness.api`."""
    functions = [name for name in dir(api) if getattr(getattr(api, name), "__module__", "") in _MODULES]
    functions = [name for name in functions if inspect.isfunction(getattr(api, name)) and not name.startswith("_")]
    return "\n".join([_API_HEAD, *map(_function_section, functions), *_run_sections()])


def _command_section(name: str) -> str:
    printed = StringIO()
    with patch.dict(os.environ, COLUMNS=str(_WIDTH)), redirect_stdout(printed), suppress(SystemExit):
        parse([name, "--help"])
    example, output = _EXAMPLES[name]
    used = ["```console", f"$ {example}", output, "```"] if output else ["```sh", example, "```"]
    return "\n".join([f"## {name}", "", "```text", printed.getvalue().strip(), "```", "", *used, ""])


def _function_section(name: str) -> str:
    function = getattr(api, name)
    heading = [f"## {name}", "", "```py", _signature_text(name, inspect.signature(function)), "```", ""]
    return "\n".join([*heading, *_markdown(inspect.getdoc(function) or ""), ""])


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
    names = {frame: getattr(frames, frame.upper()) for frame in _FRAMES}
    rows = [f"| `{frame}` | {', '.join(f'`{name}`' for name in names[frame])} |" for frame in _FRAMES]
    yield "\n".join(["| frame | columns |", "|---|---|", *rows, ""])


def _signature_text(name: str, signature: inspect.Signature) -> str:
    """Return a signature as text; on a line for each parameter if one line is too short."""
    parts: list[str] = []
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in parts:
            parts.append("*")
        value = parameter.default
        text = str(value) if isinstance(value, Enum) else repr(value)
        parts.append(f"{parameter.name}: {parameter.annotation}{'' if value is parameter.empty else f' = {text}'}")
    line = f"{name}({', '.join(parts)}) -> {signature.return_annotation}"
    if len(line) <= _SIGNATURE_WIDTH:
        return line
    return "\n".join([f"{name}(", *(f"    {part}," for part in parts), f") -> {signature.return_annotation}"])


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


if __name__ == "__main__":
    print({"commands": commands_page, "api": api_page}[sys.argv[1]](), end="")
