"""Represents a stored run as pandas frames (RunFrames), checked here so that other modules can trust them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from harness.errors import StoreError
from harness.model.experiment import DEFAULT_OPERATORS, Approach, EarlierSeconds, ExecutionMode, Provenance, TrialFilter
from harness.model.outcome import KillReason, MutantStatus, OracleName, Phase, Verdict
from harness.model.pytest_suite import oracle_label
from harness.model.stop_reason import suite_remarks
from harness.store import CoverageKind, RunStore
from harness.store.facts import ABSENT, DETAIL_COLUMNS, FIELDS, LATER, latest_trials, plain

Dtype: TypeAlias = Any
"""An argument of `Series.astype`: a name or a CategoricalDtype."""


def _names(members: Iterable[Any]) -> pd.CategoricalDtype:
    return pd.CategoricalDtype([member.value for member in members])


_DTYPES: dict[Any, Dtype] = {
    int: "int64",
    int | None: "Int64",
    bool: "bool",
    ExecutionMode: _names(ExecutionMode),
    Approach: _names(Approach),
}
"""The types of columns by the type of a trial's field; columns of other types contain texts."""
_WITHOUT_COLUMN = frozenset({"suite_digest", "inputs_by_target"})


def _of_field(name: str, kind: Any) -> dict[str, Dtype]:
    """Return the columns of a field of a trial: one for each, and several for the details."""
    if name == "details":
        return dict.fromkeys(DETAIL_COLUMNS.values(), "Int64")
    return {} if name in _WITHOUT_COLUMN else {name: _DTYPES.get(kind, "string")}


_OF_FIELDS = {column: dtype for name, kind in FIELDS.items() for column, dtype in _of_field(name, kind).items()}
TRIALS: dict[str, Dtype] = {"trial": "string"} | _OF_FIELDS
TRIALS |= {"finished": "bool", "version": TRIALS.pop("version")}
"""The columns of `RunFrames.trials`. Behind them are those of the details that some trial has, by their names."""
RESULTS: dict[str, Dtype] = {
    "trial": "string",
    "mutant": "string",
    "operator": "string",
    "function": "string",
    "status": _names(MutantStatus),
    "verdict": _names(Verdict),
    "reason": _names(KillReason),
    "phase": _names(Phase),
    "input": "Int64",
    "inputs_run": "int64",
    "steps": "Int64",
    "executed": "Int64",
    "reached": "Int64",
    "infected": "Int64",
}
COVERAGE: dict[str, Dtype] = {
    "trial": "string",
    "kind": _names(CoverageKind),
    "function": "string",
    "statements": "int64",
    "statements_executed": "int64",
    "branches": "int64",
    "branches_executed": "int64",
}
TIMINGS: dict[str, Dtype] = {"trial": "string", "what": "string", "seconds": "float64", "origin": "string"}
FAILURES: dict[str, Dtype] = {
    "subject": "string",
    "title": "string",
    "generator": "string",
    "scope": "int64",
    "seed": "int64",
    "reason": "string",
}
SAMPLES: dict[str, Dtype] = {
    "trial": "string",
    "size": "int64",
    "killed_before": "int64",
    "expected": "Float64",
    "seed": "int64",
    "killed": "int64",
}
CRITERIA: dict[str, Dtype] = {
    "trial": "string",
    "mix": "string",
    "criterion": "string",
    "classes": "Int64",
    "size": "int64",
    "whole": "bool",
    "kills": "Int64",
    "seeds": "int64",
    "random": "Int64",
    "worse": "Int64",
    "equal": "Int64",
    "better": "Int64",
    "drawn": "Int64",
}
EVALUATED: dict[str, Dtype] = {
    "trial": "string",
    "basis": "string",
    "limit": "float64",
    "taken": "string",
    "suites": "int64",
    "size": "float64",
    "calls": "float64",
    "outcomes": "int64",
    "reached_median": "float64",
    "mutants": "Int64",
    "killed_median": "Float64",
    "alone": "Int64",
}

FRAMES: dict[str, tuple[dict[str, Dtype], list[str]]] = {
    "trials": (TRIALS, ["trial"]),
    "results": (RESULTS, ["trial", "mutant"]),
    "coverage": (COVERAGE, ["trial", "kind", "function"]),
    "timings": (TIMINGS, ["trial", "what"]),
    "samples": (SAMPLES, ["trial", "seed"]),
    "criteria": (CRITERIA, ["trial", "mix", "criterion", "size", "whole"]),
    "evaluated": (EVALUATED, ["trial", "basis", "limit"]),
    "failures": (FAILURES, ["subject", "generator", "scope", "seed"]),
}
"""The columns of each frame, and those that distinguish its rows."""

