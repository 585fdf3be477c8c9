"""Describes the set-up of a run in sentences that a paper can take over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from harness.analysis import score_caption
from harness.analysis.measures import scores, titles_of
from harness.analysis.mutant_sets import SHORT
from harness.generators.policies.own.runs import LINES
from harness.generators.registry import uses_seed
from harness.kernel.program.loader import BUDGET_CONSTANT, BUDGET_FACTOR
from harness.model.experiment import Approach, ExecutionMode, Provenance
from harness.model.pytest_suite import PYTEST
from harness.runs.run_tables import RunFacts

_MODES = {
    ExecutionMode.FIRST_KILL: "each mutant runs the inputs in the order of the suite until one kills it",
    ExecutionMode.MATRIX: "each mutant runs every input",
    ExecutionMode.SELECTIONS: "each mutant runs inputs until it is known which random selections kill it",
    ExecutionMode.GENERATE: "no mutant is run",
}
_NOUNS = {
    "generator": "generators",
    "suite of calls": "suites of calls",
    "pytest suite": "pytest suites",
}
_APPROACHES = {
    Approach.METAMUTANT: "all mutants of a program are in one module",
    Approach.SEPARATE: "each one is in a module of its own",
}


def description(run: RunFacts) -> str:
    """Return one paragraph: generators, subjects, mutants, suites, oracle, versions and the machine."""
    return " ".join(_sentences(run))


def _sentences(run: RunFacts) -> Iterator[str]:
    trials = run.frames.trials
    titles = titles_of(run.frames)
    generated = trials[trials["generator"] != PYTEST]
    yield f"{_first_up('; '.join(_evaluations(trials, titles)))}."
    yield from _mutants(run, titles)
    inputs = trials.drop_duplicates(["subject", "generator", "suite", "scope", "seed"])["inputs"]
    noun = "test" if generated.empty else "input"
    in_all = f" ({inputs.sum():,} in all)" * (len(inputs) > 1)
    verb = "was" if len(inputs) == 1 else "were"
    yield f"{_counted(len(inputs), 'suite')} with {_inputs_of(inputs, noun)}{in_all} {verb} run."
    yield from _modes(trials)
    if not (trials["mode"] == ExecutionMode.GENERATE.value).all():
        yield f"Mutants are killed by {score_caption.named(run.frames.oracles).replace('oracle', 'the oracle', 1)}."
        yield (
            f"A call may take {BUDGET_FACTOR} times the steps of the original and {BUDGET_CONSTANT:,} more; "
            "then the mutant is killed, too."
        )
    unfinished = int((~trials["finished"]).sum())
    if unfinished:
        yield f"{_counted(unfinished, 'trial')} of {len(trials)} did not finish, and have no score."
    failures = run.frames.failures
    if not failures.empty:
        yield f"{_counted(len(failures), 'trial')} could not be run: {'; '.join(_failed(failures, titles))}."
    yield from _versions(run.frames.sessions)


def _evaluations(trials: pd.DataFrame, titles: dict[str, str]) -> Iterator[str]:
    """Yield a clause for the generators, suites of calls and pytest suites that share their subjects and scopes."""
    makers: dict[tuple[str, str], list[str]] = {}
    for (generator, version), mine in trials.groupby(["generator", "generator_version"], sort=False):
        if generator == PYTEST:
            for subject, suites in mine.groupby("subject", sort=False):
                names = [str(suite) for suite in suites["suite"].unique() if suite] or [""]
                makers.setdefault(("pytest suite", titles[str(subject)]), []).extend(names)
        else:
            noun = "suite of calls" if str(generator).partition(":")[0].endswith(LINES) else "generator"
            has_seeds = mine["seed"].nunique() > 1 or uses_seed(str(generator))
            seeds = f", {_numbered('seed', mine['seed'])}" if has_seeds else ""
            makers.setdefault((noun, _cells(mine, titles)), []).append(f"{generator} (version {version}{seeds})")
    for (noun, cells), names in sorted(makers.items(), key=lambda made: list(_NOUNS).index(made[0][0])):
        verb = "were" if len(names) > 1 else "was"
        listed = f" {_listed(names)}" if any(names) else ""
        yield f"the {_NOUNS[noun] if len(names) > 1 else noun}{listed} {verb} evaluated on {cells}"


def _failed(failures: pd.DataFrame, titles: dict[str, str]) -> Iterator[str]:
    """Yield a clause for the generators that failed on the same subjects and scopes."""
    makers: dict[str, list[str]] = {}
    for generator, mine in failures.groupby("generator", sort=False):
        makers.setdefault(_cells(mine, titles), []).append(str(generator))
    yield from (f"{_listed(names)} on {cells}" for cells, names in makers.items())


def _cells(trials: pd.DataFrame, titles: dict[str, str]) -> str:
    """Return the subjects of trials, each with its scopes."""
    subjects: dict[str, list[str]] = {}
    for subject, mine in trials.groupby("subject", sort=False):
        subjects.setdefault(_numbered("scope", mine["scope"]), []).append(titles[str(subject)])
    return _listed([f"{_listed(names)} at {scopes}" for scopes, names in subjects.items()])


def _modes(trials: pd.DataFrame) -> Iterator[str]:
    groups = trials.groupby(["mode", "approach"], sort=False)
    for (mode, approach), mine in groups:
        is_separate = mode == ExecutionMode.GENERATE.value or (mine["generator"] == PYTEST).all()
        sentence = _MODES[ExecutionMode(mode)] + ("" if is_separate else f"; {_APPROACHES[Approach(approach)]}")
        yield f"In {_counted(len(mine), 'trial')}, {sentence}." if len(groups) > 1 else f"{_first_up(sentence)}."


def _mutants(run: RunFacts, titles: dict[str, str]) -> Iterator[str]:
    scored = scores(run.frames, run.policy, run.proven)
    scored = scored[["trial", "counted"]].merge(run.frames.trials, on="trial")
    for operators, rows in scored.groupby("operator_set", sort=False):
        sets = rows.drop_duplicates(["subject", "mutant_set"])
        counts = [
            f"{int(row['counted']):,} mutants of {titles[row['subject']]}"
            + ("" if pd.isna(row["mutant_set"]) else f" (set {row['mutant_set'][:SHORT]})")
            for row in sets.to_dict("records")
        ]
        yield f"The operator set {operators} gives {_listed(counts)}."
    if not scored.empty:
        yield f"The mutation score is {run.policy.value}."


def _versions(sessions: Sequence[Provenance]) -> Iterator[str]:
    """Yield a sentence for each machine with its versions, with the commits that were run there."""
    commits: dict[str, dict[str, None]] = {}
    for one in sessions:
        packages = "".join(f", {name} {version}" for name, version in sorted(one.packages.items()))
        cores = _counted(one.cpus, "processor core")
        place = f"Python {one.python}{packages}, on {one.platform} with {cores} ({one.machine})"
        hashes = commits.setdefault(f"Mutascope {one.mutascope}|{place}", {})
        hashes |= {one.git_commit[:SHORT]: None} if one.git_commit else {}
    for text, names in commits.items():
        program, place = text.split("|", 1)
        commit = f" (commit{'s' * (len(names) > 1)} {_listed(list(names))})" if names else ""
        yield f"The run used {program}{commit}, {place}."


def _first_up(text: str) -> str:
    return text[:1].upper() + text[1:]


def _listed(parts: Sequence[str]) -> str:
    *first_parts, last = parts
    return f"{', '.join(first_parts)} and {last}" if first_parts else last


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'s' * (count != 1)}"


def _range(numbers: pd.Series[int]) -> str:
    least, greatest = int(numbers.min()), int(numbers.max())
    return f"{least:,}" if least == greatest else f"{least:,} to {greatest:,}"


def _inputs_of(numbers: pd.Series[int], noun: str) -> str:
    """Return how many inputs or tests suites have: `90 to 1,500 inputs`, or `1 input`."""
    return f"{_range(numbers)} {noun}{'s' * bool((numbers != 1).any())}"


def _numbered(noun: str, numbers: pd.Series[int]) -> str:
    """Return the numbers behind their noun: `scopes 1 to 3`, or `seeds 1, 5 and 9`."""
    values = sorted({int(number) for number in numbers})
    if len(values) == 1:
        return f"{noun} {values[0]}"
    is_run = values == list(range(values[0], values[-1] + 1)) and len(values) > 2
    return f"{noun}s {values[0]} to {values[-1]}" if is_run else f"{noun}s {_listed(list(map(str, values)))}"
