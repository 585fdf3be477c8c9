"""The facade for scripts and notebooks: one function for everything the command line does.

    from harness import api

    folder = api.run(api.subject_experiment("search_tree", "korat", [1, 2, 3]))
    run = api.load(folder)
    run.scores()

pandas and matplotlib are imported by those functions that need them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness import resources
from harness.did_you_mean import named_in, suggestion
from harness.errors import UsageError
from harness.generators.registry import generator_names
from harness.generators.sequences.builder_search import BUILDERS_SCOPE, BuilderSearchResult
from harness.kernel.inputs.suites import SuiteReader
from harness.model.experiment import DEFAULT_OPERATORS, Experiment, Trial
from harness.model.outcome import Mutant, OracleName
from harness.runner import experiment as experiments
from harness.runner.experiment import pytest_experiment as pytest_experiment
from harness.runner.experiment import subject_experiment as subject_experiment
from harness.runner.experiment import write_experiment as write_experiment
from harness.runner.job_count import job_count
from harness.runner.subjects import finitization_of, load_subject, sequences_of
from harness.runner.suites import ensure_suite
from harness.runs.run_views import compare as compare
from harness.runs.run_views import criteria as criteria
from harness.runs.run_views import describe as describe
from harness.runs.run_views import figures as figures
from harness.runs.run_views import outcomes as outcomes
from harness.runs.run_views import tables as tables
from harness.sandbox.levels import held_levels
from harness.tables.stored import Run

if TYPE_CHECKING:
    import pandas as pd

    from harness.checking.faults import faults as faults
    from harness.checking.result import CheckResult
    from harness.difference.result import Difference, InvariantDifference
    from harness.external_generators.suite_generation import generate_tests as generate_tests
    from harness.measuring.measurement import InputClasses
    from harness.model.sequence import SequenceScope
    from harness.report.mutants_in_text import mutant_of_run as mutant_of_run
    from harness.report.mutants_in_text import survivors as survivors
    from harness.report.states.first_inputs import LastCall
    from harness.report.states.graph import NumberedState
    from harness.report.written_tests.export import WrittenTests
    from harness.runner.merge import Merged
    from harness.runner.run import ShardRun
    from harness.runner.verify import Verification


experiment = experiments.load_experiment

LATE = {
    "generate_tests": "external_generators.suite_generation",
    "faults": "checking.faults",
    "survivors": "report.mutants_in_text",
    "mutant_of_run": "report.mutants_in_text",
}
"""Functions whose modules are imported when they are asked for, as that takes long."""


def __getattr__(name: str) -> Any:
    if name in LATE:
        return named_in("harness", f"{LATE[name]}:{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *LATE})


def available_names() -> dict[str, list[str]]:
    """Return the available names by kind: subjects, generators, tools, operators, experiments, papers, containment."""
    from harness.external_generators.tools import tool_names
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


def generate(subject: str, generator: str = "korat", scope: int = 3, seed: int = 0) -> SuiteReader:
    """Return the suite of one trial. It is generated in the sandbox, or read from the cache."""
    trial = Trial(subject, generator, scope, seed)
    return ensure_suite(load_subject(subject), trial)


def builders(subject: str, scope: int = BUILDERS_SCOPE) -> BuilderSearchResult:
    """Return the builders, the routines that suffice to make all structures of a scope (beapi2023, section 3.3)."""
    from harness.runner.builders import builders_of

    return builders_of(load_subject(subject), scope)


def first_states(subject: str, suite: SuiteReader, count: int = 10) -> list[NumberedState]:
    """Return the first states of a subject's suite as graphs of objects, to be printed or drawn.

    Call sequences are executed in the sandbox. The state is that of the object which the last call changes or returns.
    """
    from harness.report.states.first_inputs import reached_states, states_of

    if suite.holds_sequences:
        return reached_states(load_subject(subject), suite, count)
    bounds = finitization_of(load_subject(subject), suite.header.scope)
    return states_of(suite, bounds.extended(suite.header.outside), count)


def first_sequences(subject: str, suite: SuiteReader, count: int = 10) -> list[str]:
    """Return the first call sequences of a subject's suite, each on one line."""
    from harness.report.states.first_inputs import sequences_of_suite

    return sequences_of_suite(suite, _bounds_of(suite, subject), count)


def _bounds_of(suite: SuiteReader, subject: str) -> SequenceScope:
    return sequences_of(load_subject(subject), suite.header.scope).extended(suite.header.outside)