NOT_IN_ALL_FROZEN = (*LATER, *DETAIL_COLUMNS.values(), "origin", "expected")
"""Columns that frozen runs may lack. Such runs are older than the column, or have no sequences, only the differential
oracle, no suite that covers field extensions, no generator that reports its stop reason, no named suite, or no suite
that was made before the run.
"""

OPTIONAL = frozenset({
    *NOT_IN_ALL_FROZEN, "original_steps", "original_raised",
    "reason", "phase", "input", "steps", "executed", "reached", "infected",
    "classes", "kills", "random", "worse", "equal", "better", "drawn", "mutants", "killed_median", "alone", "taken",
})  # fmt: skip
"""Columns in which a missing value is a fact: a survivor has no reason, and not every run counts what was reached."""


_OF_TRIALS = ("results", "coverage", "timings", "samples", "criteria", "evaluated")


@dataclass(frozen=True)
class RunFrames:
    """One run: `trials` has one row per trial; other frames refer to its key in their column `trial`.

    `suite` in `trials` is the name of a pytest suite, empty if a generator made the suite. Each other frame ends with
    the `scope` of its trial, for filtering. `results` has the mutant's operator and function next to its verdict.

    `timings` are the latest seconds of `generate`, `explore` (the part of `generate` that finds structures by calls),
    `coverage`, `baseline` and of each mutant. They include the processor seconds `search_cpu`, `compile_cpu` and
    `write_cpu` of the steps of a generation, if its generator reports them, or `generate_cpu` of the whole generation.
    `made:32`, `made:64` and so on are the processor seconds after which so many inputs existed, and `baseline:32` those
    of the original on them.
    `origin` says where, how and when they were measured, if not in this run. `sessions` say on which machine and with
    which versions the run was made.

    `samples` are random selections. That of `seed` has `size` inputs and kills `killed` mutants. The suite of the scope
    before has as many inputs and kills `killed_before` mutants.

    `criteria` are selections by the classes of a criterion. `size` inputs kill `kills` of the mutants that `mix`
    counts; they are one unit of each of the `classes` (`whole`), or the inputs in turn. They are compared with `seeds`
    random selections of as many inputs, which kill `random` in sum; `worse`, `equal` and `better` count the selections
    that kill fewer, as many or more. `drawn` is the sum if the units are drawn at random.

    `evaluated` are parts of suites, bounded as `basis` says (`measured.evaluated_run`) and chosen as `taken` says.
    Their numbers are medians over `suites` suites. They count inputs (`size`), `calls`, condition outcomes of the class
    that are reached, out of `outcomes`, and `mutants` that are killed. For inputs drawn at random, they are means over
    all draws. `alone` counts mutants killed with a chance of at least one half, and by no other generator at the same
    scope. Rows without `taken` were frozen under decision 066. They are medians of ten draws from the smallest suite
    that was large enough, and their `alone` compares suites of other scopes, too.

    `failures` are trials that could not be run, as their subject or their generator failed, each with the `reason`.
    """

    trials: pd.DataFrame
    results: pd.DataFrame
    coverage: pd.DataFrame
    timings: pd.DataFrame
    sessions: tuple[Provenance, ...] = ()
    samples: pd.DataFrame = field(default_factory=lambda: checked_frame("samples", []))
    criteria: pd.DataFrame = field(default_factory=lambda: checked_frame("criteria", []))
    evaluated: pd.DataFrame = field(default_factory=lambda: checked_frame("evaluated", []))
    failures: pd.DataFrame = field(default_factory=lambda: checked_frame("failures", []))

    def __post_init__(self) -> None:
        scopes = self.trials.set_index("trial")["scope"]
        for name in _OF_TRIALS:
            frame = getattr(self, name)
            if "scope" not in frame.columns:
                object.__setattr__(self, name, frame.assign(scope=frame["trial"].map(scopes).astype("int64")))

    @property
    def oracles(self) -> list[str]:
        """The oracles that judged the trials, by the names that tables show."""
        pairs = zip(self.trials["generator"], self.trials["oracle"], strict=True)
        return sorted({oracle_label(str(generator), str(oracle)) for generator, oracle in pairs})

    def under(self, oracle: OracleName) -> RunFrames:
        """Return the trials under an oracle, with the rows that belong to them."""
        return self._with_trials(self.trials["oracle"] == oracle.value)

    def chosen_by(self, chosen: TrialFilter) -> RunFrames:
        """Return the trials that a filter takes, with the rows that belong to them, and the failures that it takes.

        Raises:
            UsageError: the filter names a subject or generator of which there is no trial.
        """
        chosen.check(_names_of_trials(self.trials))
        is_chosen, has_failed = (
            pd.Series([chosen.takes(*names) for names in _names_of_trials(frame)], dtype=bool)
            for frame in (self.trials, self.failures)
        )
        return replace(self._with_trials(is_chosen), failures=self.failures[has_failed].reset_index(drop=True))

    def of_one_operator_set(self) -> RunFrames:
        """Return the trials of the default operator set, which made the printed scores, else of the latest one."""
        sets = list(self.trials["operator_set"])
        chosen = DEFAULT_OPERATORS if not sets or DEFAULT_OPERATORS in sets else sets[-1]
        return self._with_trials(self.trials["operator_set"] == chosen)

    def _with_trials(self, flags: pd.Series[bool]) -> RunFrames:
        trials = self.trials[flags].reset_index(drop=True)
        theirs = {
            name: frame[frame["trial"].isin(trials["trial"])].reset_index(drop=True)
            for name in _OF_TRIALS
            for frame in [getattr(self, name)]
        }
        return replace(self, trials=trials, **theirs)

    @property
    def machine(self) -> str:
        """The machine of the run's last session, for captions."""
        if not self.sessions:
            return "a machine that is not recorded"
        last = self.sessions[-1]
        earlier = self.timings.loc[self.timings["origin"].notna(), "trial"].nunique()
        suites = f"; {earlier} suite{'s were' if earlier > 1 else ' was'} made before this run" if earlier else ""
        return f"{last.machine}, {last.cpus} CPUs, {last.platform}, Python {last.python}{suites}"

    @property
    def seconds(self) -> dict[tuple[str, str], float]:
        """By trial and activity its seconds; `EarlierSeconds` where this run did not measure them."""
        rows = records(self.timings)
        return {
            (row["trial"], row["what"]): row["seconds"]
            if pd.isna(row["origin"])
            else EarlierSeconds(row["seconds"], row["origin"])
            for row in rows
        }


