"""Freezes a run into small text files, from which tables and figures are made without kill matrices and suites.

The folder has a CSV file per frame, `sessions.json` and their checksums. It contains the timings that tables show, but
no command lines.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pandas as pd

from harness.analysis.frames import FRAMES, NOT_IN_ALL_FROZEN, RunFrames, detail_columns, run_frames
from harness.checksums import FILE_NAME as CHECKSUMS
from harness.checksums import is_changed, write_checksums
from harness.errors import StoreError
from harness.model.experiment import Provenance
from harness.model.outcome import MutantResult
from harness.store.facts import ABSENT, FIELDS, REPORTED, StoredTrial

_SESSIONS = "sessions.json"
_SCORED = ("criteria", "evaluated", "failures")
"""Frames of runs whose criteria were scored, or suites evaluated, or trials failed; others are frozen without."""
_KEPT_TIMINGS = (
    "generate", "explore", "generate_cpu", "search_cpu", "compile_cpu", "write_cpu", "coverage", "baseline",
)  # fmt: skip


def is_frozen(folder: Path) -> bool:
    """Return whether `write_frozen` wrote the folder."""
    return (folder / _SESSIONS).is_file()


def write_frozen(frames: RunFrames, folder: Path) -> None:
    """Write the frames; equal frames give equal bytes. Trials are numbered, since their keys are long.

    Rows of trials that are not among `frames.trials` are left out.

    Raises:
        StoreError: the folder cannot be written.
    """
    numbers = {key: f"t{number}" for number, key in enumerate(frames.trials["trial"], start=1)}
    written = {name: getattr(frames, name)[list(FRAMES[name][0])] for name in FRAMES}
    for name in detail_columns(frames.trials):
        written["trials"] = written["trials"].assign(**{name: frames.trials[name].map(_as_json, na_action="ignore")})
    written["timings"] = written["timings"][frames.timings["what"].isin(_KEPT_TIMINGS)]
    for name in ("trials", "timings"):
        table = written[name].replace(ABSENT, pd.NA)
        without = [column for column in NOT_IN_ALL_FROZEN if column in table and table[column].isna().all()]
        written[name] = written[name].drop(columns=without)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, frame in written.items():
            _write(frame, numbers, folder / f"{name}.csv", can_be_absent=name in _SCORED)
        _write_sessions(frames.sessions, folder / _SESSIONS)
        write_checksums(folder, [_SESSIONS, *(f"{name}.csv" for name in _present(folder))])
    except OSError as error:
        raise StoreError(f"{folder}: cannot write there ({error.strerror}); choose another folder") from None


def read_frozen(folder: Path) -> RunFrames:
    """Read the frames and check them like those of a run.

    Raises:
        StoreError: a file is missing or was changed after it was written.
    """
    try:
        names = _present(folder)
        for path in (folder / _SESSIONS, *(folder / f"{name}.csv" for name in names)):
            if is_changed(path):
                raise ValueError(f"{path.name} is not what {CHECKSUMS} beside it tells")
        sessions = json.loads((folder / _SESSIONS).read_text(encoding="utf-8"))
        read = {name: _read(folder, name) for name in names}
        provenance = [Provenance(**fields | {"arguments": tuple(fields["arguments"])}) for fields in sessions]
        return run_frames(**read, sessions=provenance)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise StoreError(f"{folder}: not a frozen run ({error}); restore its files") from None


def frozen_trials(folder: Path) -> list[tuple[StoredTrial, list[MutantResult]]]:
    """Return the trials of a frozen run with their results, as a store has them.

    Digests and the details of results are empty, as a frozen run does not keep them.

    Raises:
        StoreError: as `read_frozen`.
    """
    frames = read_frozen(folder)
    results: dict[str, list[MutantResult]] = {}
    for row in frames.results.to_dict("records"):
        if not pd.isna(row["verdict"]):
            results.setdefault(row["trial"], []).append(_result(row))
    trials = frames.trials.to_dict("records")
    return [(_trial(row), results[row["trial"]]) for row in trials if row["trial"] in results]


def _trial(row: Mapping[Hashable, Any]) -> StoredTrial:
    cells: dict[str, Any] = {"subject_hash": "", "suite_digest": "", "inputs_by_target": {}, "mutant_set": ""}
    for name, kind in FIELDS.items():
        if name in row and not pd.isna(row[name]) and name not in REPORTED:
            cells[name] = _of_kind(kind, row[name])
    return StoredTrial(**cells)


def _result(row: Mapping[Hashable, Any]) -> MutantResult:
    cells: dict[str, Any] = {
        name: None if pd.isna(row[name]) else _of_kind(kind, row[name])
        for name, kind in get_type_hints(MutantResult).items()
        if name in row
    }
    return MutantResult(**cells)


def _of_kind(kind: Any, value: Any) -> Any:
    """Return a cell as a field of this type has it."""
    classes = [one for one in (kind, *get_args(kind)) if isinstance(one, type) and one is not type(None)]
    return classes[0](value)


def _read(folder: Path, name: str) -> pd.DataFrame:
    # As text first: "NA" and the like are names here, only an empty cell is a missing value.
    text = pd.read_csv(folder / f"{name}.csv", dtype="string", keep_default_na=False, na_values=[""])
    columns = FRAMES[name][0]
    for column in NOT_IN_ALL_FROZEN:
        if column in columns and column not in text:
            text[column] = pd.NA
    for column, dtype in columns.items():
        if dtype == "bool" and column in text:
            text[column] = text[column].map({"True": True, "False": False})
    for detail in detail_columns(text):
        text[detail] = pd.Series([None if pd.isna(cell) else json.loads(cell) for cell in text[detail]], dtype=object)
    return text


def _as_json(value: Any) -> str:
    return json.dumps(value.item() if hasattr(value, "item") else value)


def _present(folder: Path) -> list[str]:
    """Return the names of the frames of a frozen run."""
    return [name for name in FRAMES if name not in _SCORED or (folder / f"{name}.csv").exists()]


def _write(frame: pd.DataFrame, numbers: Mapping[str, str], path: Path, *, can_be_absent: bool) -> None:
    if frame.empty and can_be_absent:
        path.unlink(missing_ok=True)
        return
    if "trial" in frame:
        frame = frame.assign(trial=frame["trial"].map(numbers))
        frame = frame[frame["trial"].notna()]
    frame.to_csv(path, index=False, lineterminator="\n")


def _write_sessions(sessions: Iterable[Provenance], path: Path) -> None:
    # The command line is left out, since it names folders of the machine that ran it.
    sessions_data = [session.as_dict() | {"arguments": []} for session in sessions]
    path.write_text(json.dumps(sessions_data, indent=1) + "\n", encoding="utf-8")
