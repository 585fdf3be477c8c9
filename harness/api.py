"""The facade for scripts and notebooks: one function for everything the command line does.

    from harness import api

    folder = api.run(api.single("search_tree", "korat", [1, 2, 3]))
    run = api.load(folder)
    run.scores()

pandas and matplotlib are imported by those functions that need them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness import resources
from harness.errors import UsageError
from harness.generators.registry import generator_names, generator_words
from harness.generators.sequences.builders import BUILDERS_SCOPE, FoundBuilders
from harness.kernel.inputs.suites import SuiteReader
from harness.model.experiment import DEFAULT_OPERATORS, Approach, ExecutionMode, Experiment, Trial
from harness.model.mutant import Mutant
from harness.model.outcome import OracleName
from harness.model.own_suite import PYTEST, Flaky, OwnSuite
from harness.model.score import ScorePolicy
from harness.model.sequence import Observation, SequencePolicy
from harness.runner.builders import builders_of
from harness.runner.experiment import load_experiment
from harness.runner.subjects import finitization_of, load_subject, sequences_of
from harness.runner.suites import ensure_suite, stored_suite
from harness.sandbox.levels import held_levels
from harness.store.facts import StoredTrial
from harness.stored_run import Run, run_folder
from harness.test_tools.generated import generate_tests as generate_tests
from harness.test_tools.tools import tool_names

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from harness.checking.found_faults import FoundFaults
    from harness.checking.result import CheckResult
    from harness.coverage.input_classes import InputClasses
    from harness.difference.invariant_result import InvariantDifference
    from harness.difference.result import Difference
    from harness.papers.tables import ComparisonTable
    from harness.report.criteria_of_run import CriteriaOfRun
    from harness.report.generators_of_run import GeneratorsOfRun
    from harness.report.reached_states import LastCall
    from harness.report.state_graph import NumberedState
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
    return ensure_suite(load_subject(subject), trial, jobs or os.cpu_count() or 1)


def builders(subject: str, scope: int = BUILDERS_SCOPE) -> FoundBuilders:
    """The routines that are enough to make all structures of a scope by calls (beapi2023, section 3.3)."""
    return builders_of(load_subject(subject), scope)


def first_states(subject: str, suite: SuiteReader, count: int = 10) -> list[NumberedState]:
    """The first states of a subject's suite as graphs of objects, to be printed or drawn.

    Those of a suite of sequences are reached in the sandbox: each is that of the object that the last call had to do
    with.
    """
    from harness.report.generated import states_of
    from harness.report.reached_states import reached_states

    if suite.holds_sequences:
        return reached_states(load_subject(subject), suite, count)
    return states_of(suite, finitization_of(load_subject(subject), suite.header.scope), count)


def first_sequences(subject: str, suite: SuiteReader, count: int = 10) -> list[str]:
    """The first inputs of a subject's suite of sequences, each as its calls on one line."""
    from harness.report.generated import sequences_of_suite

    return sequences_of_suite(suite, sequences_of(load_subject(subject), suite.header.scope), count)


def last_calls(subject: str, suite: SuiteReader, count: int = 10) -> list[LastCall]:
    """What the last calls of the first inputs of a suite of sequences do: the states before and after them."""
    from harness.report.reached_states import last_calls as found

    return found(load_subject(subject), suite, count)


def draw_states(states: Sequence[NumberedState], suite: SuiteReader, path: Path | str) -> Path:
    """Draws states of a suite into a file, as SVG, PNG or PDF by its suffix; its path."""
    from harness.report.generated import draw_into

    return draw_into(states, suite.header, Path(path))


def mutants(subject: str, operators: str = DEFAULT_OPERATORS, scope: int | None = None) -> list[Mutant]:
    """The subject's mutants of an operator set as they are run, then those listed but not run, each with its status.

    `scope`, the largest that is to be run, bounds what is executed to observe types; a pinned set hangs on none.
    """
    from harness.runner import mutants as mutant_sets

    at = mutant_sets.PROFILE_SCOPE if scope is None else scope
    manifest = mutant_sets.mutant_set(load_subject(subject), operators, at).manifest
    return [*manifest.mutants, *manifest.excluded]


