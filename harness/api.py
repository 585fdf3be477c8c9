"""The facade for scripts and notebooks: one function for everything the command line does.

    from harness import api

    folder = api.run(api.single("search_tree", "korat", [1, 2, 3]))
    run = api.load(folder)
    run.scores()

pandas and matplotlib are imported by those functions that need them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness import resources
from harness.generators.registry import generator_names
from harness.generators.sequences.found_builders import BUILDERS_SCOPE, FoundBuilders
from harness.kernel.inputs.suites import SuiteReader
from harness.model.experiment import DEFAULT_OPERATORS, Experiment, Trial
from harness.model.mutant import Mutant
from harness.model.outcome import OracleName
from harness.runner.builders import builders_of
from harness.runner.job_count import job_count
from harness.runner.made_experiments import experiment as experiment
from harness.runner.made_experiments import own_suite as own_suite
from harness.runner.made_experiments import single as single
from harness.runner.subjects import finitization_of, load_subject, sequences_of
from harness.runner.suites import ensure_suite
from harness.runs.shown_runs import compare as compare
from harness.runs.shown_runs import criteria as criteria
from harness.runs.shown_runs import figures as figures
from harness.runs.shown_runs import outcomes as outcomes
from harness.runs.shown_runs import tables as tables
from harness.runs.stored_run import Run
from harness.sandbox.levels import held_levels
from harness.test_tools.generated import generate_tests as generate_tests
from harness.test_tools.tools import tool_names

if TYPE_CHECKING:
    import pandas as pd

    from harness.checking.found_faults import FoundFaults
    from harness.checking.result import CheckResult
    from harness.difference.invariant_result import InvariantDifference
    from harness.difference.result import Difference
    from harness.measuring.input_classes import InputClasses
    from harness.report.states.graph import NumberedState
    from harness.report.states.reached_states import LastCall
    from harness.report.written_tests.export import WrittenTests
    from harness.runner.verify import Verification


def known() -> dict[str, list[str]]:
    """Names of subjects, generators, operators and their sets, experiments, papers, and what contains programs here."""
    from harness.mutation.operator_sets import OPERATOR_SETS
    from harness.papers import PAPERS

    return {
        "subjects": [*resources.subject_folders(), *resources.grouped_subjects()],
        "generators": generator_names(),
        "test_tools": tool_names(),
        "operators": list(dict.fromkeys(code for found in OPERATOR_SETS.values() for code in found.operators)),
        "operator_sets": list(OPERATOR_SETS),
        "experiments": list(resources.experiment_files()),
        "papers": list(PAPERS),
        "containment": list(held_levels()),
    }


def generate(
    subject: str, generator: str = "korat", scope: int = 3, seed: int = 0, jobs: int | None = None
) -> SuiteReader:
    """The suite of one trial, made in the sandbox (a long search on all cores by default) or found in the cache."""
    trial = Trial(subject, generator, scope, seed)
    return ensure_suite(load_subject(subject), trial, job_count(jobs))


def builders(subject: str, scope: int = BUILDERS_SCOPE) -> FoundBuilders:
    """The routines that are enough to make all structures of a scope by calls (beapi2023, section 3.3)."""
    return builders_of(load_subject(subject), scope)


def first_states(subject: str, suite: SuiteReader, count: int = 10) -> list[NumberedState]:
    """The first states of a subject's suite as graphs of objects, to be printed or drawn.

    Those of a suite of sequences are reached in the sandbox: each is that of the object that the last call had to do
    with.
    """
    from harness.report.states.generated import states_of
    from harness.report.states.reached_states import reached_states

    if suite.holds_sequences:
        return reached_states(load_subject(subject), suite, count)
    return states_of(suite, finitization_of(load_subject(subject), suite.header.scope), count)


def first_sequences(subject: str, suite: SuiteReader, count: int = 10) -> list[str]:
    """The first inputs of a subject's suite of sequences, each as its calls on one line."""
    from harness.report.states.generated import sequences_of_suite

    return sequences_of_suite(suite, sequences_of(load_subject(subject), suite.header.scope), count)


