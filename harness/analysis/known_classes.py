"""What class each input of a stored trial is of: measured once, and kept beside the run, as all is that takes long."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from harness.coverage.input_classes import VERSION, InputClasses, measured_classes
from harness.errors import StoreError
from harness.kernel.inputs.suites import SuiteReader
from harness.model.subject import Subject

FOLDER = "criteria"
"""Within the run's."""


def known_classes(folder: Path, subject: Subject, suite: SuiteReader) -> InputClasses:
    """The classes of the suite's inputs, from the run in `folder`; measured where they are not there, or damaged.

    Raises:
        MutascopeError: as `measured_classes`; or the run's folder cannot be written.
    """
    header = suite.header
    made_from = json.dumps([VERSION, subject.content_hash, header.digest])
    key = hashlib.sha256(made_from.encode()).hexdigest()[:16]
    path = folder / FOLDER / f"{subject.name.replace('/', '-')}-{header.scope}-{key}.json"
    found = _read(path, len(suite))
    if found is None:
        found = measured_classes(subject, suite)
        write_whole(path, _as_data(found))
    return found


def write_whole(path: Path, data: Mapping[str, Any]) -> None:
    """Writes a file of JSON, with a checksum of its data, that is there as a whole, or not at all.

    Raises:
        StoreError: it cannot be written.
    """
    text = json.dumps({**data, "checksum": _checksum(data)}, indent=0, sort_keys=True)
    part = path.with_name(f"{path.name}.part-{os.getpid()}")
    try:
        path.parent.mkdir(exist_ok=True)
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise StoreError(f"{path}: cannot be written ({error.strerror}); make the run's folder writable") from None


def read_whole(path: Path) -> dict[str, Any] | None:
    """What `write_whole` wrote there; None where nothing is, or something that its checksum does not vouch for."""
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return data if data.pop("checksum") == _checksum(data) else None
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def _as_data(found: InputClasses) -> dict[str, Any]:
    numbers = {name: list(of_inputs) for name, of_inputs in found.numbers.items()}
    return asdict(InputClasses(numbers, found.names, found.places))


def _checksum(data: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def _read(path: Path, inputs: int) -> InputClasses | None:
    data = read_whole(path)
    if data is None:
        return None
    try:
        found = InputClasses(**data)
        complete = all(len(numbers) == inputs for numbers in found.numbers.values())
    except (TypeError, AttributeError):
        return None
    return found if complete else None
