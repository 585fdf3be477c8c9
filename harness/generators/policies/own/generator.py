"""The generator of a user: a function in a file of Python, or a file with one list of calls in each line.

`FILE.py:NAME` names a function `generate(subject, scope, seed)`. It yields lists of calls, or live states with a call;
`FILE.jsonl` has lists of calls in its lines, as JSON. Both are executed, or read, in the process that generates
suites. The inputs are made twice: first to find what is beyond the bounds, then to write them, which also shows whether
they are the same again.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from harness.did_you_mean import suggestion
from harness.errors import UsageError
from harness.generators.policies.own.inputs import LINES, Inputs, lines_of, yielded_by
from harness.generators.policies.own.sequences import OwnSequences
from harness.generators.policies.own.states import OwnStates
from harness.generators.policies.own.subject import SubjectOfGenerator
from harness.generators.protocol import Task
from harness.generators.sequences.protocol import SequenceTask
from harness.resources import read_source

PYTHON = ".py"
DISTINCT = "distinct"
"""The option behind the name of a function: equal calls on equal states count once."""


def own_generator(name: str) -> OwnGenerator:
    """Return the generator in a user's file. The file is read, not executed.

    Raises:
        UsageError: there is no such file, or no such function in it.
        SourceError: the file cannot be read.
    """
    path, _, _ = name.partition(":")
    return OwnGenerator(name, read_source(Path(path), "name a file of yours behind --generator or --suite"))


class OwnGenerator:
    """A generator, or a suite, in a file of the user.

    Args:
        name: `FILE.py:NAME`, `FILE.py:NAME:distinct` or `FILE.jsonl`, as the user has named it.
        text: the text of the file.

    Raises:
        UsageError: there is no such function, or no such option.
    """

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self.file, _, selection = name.partition(":")
        self._function, _, option = selection.partition(":")
        self.is_distinct = option == DISTINCT
        self.version = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:12]
        if option not in ("", DISTINCT):
            raise UsageError(f"{name}: {option!r} is no option of a generator in a file; there is only {DISTINCT!r}")
        if self.file.endswith(PYTHON):
            _check_function(self.file, text, self._function)

    def inputs(self, subject: SubjectOfGenerator, scope: int, seed: int) -> Inputs:
        """Start a run: read the file, or execute it again and call the function.

        Raises:
            UsageError: the file or the function raises.
        """
        if self.file.endswith(LINES):
            return lines_of(self.file, self.text)
        return yielded_by(self.file, self.text, self._function, subject, scope, seed)

    def on(self, subject: SubjectOfGenerator, scope: int, seed: int) -> SequencesChosen | StatesChosen:
        """Return the generator for a subject. Its first input shows whether it makes states or sequences.

        Raises:
            UsageError: making the first input raises.
        """
        inputs = self.inputs(subject, scope, seed)
        first = inputs.first()
        makes_states = not subject.has_state or _is_state_with_call(first)
        return (StatesChosen if makes_states else SequencesChosen)(self, subject, scope, seed, inputs)


class Chosen:
    """A user's generator for one subject, scope and seed.

    The run with which its first input was found goes on as the first run.
    """

    def __init__(self, own: OwnGenerator, subject: SubjectOfGenerator, scope: int, seed: int, begun: Inputs) -> None:
        self.name, self.version, self.file, self.is_distinct = own.name, own.version, own.file, own.is_distinct
        self._own = own
        self._task = subject, scope, seed
        self._begun: Inputs | None = begun

    def inputs(self) -> Inputs:
        """Return the inputs of a run."""
        begun, self._begun = self._begun, None
        return begun or self._own.inputs(*self._task)


class SequencesChosen(Chosen):
    """One that yields lists of calls."""

    def explore(self, task: SequenceTask) -> OwnSequences:
        """Start a run."""
        return OwnSequences(self, task)


class StatesChosen(Chosen):
    """One that yields states with a call, or calls of functions without a state."""

    def produce(self, task: Task) -> OwnStates:
        """Start a run."""
        return OwnStates(self, task)


def _is_state_with_call(item: Any) -> bool:
    return type(item) is tuple and len(item) == 3 and type(item[1]) is str and isinstance(item[2], (tuple, list))


def _check_function(file: str, text: str, name: str) -> None:
    """Refuse a file without the function.

    Raises:
        UsageError: it has no such function, or is no Python.
    """
    try:
        body = ast.parse(text, file).body
    except (SyntaxError, ValueError) as error:
        line = f":{error.lineno}" if isinstance(error, SyntaxError) else ""
        raise UsageError(f"{file}{line}: {getattr(error, 'msg', error)}; correct the generator") from None
    names = [part.name for part in body if isinstance(part, (ast.FunctionDef, ast.ClassDef))]
    assigned = _assigned(body)
    if name not in (*names, *assigned):
        raise UsageError(f"{file}: no function {name!r}; {suggestion(name, names)}")


def _assigned(body: Iterable[ast.stmt]) -> set[str]:
    return {
        target.id
        for part in body
        if isinstance(part, ast.Assign)
        for target in part.targets
        if isinstance(target, ast.Name)
    }
