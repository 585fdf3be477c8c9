"""Measures the class of each input of a stored trial once, and stores it with the run, as all slow results."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from harness.checksums import read_whole, write_whole
from harness.kernel.inputs.suites import SuiteReader
from harness.measuring.input_classes import VERSION, InputClasses, measured_classes
from harness.model.subject import Subject

FOLDER = "criteria"
"""Within the run's."""


def cached_input_classes(folder: Path, subject: Subject, suite: SuiteReader) -> InputClasses:
    """Return the classes of the suite's inputs, from the run in `folder`; measure them if they are missing or damaged.

    MutascopeError: as `measured_classes`, or the run's folder cannot be written.
    """
    header = suite.header
    identity = json.dumps([VERSION, subject.content_hash, header.digest])
    key = hashlib.sha256(identity.encode()).hexdigest()[:16]
    path = folder / FOLDER / f"{subject.name.replace('/', '-')}-{header.scope}-{key}.json"
    classes = _read(path, len(suite))
    if classes is None:
        classes = measured_classes(subject, suite)
        write_whole(path, _as_data(classes))
    return classes


def _as_data(classes: InputClasses) -> dict[str, Any]:
    numbers = {name: list(of_inputs) for name, of_inputs in classes.numbers.items()}
    return asdict(InputClasses(numbers, classes.names, classes.places))


def _read(path: Path, inputs: int) -> InputClasses | None:
    data = read_whole(path)
    if data is None:
        return None
    try:
        classes = InputClasses(**data)
        complete = all(len(numbers) == inputs for numbers in classes.numbers.values())
    except (TypeError, AttributeError):
        return None
    return classes if complete else None
