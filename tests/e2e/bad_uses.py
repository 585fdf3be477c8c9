"""Bad uses of every command: what is asked for, and the words and exit status of the one line that answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from command_line import IMPLEMENTATION, SPEC
from support.levels import without_line_of_levels

_TRIAL = '[[trials]]\nsubject = "pile"\nscopes = [1]\n'
_FIELD = '    f.set("Pile.count", range(scope + 1))\n'
_RESULT = "self.count + number"
_METHOD = '    f.method("push", range(scope))\n'
_ODD = "def odd(*arguments): yield 1\n"
_HUGE = "9" * 30
_DIGITS = "9" * 400


@dataclass(frozen=True)
class BadUse:
    """`files` are written below the folder one stands in; it has a subject `pile` in any case."""

    name: str
    arguments: tuple[str, ...]
    says: str
    status: int = 2
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        """Makes the files."""
        for name, content in {**_PILE, **self.files}.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)


_PILE = {"subjects/pile/impl.py": IMPLEMENTATION, "subjects/pile/spec.py": SPEC}


def _arguments(says: str, *lines: str, status: int = 2) -> list[BadUse]:
    return [BadUse(line[:80], tuple(line.split()), says, status) for line in lines]


def _experiment(says: str, text: str | bytes, name: str = "") -> BadUse:
    title = name or f"experiment: {text[:60]!r}"
    return BadUse(title, ("run", "mine.toml", "--out", "out"), says, files={"mine.toml": text})


def _spec(says: str, text: str, status: int = 2, **environment: str) -> BadUse:
    files = {"subjects/pile/spec.py": text}
    arguments = ("run", "--subject", "pile", "--scope", "1", "--jobs", "1", "--out", "out")
    added = " ".join(line for line in text.splitlines() if line not in SPEC.splitlines())
    return BadUse(f"spec: {says} ({added[:60]})", arguments, says, status, files, environment)


def spec_with(line: str) -> str:
    """Return a spec that ends with the line."""
    return f"{SPEC}\n{line}\n"


def _line(says: str, line: str, status: int = 2, **environment: str) -> BadUse:
    """Return the use of a spec that begins with the line."""
    return _spec(says, f"{line}\n{SPEC}", status, **environment)


def _last(says: str, text: str, status: int = 2) -> BadUse:
    """Return the use of a spec that ends with the text."""
    return _spec(says, spec_with(text), status)


def _domain(says: str, lines: str, status: int = 2) -> BadUse:
    """Return the use of a spec whose finitization has these lines instead of its field."""
    return _spec(says, SPEC.replace(_FIELD, f"    {lines}\n"), status)


def _code(says: str, text: str | bytes, status: int = 2, command: str = "mutate pile") -> BadUse:
    title = f"implementation: {text[:60]!r}"
    return BadUse(title, tuple(command.split()), says, status, {"subjects/pile/impl.py": text})


def _run(says: str, text: str) -> BadUse:
    """Return the use of an implementation that is found wrong when it is run."""
    return _code(says, text, command="run --subject pile --scope 1 --jobs 1 --out out")


def _deep(says: str, name: str, expression: str) -> BadUse:
    """Return the use of an implementation with a deeply nested expression in line 8."""
    text = IMPLEMENTATION.replace("self.count + 1", expression)
    return BadUse(f"implementation: nested {name}", ("mutate", "pile"), says, files={"subjects/pile/impl.py": text})


ARGUMENTS = [
    *_arguments("invalid choice", "frobnicate", "generat pile --scope 1"),
    *_arguments("a scope is a whole number from 1", f"generate pile --scope {_DIGITS}", "generate pile --scope ²"),
    *_arguments("a scope is a whole number from 1", "generate pile --scope 1_0", "run --subject pile --scope 1--2"),
    *_arguments(
        "a scope is a whole number from 1 (to 65535), not '99999999999'", "run --subject pile --scope 1-99999999999"
    ),
    *_arguments("--jobs 100000: give a whole number from 1 to", "run demo --jobs 100000", "verify . --jobs 100000"),
    *_arguments("runs is a whole number from 1 to 1000, not 1001", "run --target pile --tests . --runs 1001"),
    *_arguments("cannot be written", "generate pile --scope 1 --figure subjects/pile/spec.py/states.png"),
    *_arguments("a whole number from 1", f"verify . --sample {_DIGITS}"),
    *_arguments("a seed is a whole number of at most 64 bits", f"run --subject pile --scope 1 --seed -{_HUGE}"),
]
"""What is not derived from the kinds of options."""

NAMES = [
    *_arguments("unknown tool 'nope'", "generate-tests nope --target pile"),
    *_arguments("no module 'nope' of Python source", "generate-tests crosshair --target nope"),
    *_arguments("there is something already", "generate-tests crosshair --target nope --out subjects"),
    *_arguments("behind the colon stand, in this order", "generate pile --scope 1 --generator hypothesis-stateful:0"),
    *_arguments(
        "unknown subject 'nope'; 'mutascope list' names all ",
        "generate nope --scope 1",
        "mutate nope",
        "mutate nope --pin",
    ),
    *_arguments("unknown subject 'nope'", "run --subject nope --scope 1", "check nope --scope 1"),
    *_arguments("is no subject: it has no spec.py", "generate subjects --scope 1", "mutate ."),
    *_arguments("unknown generator 'nope'; 'mutascope list' names all ", "generate pile --scope 1 --generator nope"),
    *_arguments("unknown generator 'nope'", "run --subject pile --scope 1 --generator nope"),
    *_arguments(
        "unknown experiment 'nope'; there are beapi2023, criteria_pruning2011, demo, ", "run nope", "run nope --json"
    ),
    *_arguments("no function finitization, which bounds what properties", "check containers/binary_tree --scope 1"),
    *_arguments("make one (mutascope run generators) or name a run's folder (mutascope compare DIR)", "compare"),
    *_arguments("/proc/nope: cannot write there", "run --subject pile --scope 1 --out /proc/nope"),
    *_arguments("unknown experiment 'nope'", "shard nope 1/3", "shard nope --print-slurm 3"),
    *_arguments("there is no shard ", "shard demo 5/3", "shard demo 0/3", "shard demo 1/0"),
    *_arguments("a shard is written K/N", "shard demo 1", "shard demo a/b", "shard demo -- -1/3"),
    *_arguments("cannot write there", "shard demo 1/3 --out subjects/pile/spec.py"),
    *_arguments("no shard is stored there", "merge subjects/pile", "merge nowhere --allow-missing"),
    *_arguments("unknown operator set 'all'; there are", "mutate pile --operators all"),
    *_arguments("unknown operator set 'all'; there are", "run --subject pile --scope 1 --operators all"),
    *_arguments("no paper and no folder 'nope'; there are beapi2023, criteria_", "tables nope", "figures nope"),
    *_arguments("give one of them", "tables subjects --from mutants", "figures subjects --from subjects"),
    *_arguments("no table 'nope' of a run; there are ", "tables subjects --table nope"),
    *_arguments("no table 'nope' of ", "compare subjects --table nope", "outcomes subjects --table nope"),
    *_arguments("no table 'nope' of exhaustive2003; there are table1", "tables exhaustive2003 --table nope"),
    *_arguments(
        "no such folder; run an experiment first", "verify nope", "report nope", "tables exhaustive2003 --from nope"
    ),
    *_arguments("no such folder", "figures exhaustive2003 --from nope", "report subjects/pile/spec.py"),
    *_arguments("no run is stored there", "verify .", "report .", "tables exhaustive2003 --from subjects"),
    *_arguments("choose another output folder", "run --subject pile --scope 1 --out subjects/pile/spec.py"),
    *_arguments("cannot write there", "run --subject pile --scope 1 --out subjects/pile/spec.py/below"),
    *_arguments("choose another file with --out", "suite pile --scope 1 --out subjects/pile/spec.py/tests.py"),
    *_arguments(
        "pytest reads files of Python alone (.py)",
        "suite pile --scope 1 --out subjects",
        "suite pile --scope 1 --generator rostra --export code --out tests.txt",
    ),
    *_arguments(
        "no name of a module",
        "suite pile --scope 1 --generator rostra --export code --module my-pile",
        "suite pile --scope 1 --generator rostra --export code --module pile.class",
        "suite pile --scope 1 --generator rostra --export code --module=",
    ),
    *_arguments("its inputs are states, not sequences", "suite pile --scope 1 --export code"),
    *_arguments(
        "give --select kills and --from RUN together",
        "suite pile --scope 1 --generator rostra --export code --select kills",
        "suite pile --scope 1 --generator rostra --export code --from .",
    ),
    *_arguments(
        "no run is stored there", "suite pile --scope 1 --generator rostra --export code --select kills --from ."
    ),
]

EXPERIMENTS = [
    _experiment("mine.toml: not TOML", "trials"),
    _experiment("not TOML", b"\xff\xfe"),
    _experiment("no [[trials]]", ""),
    _experiment("no [[trials]]", "trials = 3\n"),
    _experiment("not TOML", "a = " + "[" * 5000, "experiment: nested lists"),
    _experiment("mine.toml: ", "x = " + "[" * 90 + "]" * 90, "experiment: an unknown field of nested lists"),
    _experiment("not TOML", f"seed = {'9' * 5000}\n", "experiment: a seed of 5000 digits"),
    _experiment("seed is a whole number of at most 64 bits", f"seed = {_HUGE}\n{_TRIAL}"),
    _experiment("mine.toml: unknown operator set 'all'", f'operators = "all"\n{_TRIAL}'),
    _experiment("no paper 'nope'; there are", f'paper = "nope"\n{_TRIAL}'),
    _experiment("unknown field 'titel'", f'titel = "x"\n{_TRIAL}'),
    _experiment("number 1 is no table", "trials = [3]\n"),
    _experiment("unknown subject 'nope'", _TRIAL + _TRIAL.replace("pile", "nope")),
    _experiment("unknown subject ''", _TRIAL.replace("pile", "")),
    _experiment("unknown generator 'nope'", f'{_TRIAL}{_TRIAL}generator = "nope"\n'),
    _experiment("scopes is a list of whole numbers from 1, not [0]", _TRIAL.replace("[1]", "[0]")),
    _experiment("scopes is a list of whole numbers from 1, not [True]", _TRIAL.replace("[1]", "[true]")),
    _experiment("the largest is 65535", _TRIAL.replace("[1]", "[65536]")),
    _experiment("mode is one of first-kill, matrix, selections, generate, not 'fast'", f'mode = "fast"\n{_TRIAL}'),
    _experiment("a trial stands there twice", _TRIAL + _TRIAL),
    _experiment("give scopes from 2", f'{_TRIAL}mode = "selections"\n'),
    BadUse("experiment: a folder", ("run", "subjects"), "unknown experiment 'subjects'"),
    BadUse("experiment: a spec", ("run", "subjects/pile/spec.py"), "spec.py: not TOML"),
]

SPECS = [
    _spec("'(' was never closed", SPEC.replace("(pile)", "(pile")),
    _spec("spec.py has no function finitization", "def rep_ok(pile):\n    return True\n"),
    _spec("spec.py has no function rep_ok", SPEC.replace("rep_ok", "repok")),
    _spec("spec.py: a null character at offset", "x = '\0'\n"),
    _line("raised ZeroDivisionError", "1 / 0"),
    _line("raised ModuleNotFoundError", "import nope"),
    _line("raised KeyboardInterrupt", "raise KeyboardInterrupt"),
    _line("raised SystemExit", "raise SystemExit(0)"),
    _line("raised RecursionError", "def f(): f()\nf()"),
    _line("raised E: its message raised TypeError", "class E(Exception): __str__ = None\nraise E"),
    _line("ended the process that executes it (ended with exit status 0)", "import os; os._exit(0)"),
    _line("ended the process that executes it (ended by SIGKILL)", "import os; os.kill(os.getpid(), 9)"),
    _line("ended the process that executes it (ended by SIGSEGV", "import os; os.kill(os.getpid(), 11)"),
    _line("raised ValueError: two linestwo", "raise ValueError('two\\nlines' * 1000)"),
    _line("spec.py", "class E(Exception): __module__ = 'harness.errors'\nraise E"),
    _line("ended the process that executes it", "import os; os.write(int(__import__('sys').argv[-1]), b'{}\\n')"),
    _line("title is 5, not a text of one line", "title = 5"),
    _line("helpers is 'abc', not a list of names", "helpers = 'abc'"),
    _line("the spec names 'nope'", "helpers = ['nope']"),
    _line("blocked is {'json'}, not a list of names", "blocked = {'json'}"),
    _line("implementation is 7, not a text of one line", "implementation = 7"),
    _line("nope.py: No such file or directory", "implementation = 'nope.py'"),
    _line("module 'nope' is not installed as Python source", "implementation = 'nope'"),
    _line("module 'sys' is not installed as Python source", "implementation = 'sys'"),
    _line("is not installed as Python source", "implementation = '..'"),
    _last("rep_ok is 3, not a function", "rep_ok = 3"),
    _last("rep_ok() cannot be called with one argument", "def rep_ok(): return True"),
    _last("rep_ok makes a generator", "def rep_ok(pile): yield True"),
    _last("rep_ok is <class 'dict'>, not a function", "rep_ok = dict"),
    _last("rep_ok returns no value, which rejects every state", "def rep_ok(pile): pile.count"),
    _last("rep_ok returns no value, which rejects every state", "def rep_ok(pile): return None"),
    _last("rep_ok raised KeyError", "def rep_ok(pile): return {}[pile.count]"),
    _last("SystemExit ended the generation", "def rep_ok(pile): return __import__('sys').exit(3)"),
    _last("rep_ok accepted none", "def rep_ok(pile): return False"),
    _last("returned a function, which is true of every state", "def rep_ok(pile): return lambda: False"),
    _last("abstraction is 3, not a function", "abstraction = 3"),
    _last("its post-state raised KeyError", "def abstraction(pile): return {}[pile.count]", status=1),
    _last("abstraction returns no value", "def abstraction(pile): pile.count"),
    _last("holds a object, which is equal to any other", "def abstraction(pile): return object()"),
    _last("abstraction returns one value for all states", "def abstraction(pile): return 0"),
    _last("finitization() cannot be called with one argument", "def finitization(): return 1"),
    _last("returned NoneType, not a Finitization", "def finitization(scope): pass"),
    _last("returned generator, not a Finitization", "def finitization(scope): yield Finitization('Pile')"),
    _last("takes the name of the root's class", "def finitization(scope): return Finitization(3)"),
    _domain("raised ZeroDivisionError", "1 / 0"),
    _domain("finitization(1) raised SystemExit", "raise SystemExit(3)"),
    _domain("finitization(1) ended the process that executes it", "import os; os._exit(0)"),
    _domain("gives other bounds each time", "import random; f.set('Pile.count', random.random())"),
    _domain("Finitization.set('Pile.count') is called twice", "f.set('Pile.count', 1); f.set('Pile.count', 2)"),
    _domain("nan is equal to nothing", "f.set('Pile.count', float('nan'))"),
    _domain("a dict is no list of plain values", "f.set('Pile.count', {1: 2})"),
    _domain("a set is no list of plain values", "f.set('Pile.count', {1, 2})"),
    _domain("a bytes is no list of plain values", "f.set('Pile.count', b'12')"),
    _domain("neither None, a plain value", "f.set('Pile.count', 1j)"),
    _domain("neither None, a plain value", "f.set('Pile.count', [[1], {}.get])"),
    _domain("more than 1024 bits", "f.set('Pile.count', 1 << 100_000)"),
    _domain("holds 1 twice", "f.set('Pile.count', 1, [1])"),
    _domain("more than 65536 values", "f.set('Pile.count', range(10 ** 12))"),
    _domain("more than 65536 values", "import itertools; f.set('Pile.count', itertools.count())"),
    _domain("raised RecursionError", "one = []; one.append(one); f.set('Pile.count', one)"),
    _domain("takes 'Class.field', not", "f.set('count', 1)"),
    _domain("takes 'Class.field', not 5", "f.set(5, 1)"),
    _domain("no objects of class 'Pyle'", "f.set('Pyle.count', 1)"),
    _domain("has no field domain", "f.set('Pile.other', 1)"),
    _domain("did you mean 'count'?", "f.set('Pile.count', 1); f.set('Pile.cuont', 1)"),
    _domain("the name of a class is a text in quotes, not 3", "f.objects(3, 1)"),
    _domain("whole number from 0, not -1", "f.objects('Node', -1)"),
    _domain("whole number from 0, not 'x'", "f.objects('Node', 'x')"),
    _domain("lengths of a list", "f.set('Pile.count', f.lists(1, lengths=[-1], elements=[1]))"),
    _domain("lengths of a list", "f.set('Pile.count', f.lists(1, lengths=[], elements=[1]))"),
    _spec("declares no target", SPEC.replace(_METHOD, "")),
    _spec("is declared twice", SPEC.replace(_METHOD, _METHOD + _METHOD)),
    _spec("has no such method", SPEC.replace('"push"', '"pusch"')),
    _spec("no such class or function", SPEC.replace("f.method", "f.function")),
    _spec("the name of a target is a text in quotes", SPEC.replace('"push"', "5")),
    _spec("target 'push' of the finitization", SPEC.replace(", range(scope))", ")")),
    _spec("some parameter of every target has an empty domain", SPEC.replace('"push", range(scope)', '"push", []')),
    _spec("requires takes a function", SPEC.replace(_METHOD, _METHOD.replace("))", "), requires=3)"))),
    _spec("requires makes a generator", SPEC.replace(_METHOD, _METHOD.replace("))", "), requires=odd)")) + _ODD),
]

CODE = [
    _code("impl.py:10: SyntaxError", f"{IMPLEMENTATION}def (:\n", command="generate pile --scope 1"),
    _code("ZeroDivisionError while it was loaded", "1 / 0\n"),
    _code("impl.py:1: SystemExit while it was loaded; correct", "raise SystemExit\n"),
    _run("impl.py:10: ZeroDivisionError while it was loaded: division by zero; correct", f"{IMPLEMENTATION}1 / 0\n"),
    _run("ended with exit status 0; correct", IMPLEMENTATION.replace(_RESULT, "__import__('os')._exit(0)")),
    _run(
        "ended by SIGSEGV; correct",
        IMPLEMENTATION.replace(_RESULT, "__import__('os').kill(__import__('os').getpid(), 11)"),
    ),
    _code("names 'Pile', but", ""),
    _code("impl.py: not UTF-8", b"x = '\xff'\n"),
    _code("impl.py: not UTF-8 text (unknown encoding: klingon", "# coding: klingon\n" + IMPLEMENTATION),
    _code("impl.py: a null character at offset", "x = 1\0\n"),
    _deep("impl.py:8: SyntaxError", "parentheses", "(" * 300 + "1" + ")" * 300),
    _deep("400 at the most can be mutated", "signs", "-" * 600 + "1"),
    _deep("400 at the most can be mutated", "sums", "1 + " * 600 + "1"),
    _deep("400 at the most can be mutated", "attributes", "self" + ".x" * 600),
    _deep("impl.py:8: ", "negations", "not " * 1500 + "1"),
    _code("impl.py", IMPLEMENTATION + "".join(f"{' ' * depth}if 1:\n" for depth in range(150)) + " " * 150 + "1\n"),
]

ENVIRONMENTS = [
    BadUse("no number of seconds", ("generate", "pile", "--scope", "1"), "MUTASCOPE_CANDIDATE_SECONDS is 'soon'",
           environment={"MUTASCOPE_CANDIDATE_SECONDS": "soon"}),
    BadUse("a cache in a file", ("generate", "pile", "--scope", "1"), "set MUTASCOPE_CACHE to a writable folder",
           environment={"MUTASCOPE_CACHE": "subjects/pile/spec.py"}),
]  # fmt: skip

BAD_USES = [*ARGUMENTS, *NAMES, *EXPERIMENTS, *SPECS, *CODE, *ENVIRONMENTS]


def wrong(use: BadUse, status: int | str | None, out: str, err: str) -> str | None:
    """Return a description of the fault of the answer, or None."""
    err = without_line_of_levels(err)
    if (status, out) != (use.status, ""):
        return f"exit status {status} instead of {use.status}, {out!r} on standard output, {err!r}"
    if not err.startswith("mutascope: ") or err.count("\n") != 1 or not err.endswith("\n") or len(err) > 1500:
        return f"not one line: {err!r}"
    return None if use.says in err else f"{use.says!r} is not in {err!r}"