def pin(
    subject: str,
    size: int | None = None,
    seed: int = 0,
    operators: str = DEFAULT_OPERATORS,
    scope: int | None = None,
) -> list[Mutant]:
    """Derives the subject's mutants anew and pins a sample of `size` (default: all viable) in ./mutants."""
    from harness.runner import mutants as mutant_sets

    at = mutant_sets.PROFILE_SCOPE if scope is None else scope
    manifest, _ = mutant_sets.pin(load_subject(subject), size, seed, operators, at)
    return list(manifest.mutants)


def experiment(name: str) -> Experiment:
    """The experiment of that name, or in that TOML file."""
    return load_experiment(name)


def single(
    subject: str,
    generator: str,
    scopes: Sequence[int],
    *,
    seed: int = 0,
    matrix: bool = False,
    metamutants: bool = False,
    concrete: bool = False,
    operators: str = DEFAULT_OPERATORS,
    sequences: str = SequencePolicy.ON_MUTANT.value,
    observe: str = Observation.END.value,
    oracles: Sequence[str] = (OracleName.DIFFERENTIAL.value,),
) -> Experiment:
    """An experiment on one subject, one trial per scope and oracle; `sequences` and `observe` are of sequences.

    Raises:
        UsageError: there is no such subject or operator set, or no oracle is named.
    """
    from harness.mutation.operator_sets import operator_set

    parts = [resources.subject_label(subject), generator_words(generator)]
    if operator_set(operators).name != DEFAULT_OPERATORS:
        parts.append(operators)
    return Experiment(
        name="-".join(parts),
        trials=tuple(Trial(subject, generator, scope, seed) for scope in scopes),
        mode=ExecutionMode.MATRIX if matrix else ExecutionMode.FIRST_KILL,
        approach=Approach.METAMUTANT if metamutants else Approach.SEPARATE,
        concrete=concrete,
        operators=operators,
        sequences=SequencePolicy(sequences),
        observed=Observation(observe),
        oracles=tuple(oracle for oracle in OracleName if oracle.value in oracles),
    )


def own_suite(
    target: str,
    tests: Sequence[str],
    *,
    folder: Path | str | None = None,
    flaky: str = Flaky.REFUSE.value,
    seed: int = 0,
    original_runs: int = 3,
    blocked: Sequence[str] = (),
    matrix: bool = False,
    operators: str = DEFAULT_OPERATORS,
) -> Experiment:
    """An experiment on the mutants of one module, judged by the tests that pytest finds for it.

    Args:
        target: the module's dotted name.
        tests: what pytest is called with in `folder` (default: the one that one stands in).
        flaky: "refuse" or "exclude" tests that fail on the original, always or at times.
        original_runs: how often the original runs all tests before.
        blocked: modules whose import fails, so that C does not replace what is mutated.

    Raises:
        UsageError: there is no such operator set, or an argument is of another kind.
    """
    from harness.mutation.operator_sets import operator_set

    kinds = [one.value for one in Flaky]
    if flaky not in kinds:
        raise UsageError(f"flaky is one of {', '.join(kinds)}, not {flaky!r}; choose one")
    if isinstance(tests, str) or not tests:
        raise UsageError(f"tests is a list of files, folders or node ids, not {tests!r}; write [{tests!r}]")
    if original_runs < 1:
        raise UsageError(f"original_runs is a whole number from 1, not {original_runs}; choose another one")
    where = str(Path(folder or Path.cwd()).absolute())
    asked = OwnSuite(target, tuple(tests), where, Flaky(flaky), seed, original_runs, tuple(blocked))
    own = [] if operator_set(operators).name == DEFAULT_OPERATORS else [operators]
    return Experiment(
        name="-".join([target, PYTEST, *own]),
        trials=(),
        mode=ExecutionMode.MATRIX if matrix else ExecutionMode.FIRST_KILL,
        operators=operators,
        suites=(asked,),
    )


