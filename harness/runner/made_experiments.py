"""Experiments made from arguments: of a named experiment, of one subject, or of one pytest suite."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness import resources
from harness.errors import UsageError
from harness.generators.registry import generator_words
from harness.model.experiment import DEFAULT_OPERATORS, Approach, ExecutionMode, Experiment, Trial
from harness.model.outcome import OracleName
from harness.model.own_suite import PYTEST, Flaky, OwnSuite
from harness.model.sequence import Observation, SequencePolicy
from harness.mutation.operator_sets import operator_set
from harness.runner.experiment import load_experiment


def experiment(name: str) -> Experiment:
    """Return the experiment of that name, or in that TOML file."""
    return load_experiment(name)


def single(  # noqa: PLR0913 (a keyword for each option)
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
    """Return an experiment on one subject, with a trial for each scope and oracle.

    Args:
        sequences: which calls of a call sequence run mutated code, by the name of a `SequencePolicy`.
        observe: when the states of a call sequence are compared, by the name of an `Observation`.

    Raises:
        UsageError: there is no such subject or operator set, or no oracle is named.
    """
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


def own_suite(  # noqa: PLR0913 (a keyword for each option)
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
    """Return an experiment on the mutants of a module or package, which a pytest suite is run against.

    Args:
        target: the dotted name of the module or package; `package.__init__` is that file alone.
        tests: the arguments with which pytest is called in `folder` (default: the current folder).
        flaky: "refuse" or "exclude" tests that fail on the original, always or at times.
        original_runs: how often the original runs all tests before.
        blocked: modules whose import fails, so that C does not replace what is mutated.

    Raises:
        UsageError: there is no such operator set, or an argument is of another kind.
    """
    kinds = [one.value for one in Flaky]
    if flaky not in kinds:
        raise UsageError(f"flaky is one of {', '.join(kinds)}, not {flaky!r}; choose one")
    if isinstance(tests, str) or not tests:
        raise UsageError(f"tests is a list of files, folders or node ids, not {tests!r}; write [{tests!r}]")
    if isinstance(blocked, str):
        raise UsageError(f"blocked is a list of names of modules, not {blocked!r}; write [{blocked!r}]")
    where = str(Path(folder or Path.cwd()).absolute())
    suite = OwnSuite(target, tuple(tests), where, Flaky(flaky), seed, original_runs, tuple(blocked))
    own = [] if operator_set(operators).name == DEFAULT_OPERATORS else [operators]
    return Experiment(
        name="-".join([target, PYTEST, *own]),
        trials=(),
        mode=ExecutionMode.MATRIX if matrix else ExecutionMode.FIRST_KILL,
        operators=operators,
        suites=(suite,),
    )
