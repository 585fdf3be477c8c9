"""Shows mutants of a run in a terminal: the survivors by function, and one mutant with its diff and its killers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from textwrap import shorten

from harness.amounts import counted
from harness.did_you_mean import suggestion
from harness.errors import UsageError
from harness.kernel.program.splice import mutated_source
from harness.model.experiment import TrialFilter
from harness.model.outcome import Mutant, OracleName, Verdict
from harness.model.pytest_suite import oracle_label
from harness.report.pages.source_view import status
from harness.report.pages.trials import ReportedTrial, chosen_trials, numbers
from harness.runner.run import existing_folder

MOST_TESTS_SHOWN = 10
_LONGEST_REASON = 90


@dataclass(frozen=True)
class MutantOfRun:
    """A mutant in one trial of a run.

    Attributes:
        trial: the subject, the generator and the scope.
        oracle: the oracle whose verdict it is.
        mutant: the mutant.
        place: the file and the line of the mutated text.
        status: the status in the words of the mutation-testing report schema, such as `Survived`.
        reason: why the mutant has this status.
        diff: the lines of a unified diff; empty if the source of the run is not at hand.
        killers: the tests that are known to kill the mutant; empty for suites of inputs.
        reaching: the tests that execute the mutated text, as far as the run knows.
    """

    trial: str
    oracle: str
    mutant: Mutant
    place: str
    status: str
    reason: str
    diff: tuple[str, ...]
    killers: tuple[str, ...]
    reaching: tuple[str, ...]

    def to_data(self) -> dict[str, object]:
        """Return the fields as JSON takes them."""
        of_mutant = {name: getattr(self.mutant, name) for name in ("operator", "function", "original", "replacement")}
        lists = {name: list(getattr(self, name)) for name in ("diff", "killers", "reaching")}
        return {**vars(self), "mutant": self.mutant.id, **of_mutant, **lists}

    def line(self) -> str:
        """Return the mutant in one line: place, operator, change and reason."""
        change = f"{_one_line(self.mutant.original)} -> {_one_line(self.mutant.replacement)}"
        reason = shorten(self.reason, _LONGEST_REASON)
        return f"{self.place}  {self.mutant.operator}  {change}  ({reason})  {self.mutant.id}"

    def text(self) -> str:
        """Return the mutant in several lines, with its diff and its tests."""
        head = f"{self.trial}, oracle {self.oracle}: {self.mutant.function}, {self.mutant.operator}, {self.place}"
        lines = [head, f"{self.status}: {self.reason}", *self.diff]
        return "\n".join([*lines, *_tests("killed by", self.killers), *_tests("reached by", self.reaching)])


def survivors(
    folder: Path | str,
    function: str | None = None,
    oracle: str = OracleName.DIFFERENTIAL.value,
    subjects: Sequence[str] = (),
    generators: Sequence[str] = (),
) -> list[MutantOfRun]:
    """Return the survivors of a run at the largest scope of each subject and generator, in the order of the source.

    Args:
        folder: the folder of the run.
        function: only those in this function, such as `SearchTree.add`, or `add` if no other function is called so.
        oracle: the oracle whose verdicts count.
        subjects: those in trials of these subjects only, by name or title; default: of all.
        generators: those in trials of these generators only; default: of all.

    Raises:
        UsageError: the run has no trial under the oracle or by the filter, or no mutant in such a function, or several
            functions of the name.
    """
    chosen = TrialFilter(tuple(subjects), tuple(generators))
    trials = chosen_trials(existing_folder(Path(folder)), OracleName(oracle), chosen)
    functions = sorted({mutant.function for trial in trials for mutant in trial.mutants})
    if function is not None:
        function = _qualified(function, functions)
    return [
        _mutant_of(trial, mutant)
        for trial in trials
        for mutant in trial.mutants
        if function in (None, mutant.function) and _survived(trial, mutant)
    ]


def mutant_of_run(
    folder: Path | str,
    mutant: str,
    oracle: str = OracleName.DIFFERENTIAL.value,
    subjects: Sequence[str] = (),
    generators: Sequence[str] = (),
) -> list[MutantOfRun]:
    """Return a mutant in each trial of a run that has it, at the largest scope of each subject and generator.

    Args:
        folder: the folder of the run.
        mutant: the identifier of the mutant, as `survivors`, the report and the frames have it, or its beginning.
        oracle: the oracle whose verdicts are shown.
        subjects: the trials of these subjects only, by name or title; default: of all.
        generators: the trials of these generators only; default: of all.

    Raises:
        UsageError: the run has no trial under the oracle or by the filter, or no such mutant, or several.
    """
    chosen = TrialFilter(tuple(subjects), tuple(generators))
    trials = chosen_trials(existing_folder(Path(folder)), OracleName(oracle), chosen)
    identifiers = sorted({one.id for trial in trials for one in trial.mutants})
    matches = [mutant] if mutant in identifiers else [one for one in identifiers if one.startswith(mutant)]
    if len(matches) != 1:
        problem = f"{len(matches)} mutants begin with {mutant!r}" if matches else f"the run has no mutant {mutant!r}"
        raise UsageError(f"{problem}; {suggestion(mutant, matches or identifiers, 'mutascope report')}")
    return [_mutant_of(trial, one) for trial in trials for one in trial.mutants if one.id == matches[0]]


def _qualified(function: str, functions: Sequence[str]) -> str:
    """Return the qualified name of a function that is given by it, or by its last part.

    Raises:
        UsageError: there is no such function, or several have the name.
    """
    if function in functions:
        return function
    matches = [one for one in functions if one.rpartition(".")[2] == function]
    if len(matches) > 1:
        raise UsageError(
            f"{len(matches)} functions of the run are called {function!r}; name one of {', '.join(matches)}"
        )
    if not matches:
        raise UsageError(f"no mutant of the run is in a function {function!r}; {suggestion(function, functions)}")
    return matches[0]


def _survived(trial: ReportedTrial, mutant: Mutant) -> bool:
    result = trial.results.get(mutant.id)
    return result is not None and result.verdict is Verdict.SURVIVED


def _mutant_of(trial: ReportedTrial, mutant: Mutant) -> MutantOfRun:
    word, reason = status(trial, mutant)
    stored = trial.trial
    return MutantOfRun(
        trial=trial.label if trial.is_pytest else f"{trial.label} scope {stored.scope}",
        oracle=oracle_label(stored.generator, stored.oracle.value),
        mutant=mutant,
        place=f"{trial.file_name}:{mutant.location.line}",
        status=word,
        reason=reason,
        diff=tuple(_diff(trial, mutant)),
        killers=_names(trial, trial.killers.kills.get(mutant.id)),
        reaching=_names(trial, trial.killers.reached.get(mutant.id)),
    )


def _diff(trial: ReportedTrial, mutant: Mutant) -> Iterator[str]:
    if trial.source is None:
        return
    before, after = trial.source.splitlines(), mutated_source(trial.source, mutant).splitlines()
    yield from unified_diff(before, after, trial.file_name, f"{trial.file_name} (mutant)", n=2, lineterm="")


def _names(trial: ReportedTrial, tests: int | None) -> tuple[str, ...]:
    if not trial.is_pytest or tests is None:
        return ()
    return tuple(trial.tests[number].node_id for number in numbers(tests))


def _tests(title: str, names: tuple[str, ...]) -> Iterator[str]:
    if not names:
        return
    yield f"{title} {counted(len(names), 'test')}:"
    yield from (f"  {name}" for name in names[:MOST_TESTS_SHOWN])
    if len(names) > MOST_TESTS_SHOWN:
        yield f"  and {len(names) - MOST_TESTS_SHOWN} more"


def _one_line(text: str) -> str:
    return " ".join(text.split())
