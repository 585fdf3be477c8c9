"""The experiment that the options of `mutascope run` ask for."""

from __future__ import annotations

import argparse

from harness.errors import UsageError
from harness.generators.registry import find_generator, makes_sequences
from harness.model.experiment import DEFAULT_OPERATORS, Experiment
from harness.model.outcome import OracleName
from harness.model.own_suite import Flaky
from harness.model.sequence import Observation, SequencePolicy
from harness.runner import made_experiments

_WITH_SUBJECT = (
    "generator", "scope", "seed", "operators", "matrix", "metamutants", "concrete", "sequences", "observe", "oracles",
)  # fmt: skip
_WITH_TARGET = ("tests", "flaky", "runs", "block")
_WITH_BOTH = ("seed", "operators", "matrix")


def asked_for(options: argparse.Namespace) -> Experiment:
    """The experiment that `run` is to run: one of a file, on one subject, or of one suite of pytest.

    Raises:
        UsageError: the options do not go together, or one is missing.
    """
    ways = [name for name in ("experiment", "subject", "target") if getattr(options, name) is not None]
    if len(ways) != 1:
        raise UsageError(
            "give an experiment or --subject, one of them, or --target with --tests; 'mutascope list' names "
            "experiments and subjects"
        )
    way = ways[0]
    fitting = {"experiment": (), "subject": _WITH_SUBJECT, "target": (*_WITH_TARGET, *_WITH_BOTH)}[way]
    for name in (*_WITH_SUBJECT, *_WITH_TARGET):
        value = getattr(options, name)
        if value is None or value is False or name in fitting:  # 0 is a seed
            continue
        if way == "experiment":
            raise UsageError(f"--{name} goes with --subject; an experiment's file says it for each of its trials")
        raise UsageError(f"--{name} does not go with --{way}; leave one of them out")
    if way == "experiment":
        return made_experiments.experiment(options.experiment)
    if way == "target":
        if not options.tests:
            raise UsageError("--target needs --tests, the files or folders that pytest is called with")
        return made_experiments.own_suite(
            options.target,
            options.tests,
            flaky=options.flaky or Flaky.REFUSE.value,
            seed=options.seed or 0,
            original_runs=options.runs or 3,
            blocked=options.block or (),
            matrix=options.matrix,
            operators=options.operators or DEFAULT_OPERATORS,
        )
    return _on_subject(options)


def _on_subject(options: argparse.Namespace) -> Experiment:
    if options.scope is None:
        raise UsageError("--subject needs --scope, as in --scope 3 or --scope 1-5")
    for name in ("sequences", "observe"):
        if getattr(options, name) is not None and not makes_sequences(find_generator(options.generator or "korat")):
            raise UsageError(f"--{name} goes with a generator of sequences: beapi, random, rostra")
    return made_experiments.single(
        options.subject,
        options.generator or "korat",
        options.scope,
        seed=options.seed or 0,
        operators=options.operators or DEFAULT_OPERATORS,
        matrix=options.matrix,
        metamutants=options.metamutants,
        concrete=options.concrete,
        sequences=options.sequences or SequencePolicy.ON_MUTANT.value,
        observe=options.observe or Observation.END.value,
        oracles=options.oracles or [OracleName.DIFFERENTIAL.value],
    )