def last_calls(subject: str, suite: SuiteReader, count: int = 10) -> list[LastCall]:
    """Return the last calls of the first call sequences of a suite, with the states before and after them."""
    from harness.report.states.first_inputs import last_calls as found

    return found(load_subject(subject), suite, count)


def draw_states(states: Sequence[NumberedState], suite: SuiteReader, path: Path | str) -> Path:
    """Draw states of a suite into a file, as SVG, PNG or PDF by its suffix. Return its path."""
    from harness.report.states.figure import draw_into

    return draw_into(states, suite.header, Path(path))


def mutants(subject: str, operators: str = DEFAULT_OPERATORS) -> list[Mutant]:
    """Return the subject's mutants of an operator set: first the mutants that are run, then all others."""
    from harness.runner import mutant_set

    manifest = mutant_set.mutant_set(load_subject(subject), operators)
    return [*manifest.mutants, *manifest.excluded]


def pin(
    subject: str,
    size: int | None = None,
    seed: int = 0,
    operators: str = DEFAULT_OPERATORS,
) -> list[Mutant]:
    """Derive the subject's mutants again, and pin a sample of `size` (default: all viable mutants) in ./mutants."""
    from harness.runner import mutant_set

    manifest, _ = mutant_set.pin(load_subject(subject), size, seed, operators)
    return list(manifest.mutants)