def last_calls(subject: str, suite: SuiteReader, count: int = 10) -> list[LastCall]:
    """What the last calls of the first inputs of a suite of sequences do: the states before and after them."""
    from harness.report.states.reached_states import last_calls as found

    return found(load_subject(subject), suite, count)


def draw_states(states: Sequence[NumberedState], suite: SuiteReader, path: Path | str) -> Path:
    """Draws states of a suite into a file, as SVG, PNG or PDF by its suffix; its path."""
    from harness.report.states.generated import draw_into

    return draw_into(states, suite.header, Path(path))


def mutants(subject: str, operators: str = DEFAULT_OPERATORS) -> list[Mutant]:
    """The subject's mutants of an operator set as they are run, then those listed but not run, each with its status."""
    from harness.runner import mutants as mutant_sets

    manifest = mutant_sets.mutant_set(load_subject(subject), operators).manifest
    return [*manifest.mutants, *manifest.excluded]


def pin(
    subject: str,
    size: int | None = None,
    seed: int = 0,
    operators: str = DEFAULT_OPERATORS,
) -> list[Mutant]:
    """Derives the subject's mutants anew and pins a sample of `size` (default: all viable) in ./mutants."""
    from harness.runner import mutants as mutant_sets

    manifest, _ = mutant_sets.pin(load_subject(subject), size, seed, operators)
    return list(manifest.mutants)


def module_mutants(
    target: str,
    tests: Sequence[str] = (".",),
    *,
    folder: Path | str | None = None,
    blocked: Sequence[str] = (),
    operators: str = DEFAULT_OPERATORS,
    pin: bool = False,
    size: int | None = None,
    seed: int = 0,
) -> dict[str, list[Mutant]]:
    """Return the mutants of a module, or of each module of a package, by the module's name.

    The arguments are those of `own_suite`. `tests` only say which project the module is of: all of its tests are run
    to observe types. `pin` pins a sample of `size` (default: all viable mutants) in ./mutants.
    """
    from harness.runner.pytest_runs.profiles import mutants_of_modules

    (suite,) = own_suite(target, tests, folder=folder, blocked=blocked, operators=operators).suites
    return mutants_of_modules(suite, operators, pinned=pin, size=size, seed=seed)


def profile(
    target: str, tests: Sequence[str], *, folder: Path | str | None = None, blocked: Sequence[str] = ()
) -> list[Path]:
    """Observes the types of a module's values, or of all of a package, while tests run; all runs take them from there.

    Returns the files that are written, in ./mutants.
    """
    from harness.runner.pytest_runs.profiles import write_profiles

    (suite,) = own_suite(target, tests, folder=folder, blocked=blocked).suites
    return write_profiles(suite)


def run(experiment: Experiment, folder: Path | str | None = None, jobs: int | None = None) -> Path:
    """Runs an experiment (default: into results/<name>, on all cores); returns the folder.

    What the folder holds already is not run again.
    """
    from harness.runner.run import default_folder, run_experiment

    chosen = default_folder(experiment) if folder is None else Path(folder)
    run_experiment(experiment, chosen, job_count(jobs))
    return chosen