def _names_of_trials(frame: pd.DataFrame) -> Iterator[tuple[str, str, str]]:
    """Yield the subject, its title and the generator of each row."""
    subjects, titles, generators = (frame[name].astype(str) for name in ("subject", "title", "generator"))
    return zip(subjects, titles, generators, strict=True)


def run_frames(
    trials: pd.DataFrame,
    results: pd.DataFrame,
    coverage: pd.DataFrame,
    timings: pd.DataFrame,
    sessions: Iterable[Provenance] = (),
    **others: pd.DataFrame,
) -> RunFrames:
    """Check the frames of a run and return them with the columns and types of FRAMES.

    Raises:
        StoreError: as `checked_frame`.
    """
    details = {name: _dtype_of_detail(trials[name]) for name in detail_columns(trials)}
    trials = checked_frame("trials", trials, details)
    for name, absent in ABSENT.items():
        trials[name] = trials[name].fillna(absent)
    others |= {"results": results, "coverage": coverage, "timings": timings}
    checked = {name: checked_frame(name, frame) for name, frame in others.items()}
    return RunFrames(trials, **checked, sessions=tuple(sessions))


def detail_columns(trials: pd.DataFrame) -> list[str]:
    """Return the names of the columns that hold details (`harness.model.details`), of which each has a dot."""
    return [name for name in map(str, trials.columns) if "." in name]


