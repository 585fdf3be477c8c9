"""Programs of several files are found and executed together, and may go equally deep on every path."""

import subprocess
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.both_paths import Bench
from support.own_subject import standing_beside
from support.sequence_bench import write_sequences

from harness import api
from harness.kernel.inputs.suites import Call
from harness.kernel.program.loader import RECURSION_LIMIT
from harness.kernel.specs.spec import load_spec
from harness.model.experiment import Trial
from harness.model.outcome import OracleName, Verdict
from harness.model.sequence import Observation
from harness.model.subject import Subject
from harness.runner.local_imports import imported_files, module_of_name, package_hash
from harness.runner.run import run_experiment
from harness.runner.subjects import load_subject
from harness.runner.suites import ensure_suite

RAISE = 'raise type("Frames_" + "_".join(map(str, self.log)), (Exception,), {})'
SOURCE = """
class Pile:
    def __init__(self):
        self.size = 0

    def push(self, item):
        self.size = min(self.size + 1, 3)
        self.log = (*getattr(self, "log", ()), self.frames(1))
        if item == 2:
            LAST
        return None

    def height(self):
        return self.size, self.frames(1)

    def frames(self, count):
        try:
            return self.frames(count + 1)
        except RecursionError:
            return count
"""
SPEC = """
from harness.spec import Finitization, SequenceScope

observers = ["height"]


def rep_ok(pile):
    return 0 <= pile.size <= 3


def abstraction(pile):
    return pile.size, pile.frames(1)


def post_push(before, after, returned, item, *, raised):
    return RAISES or raised is None


def finitization(scope):
    f = Finitization("Pile")
    f.set("Pile.size", range(3))
    f.method("push", range(3))
    return f


def sequences(scope):
    s = SequenceScope("Pile")
    s.constructor()
    s.method("push", range(3))
    return s
"""
RAISING, SILENT, COUNTING = "raising", "silent", "counting"
PROGRAMS = {RAISING: (RAISE, True), SILENT: ("pass", False), COUNTING: ("return self.log", False)}
"""What `push` does with 2, and whether it may raise."""
FRAMES = RECURSION_LIMIT - 5
"""The frames of `frames`: two of the harness, that of `push`, and two at its end are beside them."""


@dataclass(frozen=True)
class Way:
    """A way in which inputs are run and judged; either states or sequences."""

    oracle: OracleName
    of_sequences: bool = False
    observed: Observation = Observation.END

    def __str__(self) -> str:
        return "-".join(["sequences" if self.of_sequences else "states", self.oracle.value, self.observed.value])

    @property
    def calls(self) -> int:
        """Calls of `push` before a mutant is killed."""
        return 3 if self.of_sequences else 1

    def fields(self) -> dict[str, str]:
        """Return the fields of jobs on both paths."""
        return {"oracle": self.oracle.value, "observed": self.observed.value}


WAYS = [
    *(Way(oracle, of_sequences) for oracle in OracleName for of_sequences in (False, True)),
    Way(OracleName.DIFFERENTIAL, True, Observation.EVERY_CALL),
]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("home")
    with ExitStack() as stack:
        for name, (last, may_raise) in PROGRAMS.items():
            spec = SPEC.replace("RAISES", str(may_raise))
            stack.enter_context(standing_beside(folder, name, SOURCE.replace("LAST", last), spec))
        yield folder


def suite_of(subject: Subject, way: Way, home: Path) -> Path:
    """Make a suite of all calls on all states, or of sequences of up to three calls of `push` that begin alike."""
    if not way.of_sequences:
        return ensure_suite(subject, Trial(subject.name, "korat", 2)).folder
    folder = home / f"{subject.name}-sequences"
    if not folder.exists():
        scope = load_spec(subject.spec_source, "spec.py").sequences(2, subject.source)
        zero, one, two = (Call(1, (0, item)) for item in range(3))
        calls = [[zero], [zero, zero], [zero, one, one], [zero, one, two], [zero, zero, two]]
        write_sequences(folder, scope, [[Call(0, ()), *pushes] for pushes in calls], 2)
    return folder


@pytest.fixture
def bench(home, name, way):
    subject = load_subject(name)
    with Bench.opened(subject, suite_of(subject, way, home), 2, home / "job.json", **way.fields()) as opened:
        yield opened


@pytest.mark.parametrize("name", [SILENT])
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_mutants_go_equally_deep_on_both_paths(bench, way):
    result = bench.both("pass", RAISE)
    assert result.detail.endswith(f"raised Frames{f'_{FRAMES}' * way.calls}")


@pytest.mark.parametrize("name", [RAISING])
@pytest.mark.parametrize("way", [way for way in WAYS if way.oracle is not OracleName.POSTCONDITION], ids=str)
def test_the_original_goes_as_deep_as_its_mutants(bench, way):
    result = bench.both(RAISE, "pass")
    assert result.detail.endswith(f"did not raise Frames{f'_{FRAMES}' * way.calls}")


@pytest.mark.parametrize("name", [COUNTING])
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_mutant_that_returns_the_same_number_of_frames_survives(bench):
    assert bench.both("return self.log", "return self.log + ()").verdict is Verdict.SURVIVED