def run(experiment: Experiment, folder: Path | str | None = None, jobs: int | None = None) -> Path:
    """Runs an experiment (default: into results/<name>, on all cores); returns the folder.

    What the folder holds already is not run again.
    """
    from harness.runner.run import default_folder, run_experiment

    chosen = default_folder(experiment) if folder is None else Path(folder)
    run_experiment(experiment, chosen, jobs or os.cpu_count() or 1)
    return chosen


def verify(
    folder: Path | str,
    sample: int | None = None,
    seed: int = 0,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Verification:
    """Re-executes a run's verdicts (all, or a seeded sample) along the naive second path."""
    from harness.runner import verify as naive_path
    from harness.runner.pytest_runs.verify import has_suites, verify_suites
    from harness.runner.run import existing_folder

    workers = jobs or os.cpu_count() or 1
    of_suites, of_inputs = has_suites(existing_folder(Path(folder)))
    if of_suites and not of_inputs:
        checked, disagreements = verify_suites(Path(folder), sample, seed, workers)
        return naive_path.Verification(checked, tuple(disagreements))

    def suite_of(trial: StoredTrial) -> Path:
        return stored_suite(load_subject(trial.subject), trial).folder

    found = naive_path.verify(
        Path(folder), suite_of=suite_of, sample=sample, seed=seed, jobs=workers, progress=progress
    )
    if not of_suites:
        return found
    checked, disagreements = verify_suites(Path(folder), sample, seed, workers)
    return replace(found, checked=found.checked + checked, disagreements=(*found.disagreements, *disagreements))


def load(folder: Path | str) -> Run:
    """The run stored in `folder`.

    Raises:
        StoreError: there is none.
    """
    return Run(folder)


def tables(
    paper: str | None = None,
    folder: Path | str | None = None,
    table: str | None = None,
    policy: ScorePolicy = ScorePolicy.ALL_VIABLE,
    oracle: str = OracleName.DIFFERENTIAL.value,
) -> dict[str, ComparisonTable]:
    """A paper's tables from a run, each measured value beside the published one; without a paper, the run's own.

    Args:
        folder: of the run, or of a frozen one; default: results/<paper>, else the frozen run that ships.
        policy: decides which mutants count; every table of scores names it.
        oracle: which results are shown, "differential" or "postcondition".

    Raises:
        UsageError: unknown paper or table, or no run to make it from, or none that the oracle judged.
        StoreError: a mutant argued to be equivalent was killed.
    """
    from harness.papers import paper as known_paper
    from harness.report.oracle_tables import ALL_RUN_TABLES, without_rows
    from harness.report.policy_tables import POLICY_TABLES

    makers: Mapping[str, Any] = {**ALL_RUN_TABLES, **POLICY_TABLES} if paper is None else known_paper(paper).tables
    if table is not None and table not in makers:
        raise UsageError(f"{paper or 'a run'} has no {table!r} here; there are {', '.join(makers)}")
    run = load(run_folder(paper, folder)).under(oracle)
    given = run.facts(policy) if paper is None else run.paper_inputs(policy, paper)
    left_out = without_rows(given) | set(POLICY_TABLES) if paper is None and table is None else ()
    return {name: make(given) for name, make in makers.items() if table in (None, name) and name not in left_out}


def figures(
    paper: str | None = None,
    folder: Path | str | None = None,
    out: Path | None = None,
    policy: ScorePolicy = ScorePolicy.ALL_VIABLE,
) -> list[Path]:
    """Draws a paper's figures from a run, or without a paper the run's own, as PNG and SVG; their paths.

    A figure of what the run does not have is left out.

    Args:
        out: where they go; default: the run's folder, but the present folder where the run is a frozen one.
    """
    from harness.analysis.frozen import is_frozen
    from harness.analysis.plots import save_figures
    from harness.papers import paper as known_paper
    from harness.report.run_figures import RUN_FIGURES

    source = run_folder(paper, folder)
    run = load(source)
    makers: Mapping[str, Callable[[Any], Figure | None]] = RUN_FIGURES if paper is None else known_paper(paper).figures
    given = run.facts(policy) if paper is None else run.paper_inputs(policy, paper)
    target = out or (Path() if is_frozen(source) else source)
    return save_figures({name: draw(given) for name, draw in makers.items()}, target)


def compare(
    folder: Path | str | None = None,
    sizes: Sequence[int] | None = None,
    policy: ScorePolicy = ScorePolicy.ALL_VIABLE,
) -> GeneratorsOfRun:
    """The generators of a run beside each other: its `tables()` and `draw(out)`, at the same numbers of inputs.

    Args:
        folder: of the run; default: results/generators.
        sizes: numbers of inputs; default: 100, 1,000 and 10,000.

    Raises:
        UsageError: no folder is named, and there is none in results/generators.
        StoreError: no trial was run in mode matrix, or the generators were not run on the same mutants.
    """
    from harness.report.generators_of_run import GeneratorsOfRun

    found = load(run_folder("generators", folder, "mutascope compare DIR"))
    return GeneratorsOfRun(found.folder, sizes, policy, found.proven(policy))


def criteria(folder: Path | str) -> CriteriaOfRun:
    """Criteria beside each other and beside random selections, on the suites of a run that have a kill matrix.

    Its `tables()` and `draw(out)` set the spec's eq_class beside criteria that nobody has to write, and products.

    Raises:
        StoreError: no trial was run to the end in mode matrix.
    """
    from harness.report.criteria_of_run import CriteriaOfRun

    return CriteriaOfRun(load(folder))


def input_classes(subject: str, generator: str = "korat", scope: int = 3) -> InputClasses:
    """What class each input of a suite is of: by the spec's eq_class, by rep_ok's conditions, by the branches it takes.

    Each input is run once on the original, in the sandbox.
    """
    from harness.coverage.input_classes import measured_classes

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
    from harness.report.difference_shown import of_rep_ok

    if not found.of_rep_ok:
        return []
    return of_rep_ok(found, finitization_of(load_subject(subject), found.scope))


def report(folder: Path | str, oracle: str = OracleName.DIFFERENTIAL.value) -> list[Path]:
    """Writes report.html and the mutation-testing report JSON of a run into its folder; their paths.

    The results are those of the `oracle`; of "postcondition", names of files say so.
    """
    from harness.report.page import write_report
    from harness.runner.run import existing_folder

    return write_report(existing_folder(Path(folder)), oracle=OracleName(oracle))


def export_pytest(
    subject: str, generator: str = "korat", scope: int = 3, seed: int = 0, path: Path | None = None
) -> Path:
    """Writes a suite as a runnable pytest file (default: ./test_<subject>_scope<n>.py); its path."""
    from harness.report.pytest_suite import export_pytest as export

    loaded = load_subject(subject)
    suite = generate(subject, generator, scope, seed)
    label = resources.subject_label(subject).replace("-", "_")
    return export(loaded, suite, path or Path(f"test_{label}_scope{scope}.py"))


def write_tests(
    subject: str, generator: str, scope: int, seed: int = 0, path: Path | None = None, **choice: Any
) -> WrittenTests:
    """Writes sequences of a suite as tests by hand (default: ./test_<subject>.py): the file, and which they are.

    Args:
        choice: `select` ("outcomes", "branches", "kills", "all"), `run`, `fewest` and `module`, as
            `harness.report.written_tests.export.write_tests` has them.
    """
    from harness.report.written_tests.choice import Select
    from harness.report.written_tests.export import write_tests as write

    loaded = load_subject(subject)
    suite = generate(subject, generator, scope, seed)
    label = resources.subject_label(subject).replace("-", "_")
    select = Select(choice.pop("select", Select.OUTCOMES))
    return write(loaded, suite, path or Path(f"test_{label}.py"), select, **choice)


def as_text(table: pd.DataFrame) -> str:
    """A frame as an aligned text table; what is missing is a dash."""
    from tabulate import tabulate

    cells = table.astype(object).where(table.notna(), "-")
    return tabulate(cells.to_numpy().tolist(), headers=list(table.columns), floatfmt=".2f", intfmt=",")
