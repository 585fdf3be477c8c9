"""The generator of a user: a function in a file of Python, or a file with one list of calls in each line.

`FILE.py:NAME` names a function `generate(subject, scope, seed)`. It yields lists of calls, or live states with a call;
`FILE.jsonl` has lists of calls in its lines, as JSON. Both are executed, or read, in the process that generates
suites. An entry point may name such a function of an installed package. The inputs are made twice: first to find what
is beyond the bounds, then to write them, which also shows whether they are the same again.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from harness.did_you_mean import suggestion
from harness.errors import UsageError
from harness.generators.generation import Generation
from harness.generators.named_options import GeneratorOption, NamedOptions, whole_number
from harness.generators.policies.own.runs import (
    LINES,
    WrittenInputs,
    is_state_with_call,
    lines_of,
    yielded_by,
    yielded_by_file,
)
from harness.generators.policies.own.subject import SubjectOfGenerator
from harness.generators.protocol import GeneratorBase
from harness.generators.watchdog import EndlessCandidate, endless, executed
from harness.kernel.inputs.suites import InputKind
from harness.plug_ins import package_paths
from harness.resources import read_source

if TYPE_CHECKING:
    from harness.generators.policies.own.sequences import OwnSequences
    from harness.generators.policies.own.states import OwnStates
    from harness.generators.protocol import SequenceTask, Task


MOST = 1_000_000
"""The number of inputs that a generator may make, unless its name has an option that says another one."""

_DISTINCT = "distinct"


@dataclass(frozen=True)
class Options(NamedOptions):
    """The options after the last colon of the name, as in `mine.py:generate:distinct,most=5000`.

    Attributes:
        distinct: equal calls on equal states count once.
        most: the number of inputs that it may make.
    """

    distinct: bool = False
    most: int = MOST

    table: ClassVar = {
        "distinct": GeneratorOption(_DISTINCT, {_DISTINCT: True}.get, lambda is_on: _DISTINCT, is_bare=True),
        "most": GeneratorOption("most=NUMBER", whole_number(10**15 - 1, least=0)),
    }


PYTHON = ".py"


def own_generator(name: str) -> OwnGenerator:
    """Return the generator in a user's file. The file is read, not executed.

    Raises:
        UsageError: there is no such file, or no such function in it.
        SourceError: the file cannot be read.
    """
    path, _, _ = name.partition(":")
    return OwnGenerator(name, read_source(Path(path), "name a file of yours behind --generator or --suite"))


class OwnGenerator(GeneratorBase):
    """A generator, or a suite, in a file of the user.

    Args:
        name: `FILE.py:NAME` or `FILE.jsonl`, with options after another colon or without, as the user has named it.
        text: the text of the file.

    Raises:
        UsageError: there is no such function, or no such option.
    """

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self.file, _, selection = name.partition(":")
        self._function, _, options = selection.partition(":") if self.file.endswith(PYTHON) else ("", "", selection)
        self.options = _options(name.removesuffix(f":{options}"), options)
        self.version = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:12]
        if self.file.endswith(PYTHON):
            _check_function(self.file, text, self._function)

    def inputs(self, subject: SubjectOfGenerator, scope: int, seed: int) -> WrittenInputs:
        """Start a run: read the file, or execute it again and call the function.

        Raises:
            UsageError: the file or the function raises, or a file of calls has too many lines.
        """
        most = self.options.most
        if self.file.endswith(LINES):
            return lines_of(self.file, self.text, most)
        return yielded_by_file(self.file, self.text, self._function, most, (subject, scope, seed))

    def on(self, subject: SubjectOfGenerator, scope: int, seed: int) -> SequencesChosen | StatesChosen:
        """Return the generator for a subject. Its first input shows whether it makes states or sequences.

        Raises:
            UsageError: making the first input raises.
        """
        inputs = self.inputs(subject, scope, seed)
        first = inputs.first()
        makes_states = not subject.has_state or is_state_with_call(first)
        return (StatesChosen if makes_states else SequencesChosen)(self, subject, scope, seed, inputs)


class InstalledGenerator(OwnGenerator):
    """A function of an installed package that takes the subject, the scope and the seed.

    Its version is a hash of all modules of the package, so that an edit of any of them makes other suites.

    Args:
        name: the name of its entry point.
        module: the module that the entry point names.
        function: the function, or another object that is called like it.
    """

    text = ""

    def __init__(self, name: str, module: str, function: Callable[..., Any], options: str = "") -> None:
        self.name = f"{name}:{options}" if options else name
        self.options = _options(name, options)
        self.file = inspect.getfile(inspect.unwrap(function))
        self.version = _hash_of_package(module)
        self._entry = name, module, function

    def with_parameter(self, text: str) -> InstalledGenerator:
        """Return the generator with options after its colon.

        Raises:
            UsageError: there is no such option.
        """
        return InstalledGenerator(*self._entry, text)

    def inputs(self, subject: SubjectOfGenerator, scope: int, seed: int) -> WrittenInputs:
        """Start a run: call the function.

        Raises:
            UsageError: the function raises.
        """
        return yielded_by(self.file, self._entry[-1], self.options.most, (subject, scope, seed))


def installed_generator(name: str, module: str, loaded: Any) -> InstalledGenerator | None:
    """Return the generator if an entry point names a function with arguments, which yields inputs itself; else None.

    Raises:
        TypeError: the arguments are not the subject, the scope and the seed.
    """
    if isinstance(loaded, type) or not callable(loaded):
        return None
    signature = inspect.signature(loaded)
    variadic = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD
    parameters = [parameter for parameter in signature.parameters.values() if parameter.kind not in variadic]
    if all(parameter.default is not parameter.empty for parameter in parameters):
        return None
    try:
        signature.bind("subject", 1, 0)
    except TypeError as error:
        raise TypeError(f"it is called with (subject, scope, seed), and takes {signature}") from error
    return InstalledGenerator(name, module, loaded)


class Chosen(GeneratorBase):
    """A user's generator for one subject, scope and seed.

    The run with which its first input was found goes on as the first run.
    """

    def __init__(
        self, own: OwnGenerator, subject: SubjectOfGenerator, scope: int, seed: int, begun: WrittenInputs
    ) -> None:
        self.name, self.version, self.file = own.name, own.version, own.file
        self.is_distinct = own.options.distinct
        self._own = own
        self._task = subject, scope, seed
        self._begun: WrittenInputs | None = begun

    def inputs(self) -> WrittenInputs:
        """Return the inputs of a run."""
        begun, self._begun = self._begun, None
        return begun or self._own.inputs(*self._task)


class SequencesChosen(Chosen):
    """One that yields lists of calls."""

    input_kind = InputKind.SEQUENCES

    def explore(self, task: SequenceTask) -> OwnSequences:
        """Start a run."""
        from harness.generators.policies.own.sequences import OwnSequences

        return OwnSequences(self, task)


class StatesChosen(Chosen):
    """One that yields states with a call, or calls of functions without a state."""

    def produce(self, task: Task) -> OwnStates:
        """Start a run."""
        from harness.generators.policies.own.states import OwnStates

        return OwnStates(self, task)


def _options(name: str, text: str) -> Options:
    return Options.read(name, text) if text else Options()


def _check_function(file: str, text: str, name: str) -> None:
    """Refuse a file without the function.

    Raises:
        UsageError: it has no such function, or is no Python.
    """
    try:
        tree = ast.parse(text, file)
    except (SyntaxError, ValueError) as error:
        line = f":{error.lineno}" if isinstance(error, SyntaxError) else ""
        raise UsageError(f"{file}{line}: {getattr(error, 'msg', error)}; correct the generator") from None
    names = [part.name for part in tree.body if isinstance(part, (ast.FunctionDef, ast.ClassDef))]
    targets = [target for part in tree.body if isinstance(part, ast.Assign) for target in part.targets]
    if name not in (*names, *(target.id for target in targets if isinstance(target, ast.Name))):
        raise UsageError(f"{file}: no function {name!r}; {suggestion(name, names)}")


def _hash_of_package(module: str) -> str:
    """Return a hash of the text of all modules of the package that a module belongs to."""
    texts = {
        file.relative_to(path).as_posix(): file.read_bytes()
        for path in package_paths(module)
        for file in (path.rglob(f"*{PYTHON}") if path.is_dir() else [path])
    }
    hashes = {name: hashlib.sha256(text).hexdigest() for name, text in sorted(texts.items())}
    return hashlib.sha256(repr(hashes).encode()).hexdigest()[:12]


def chosen(generator: OwnGenerator, generation: Generation) -> SequencesChosen | StatesChosen:
    """Return the generator of states or of sequences for the suite to be made.

    Raises:
        UsageError: making the first input raises, or does not end.
        SpecError: the bounds of the spec are unusable.
    """
    generation.begins(f"executing {generator.file}")
    spec, text = generation.spec, generation.text
    try:
        with generation.watched(lambda: (0, 0, 0), own_file=generator.file):
            subject = SubjectOfGenerator.of(spec, generation.module, generation.scope, text.source)
            return generator.on(subject, generation.scope, generation.seed)
    except EndlessCandidate as ended:
        where = executed(ended, generator.file) or "what it asks the spec for"
        raise UsageError(endless(f"{generator.file}: {where} gave no new input", ended)) from None