def _dtype_of_detail(values: pd.Series[Any]) -> Dtype:
    """Return the type of the column of a detail: of numbers or truth values if all of its values are, else of texts."""
    kinds = {type(value) for value in values.dropna()}
    if kinds <= {bool, np.bool_}:
        return "boolean"
    if kinds <= {int, np.int64}:
        return "Int64"
    return "Float64" if kinds <= {int, float, np.int64, np.float64} else "string"


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame, each as values by column."""
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def remarks_of(trial: Mapping[Any, Any]) -> list[str]:
    """Return remarks on a suite: an early stop reason, and other restrictions. `trial` is a row of `trials`."""
    stop_reason, notices = (None if pd.isna(trial[name]) else str(trial[name]) for name in ("ended", "notices"))
    return suite_remarks(str(trial["generator"]), int(trial["inputs"]), stop_reason, [notices] if notices else [])


def load_run(folder: Path) -> RunFrames:
    """Load the run stored in `folder`, also while it is being written.

    Of trials that differ only in the executed sources (edited between two runs into one folder), load the latest.

    Raises:
        StoreError: there is no store, it is corrupt or foreign, or its facts contradict each other.
    """
    with RunStore.open_existing(folder) as store:
        try:
            return _load(store)
        except (ValueError, TypeError) as error:
            raise StoreError(f"{store.path}: {error}; the store was changed by hand, run again elsewhere") from None


def _load(store: RunStore) -> RunFrames:
    finished = store.finished.keys()
    trials: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []
    coverage: list[dict[str, Any]] = []
    timings: list[dict[str, Any]] = []
    for trial in latest_trials(store.trials.all()):
        key = trial.key
        details = {DETAIL_COLUMNS.get(name, name): value for name, value in trial.details.items()}
        fields = {name: plain(value) for name, value in vars(trial).items()} | details
        trials.append(fields | {"trial": key, "finished": key in finished, "notices": "; ".join(trial.notices) or None})
        mutants = {mutant.id: mutant for mutant in store.mutants.of(trial.mutant_set)}
        for result in store.results.of(key):
            mutant = mutants.get(result.mutant)
            if mutant is None:
                raise StoreError(f"{store.path}: a result of {result.mutant}, which is none of {trial}'s mutants")
            results.append({
                "trial": key, "mutant": mutant.id, "operator": mutant.operator, "function": mutant.function,
                "status": mutant.status.value, "verdict": result.verdict.value,
                "reason": result.reason and result.reason.value, "phase": result.phase and result.phase.value,
                "input": result.input, "inputs_run": result.inputs_run, "steps": result.steps,
                "executed": result.executed, "reached": result.reached, "infected": result.infected,
            })  # fmt: skip
        coverage.extend(
            {"trial": key, "kind": c.kind.value, "function": c.function} | vars(c.counts)
            for c in store.coverage.of(key)
        )
        timings.extend({"trial": key} | vars(t) for t in store.timings.of(key))
    return run_frames(
        _trials(trials),
        pd.DataFrame(results, columns=list(RESULTS)),
        pd.DataFrame(coverage, columns=list(COVERAGE)),
        pd.DataFrame(timings, columns=list(TIMINGS)),
        store.sessions.all(),
        failures=pd.DataFrame(map(vars, store.failures.all()), columns=list(FAILURES)),
    )


def _trials(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Return the rows as a frame; details that some rows lack keep their types."""
    frame = pd.DataFrame(rows, columns=list(TRIALS))
    for name in sorted({name for row in rows for name in row if "." in name}):
        frame[name] = pd.Series([row.get(name) for row in rows], dtype=object)
    return frame


def checked_frame(
    name: str, rows: pd.DataFrame | Iterable[Mapping[str, Any]], details: Mapping[str, Dtype] = MappingProxyType({})
) -> pd.DataFrame:
    """Return a frame of `RunFrames`, by its name, with the columns and types of FRAMES and of `details`.

    Raises:
        StoreError: a column or a value is missing, a value has a wrong type, or a row occurs twice.
    """
    columns, key = FRAMES[name][0] | dict(details), FRAMES[name][1]
    frame = rows if isinstance(rows, pd.DataFrame) else pd.DataFrame(list(rows), columns=list(columns))
    missing = [column for column in columns if column not in frame.columns]
    if missing:
        raise StoreError(f"{name}: no column {missing[0]!r}; needed are {', '.join(columns)}")
    typed = {}
    for column, dtype in columns.items():
        values = frame[column]
        if column not in OPTIONAL and "." not in column and values.isna().any():
            raise StoreError(f"{name}.{column}: a value is missing in row {int(values.isna().to_numpy().argmax())}")
        if isinstance(dtype, pd.CategoricalDtype):
            strangers = set(values.dropna()) - set(dtype.categories)
            if strangers:
                allowed = ", ".join(dtype.categories)
                raise StoreError(f"{name}.{column}: {min(map(str, strangers))!r} is none of {allowed}")
        try:
            typed[column] = values.astype(dtype)
        except (TypeError, ValueError) as error:
            raise StoreError(f"{name}.{column}: not of type {dtype} ({error})") from None
    checked = pd.DataFrame(typed, columns=list(columns)).reset_index(drop=True)
    twice = checked.duplicated(key)
    if twice.any():
        row = checked.loc[int(twice.to_numpy().argmax()), key]
        raise StoreError(f"{name}: {' '.join(map(str, row))} is there twice")
    return checked