@pytest.mark.slow
def test_mutants_behind_a_number_of_frames_are_reached(tmp_path):
    """A probe needs frames of its own, so the probed original does not come to this branch."""
    last = f"return item + 1\n        if self.frames(1) == {FRAMES}:\n            return item + 7"
    with standing_beside(tmp_path, "probed", SOURCE.replace("LAST", last), SPEC.replace("RAISES", "True")):
        run_experiment(api.subject_experiment("probed", "korat", [2]), tmp_path / "run", 1)
        verification = api.verify(tmp_path / "run", jobs=1)
    assert verification.checked > 10
    assert verification.disagreements == ()


IMPL = """
from helper import bigger


def step(value):
    return value + 1


class Counter:
    def up(self, by):
        self.value = bigger(self.value, by)
        return self.value
"""
HELPER = """
def bigger(value, by):
    import impl
    while by > 0:
        value, by = impl.step(value), by - 1
    return value
"""
SPEC_OF_IMPORTS = """
from harness.spec import Finitization

implementation = {implementation!r}
helpers = ["step"]


def rep_ok(counter):
    return counter.value >= 0


def finitization(scope):
    f = Finitization("Counter")
    f.set("Counter.value", range(scope + 1))
    f.method("up", range(scope + 1))
    return f
"""


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def neighbour_imports(folder: Path) -> str:
    write(folder / "impl.py", IMPL)
    write(folder / "helper.py", HELPER)
    write(folder / "spec.py", SPEC_OF_IMPORTS.format(implementation="impl.py"))
    return str(folder)


def relative(folder: Path) -> str:
    neighbour_imports(folder)
    write(folder / "impl.py", IMPL.replace("from helper", "from .helper"))
    write(folder / "helper.py", HELPER.replace("import impl", "from . import impl"))
    return str(folder)


def package(folder: Path, root: Path) -> str:
    """Write a package `shop` below `root` that re-exports the subject's class from its module."""
    write(root / "shop" / "__init__.py", "from .counting import Counter\n")
    write(root / "shop" / "counting.py", IMPL.replace("from helper", "from shop.helper"))
    write(root / "shop" / "helper.py", HELPER.replace("import impl", "from . import counting as impl"))
    write(folder / "spec.py", SPEC_OF_IMPORTS.format(implementation="shop.counting"))
    return str(folder)


def subject_path(kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    if kind in ("beside", "relative"):
        return {"beside": neighbour_imports, "relative": relative}[kind](folder / "counter")
    root = folder / "elsewhere"
    name = package(folder / "counter", root)
    if kind == "in the folder one stands in":
        monkeypatch.chdir(root)
    else:
        monkeypatch.setenv("PYTHONPATH", str(root))
    return name


KINDS = ("beside", "relative", "in the folder one stands in", "on PYTHONPATH")


@pytest.mark.parametrize("kind", KINDS)
def test_a_program_of_several_files_is_found_by_its_imports(kind, tmp_path, monkeypatch):
    subject = load_subject(subject_path(kind, tmp_path, monkeypatch))
    module, companions = {
        "beside": ("impl", ["helper"]),
        "relative": ("counter.impl", ["counter", "counter.helper"]),
    }.get(kind, ("shop.counting", ["shop", "shop.helper"]))
    assert (subject.module, [file.module for file in subject.companions]) == (module, companions)
    assert not subject.installed


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["beside", "in the folder one stands in"])
def test_a_mutant_is_what_the_programs_other_files_find(kind, tmp_path, monkeypatch):
    name = subject_path(kind, tmp_path, monkeypatch)
    folder = api.run(api.subject_experiment(name, "korat", [2]), tmp_path / "run", jobs=1)
    results = api.load(folder).frames.results
    assert set(results.loc[results["function"] == "step", "verdict"]) == {"killed"}
    checked = api.verify(folder, jobs=1)
    assert (checked.checked, checked.disagreements) == (len(results), ())


@pytest.mark.slow
def test_a_suite_of_a_program_of_several_files_runs_as_pytest(tmp_path):
    name = relative(tmp_path / "counter")
    file = api.export_pytest(name, scope=1, path=tmp_path / "tests" / "test_counter.py")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", str(file)],
        capture_output=True, encoding="utf-8", cwd=tmp_path, check=False,
    )  # fmt: skip
    assert "4 passed" in done.stdout


def test_results_hang_on_every_file_of_the_program(tmp_path):
    before = load_subject(neighbour_imports(tmp_path / "counter"))
    write(tmp_path / "counter" / "helper.py", HELPER.replace("by - 1", "by - 2"))
    after = load_subject(str(tmp_path / "counter"))
    assert before.source_hash == after.source_hash
    assert before.content_hash != after.content_hash


def test_results_of_an_installed_module_hang_on_its_package(tmp_path):
    tree = write(tmp_path / "bin" / "sub" / "tree.py", "")
    write(tmp_path / "bin" / "other.py", "x = 1")
    before = package_hash("bin.sub.tree", tree)
    write(tmp_path / "bin" / "other.py", "x = 2")
    assert package_hash("bin.sub.tree", tree) not in ("", before)
    assert package_hash("tree", tree) == ""


def test_names_of_the_standard_library_stay_its_own(tmp_path, monkeypatch):
    write(tmp_path / "heapq.py", "")
    write(tmp_path / "own.py", "import heapq, unknown\nfrom .. import above\n")
    monkeypatch.chdir(tmp_path)
    assert module_of_name("heapq") is None
    assert module_of_name("../own") is None
    own = module_of_name("own")
    assert imported_files(own, own.path.read_text()) == ()