def module_mutants(  # noqa: PLR0913 (a keyword for each option)
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

    The arguments are those of `pytest_experiment`. `tests` only say which project the module is of: all of its tests
    are run to observe types. `pin` pins a sample of `size` (default: all viable mutants) in ./mutants.
    """
    from harness.runner.pytest_runs.mutants import mutants_of_modules

    (suite,) = pytest_experiment(target, tests, folder=folder, blocked=blocked, operators=operators).suites
    return mutants_of_modules(suite, operators, pinned=pin, size=size, seed=seed)


def profile(
    target: str, tests: Sequence[str], *, folder: Path | str | None = None, blocked: Sequence[str] = ()
) -> list[Path]:
    """Observe the types of the values in a module or package while tests run, and write them for later runs.

    Returns:
        The files, which are in ./mutants.
    """
    from harness.runner.pytest_runs.mutants import write_profiles

    (suite,) = pytest_experiment(target, tests, folder=folder, blocked=blocked).suites
    return write_profiles(suite)


def run(
    experiment: Experiment,
    folder: Path | str | None = None,
    jobs: int | None = None,
    executor: str = "local",
    scheduler: str | None = None,
) -> Path:
    """Run an experiment (default: into results/<name>, on all cores). Return the folder.

    Trials that finished in that folder before are not run again.

    Args:
        executor: `local` for processes on this machine, or `dask`.
        scheduler: the address of a scheduler of Dask (default: one with `jobs` workers is started here).
    """
    from harness.runner.run import default_folder, run_experiment

    chosen = default_folder(experiment) if folder is None else Path(folder)
    if executor == "local":
        run_experiment(experiment, chosen, job_count(jobs))
    elif executor == "dask":
        from harness.runner.dask_run import run_on_dask

        run_on_dask(experiment, chosen, job_count(jobs), scheduler)
    else:
        raise UsageError(f"there is no executor {executor}; {suggestion(executor, ('local', 'dask'))}")
    return chosen


def shard(experiment: Experiment, shard: str, folder: Path | str | None = None, jobs: int | None = None) -> ShardRun:
    """Run one shard of an experiment (default: into results/<name>-shards, on all cores), or continue it.

    Args:
        shard: `K/N`, such as `3/64`.
    """
    from harness.runner.run import run_shard
    from harness.runner.shards import Shard

    chosen = Shard.of_text(shard)
    default = Path("results") / f"{experiment.name}-shards" / f"{chosen.number}-of-{chosen.count}"
    return run_shard(experiment, chosen, default if folder is None else Path(folder), job_count(jobs))


def merge(folders: Sequence[Path | str], folder: Path | str | None = None, *, allow_missing: bool = False) -> Merged:
    """Join the facts of shards in a new folder (default: results/<name>), as one run would have stored them.

    Args:
        folders: the folders of the shards.
        allow_missing: merge although something is missing; `run` finds it in the new folder.
    """
    from harness.runner.merge import merge as merge_shards

    return merge_shards([Path(one) for one in folders], None if folder is None else Path(folder), allow_missing)


def slurm_script(name: str, tasks: int, folder: Path | str | None = None) -> str:
    """Return the text of a job array of SLURM that runs an experiment as so many shards.

    Args:
        name: the name or file of the experiment.
        folder: what the folders of the shards lie below (default: results/<name>-shards).
    """
    from harness.runner.shards import slurm_script as script

    return script(experiment(name), name, tasks, None if folder is None else Path(folder))


def verify(
    folder: Path | str,
    sample: int | None = None,
    seed: int = 0,
    jobs: int | None = None,
) -> Verification:
    """Derive a run's facts again from the source, the suite and the tests.

    Verdicts are re-executed along the naive second path: all, or a seeded sample. Of a frozen run, suites are generated
    again for it.
    """
    from harness.analysis.frozen import frozen_trials, is_frozen
    from harness.runner.run import existing_folder
    from harness.runner.verify import verify_frozen, verify_run

    existing = existing_folder(Path(folder))
    if is_frozen(existing):
        return verify_frozen(existing, frozen_trials(existing), sample, seed, job_count(jobs))
    return verify_run(existing, sample, seed, job_count(jobs))


def load(folder: Path | str) -> Run:
    """Return the run stored in `folder`.

    Raises:
        StoreError: there is none.
    """
    return Run(folder)


def input_classes(subject: str, generator: str = "korat", scope: int = 3) -> InputClasses:
    """Return the class of each input of a suite by three criteria: eq_class, conditions of rep_ok, and branches.

    Each input is run once on the original, in the sandbox.
    """
    from harness.measuring.measurement import measured_classes

    return measured_classes(load_subject(subject), generate(subject, generator, scope))


def check(subject: str, scope: int = 3, mode: str = "black-box") -> CheckResult:
    """Check a subject's methods against its spec's postconditions and axioms, on all inputs within a scope."""
    from harness.checking.check import check as check_properties

    return check_properties(load_subject(subject), scope, mode)


def difference(subject: str, scope: int = 3) -> Difference:
    """Compare the structures that a subject's API makes with those of its rep_ok (beapi2023, section 4.3)."""
    from harness.difference.difference import difference as compare

    return compare(load_subject(subject), scope)


def invariant_difference(subject: str, scope: int = 3) -> InvariantDifference:
    """Compare the instances of a subject's declarative `invariant` with the states of its rep_ok."""
    from harness.difference.difference import invariant_difference as compare

    return compare(load_subject(subject), scope)


def states_of_one_side(subject: str, difference: Difference | InvariantDifference) -> dict[str, list[NumberedState]]:
    """Return the smallest states that only one side has, by side, as graphs of objects, to be printed or drawn."""
    from harness.report.states.text import sides

    return sides(difference, finitization_of(load_subject(subject), difference.scope))


def report(folder: Path | str, oracle: str = OracleName.DIFFERENTIAL.value) -> list[Path]:
    """Write report.html and the mutation-testing report JSON of a run into its folder. Return their paths.

    Args:
        oracle: whose results are shown. The names of the files include it if it is not the differential oracle.
    """
    from harness.report.pages.page import write_report
    from harness.runner.run import existing_folder

    return write_report(existing_folder(Path(folder)), oracle=OracleName(oracle))


def export_pytest(
    subject: str, generator: str = "korat", scope: int = 3, seed: int = 0, path: Path | None = None
) -> Path:
    """Write a suite as a runnable pytest file (default: ./test_<subject>_scope<n>.py). Return its path."""
    from harness.report.exported.pytest_suite import export_pytest as export

    path = _test_file(path, subject, f"_scope{scope}")
    suite = generate(subject, generator, scope, seed)
    return export(load_subject(subject), suite, path)


def write_tests(  # noqa: PLR0913 (a keyword for each option)
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
    """Write call sequences of a suite as tests in the style of a programmer (default: ./test_<subject>.py).

    Args:
        select: which sequences: "outcomes", "kills" or "all".
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
    """Return the file that tests are written to. Refuse an unwritable one before a suite is generated for it."""
    from harness.report.python_files import check_test_file

    path = path or Path(f"test_{resources.subject_label(subject).replace('-', '_')}{ending}.py")
    check_test_file(path)
    return path


def as_text(table: pd.DataFrame) -> str:
    """Return a frame as an aligned text table, with a dash for each missing value."""
    from tabulate import tabulate

    cells = table.astype(object).where(table.notna(), None).to_numpy().tolist()
    return tabulate(cells, headers=list(table.columns), floatfmt=".2f", intfmt=",", missingval="-")