def verify(
    folder: Path | str,
    sample: int | None = None,
    seed: int = 0,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Verification:
    """Compare a run's facts with their checksums, and with what source, suite and tests give again.

    Verdicts are re-executed along the naive second path: all, or a seeded sample.
    """
    from harness.runner.run import existing_folder
    from harness.runner.verify_run import verify_run

    return verify_run(existing_folder(Path(folder)), sample, seed, job_count(jobs), progress)


def load(folder: Path | str) -> Run:
    """The run stored in `folder`.

    Raises:
        StoreError: there is none.
    """
    return Run(folder)


def input_classes(subject: str, generator: str = "korat", scope: int = 3) -> InputClasses:
    """What class each input of a suite is of: by the spec's eq_class, by rep_ok's conditions, by the branches it takes.

    Each input is run once on the original, in the sandbox.
    """
    from harness.measuring.input_classes import measured_classes

    return measured_classes(load_subject(subject), generate(subject, generator, scope))


def check(subject: str, scope: int = 3, mode: str = "black-box") -> CheckResult:
    """Checks a subject's methods against its spec's postconditions and axioms, on all inputs within a scope."""
    from harness.checking.check import check as check_properties

    return check_properties(load_subject(subject), scope, mode)


def faults(subject: str, generator: str = "korat", scope: int = 3, seed: int = 0) -> FoundFaults:
    """Runs a subject on a suite, and has its spec name the faults of its own that the inputs show."""
    from harness.checking.faults import find_faults

    return find_faults(Trial(subject, generator, scope, seed))


def difference(subject: str, scope: int = 3) -> Difference:
    """Compares the structures that a subject's API makes with those of its rep_ok (beapi2023, section 4.3)."""
    from harness.difference.difference import difference as compare

    return compare(load_subject(subject), scope)


def invariant_difference(subject: str, scope: int = 3) -> InvariantDifference:
    """Compares the instances of a subject's declarative `invariant` with the states of its rep_ok."""
    from harness.difference.difference import invariant_difference as compare

    return compare(load_subject(subject), scope)


def structures_of_rep_ok(subject: str, found: Difference) -> list[NumberedState]:
    """The smallest structures that rep_ok alone has as graphs of objects, to be printed or drawn."""
    from harness.report.states.difference_shown import of_rep_ok

    if not found.of_rep_ok:
        return []
    return of_rep_ok(found, finitization_of(load_subject(subject), found.scope))


def report(folder: Path | str, oracle: str = OracleName.DIFFERENTIAL.value) -> list[Path]:
    """Writes report.html and the mutation-testing report JSON of a run into its folder; their paths.

    The results are those of the `oracle`; names of files name another one than the differential.
    """
    from harness.report.pages.page import write_report
    from harness.runner.run import existing_folder

    return write_report(existing_folder(Path(folder)), oracle=OracleName(oracle))


def export_pytest(
    subject: str, generator: str = "korat", scope: int = 3, seed: int = 0, path: Path | None = None
) -> Path:
    """Writes a suite as a runnable pytest file (default: ./test_<subject>_scope<n>.py); its path."""
    from harness.report.exported.pytest_suite import export_pytest as export

    path = _test_file(path, subject, f"_scope{scope}")
    suite = generate(subject, generator, scope, seed)
    return export(load_subject(subject), suite, path)


def write_tests(
    subject: str,
    generator: str,
    scope: int,
    seed: int = 0,
    path: Path | None = None,
    *,
    select: str = "outcomes",
    run: Path | None = None,
    fewest: bool = False,
    module: str | None = None,
) -> WrittenTests:
    """Write sequences of a suite as tests by hand (default: ./test_<subject>.py); return the file, and which they are.

    Args:
        select: which sequences: "outcomes", "branches", "kills" or "all".
        run: the folder of a run with kill matrices, for "kills".
        fewest: choose by a greedy set cover.
        module: the name by which tests import the implementation; default: the name of its file.
    """
    from harness.report.written_tests.choice import Select
    from harness.report.written_tests.export import write_tests as write

    path = _test_file(path, subject)
    suite = generate(subject, generator, scope, seed)
    return write(load_subject(subject), suite, path, Select(select), run=run, fewest=fewest, module=module)


def _test_file(path: Path | None, subject: str, ending: str = "") -> Path:
    """The file that tests are written to; refused before a suite is made for it."""
    from harness.report.python_files import check_test_file

    path = path or Path(f"test_{resources.subject_label(subject).replace('-', '_')}{ending}.py")
    check_test_file(path)
    return path


def as_text(table: pd.DataFrame) -> str:
    """A frame as an aligned text table; what is missing is a dash."""
    from tabulate import tabulate

    cells = table.astype(object).where(table.notna(), "-")
    return tabulate(cells.to_numpy().tolist(), headers=list(table.columns), floatfmt=".2f", intfmt=",")
