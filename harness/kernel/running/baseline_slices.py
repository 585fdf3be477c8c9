"""Stores slices of a baseline on disk: each names its sources."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from harness import __version__
from harness.errors import StoreError
from harness.kernel.judging.baseline import Baseline
from harness.kernel.running.job import RunJob
from harness.model.outcome import OracleName

_SUFFIX = "baseline9"
_REMEDY = "run the same command again, which makes it again"


@dataclass(frozen=True)
class Slice:
    """The header of a slice: the hash of its sources, its inputs `first` to `last - 1`, and their totals."""

    source: str
    first: int
    last: int
    steps: int
    raised: int
    cpu_seconds: float
    blocks: list[float]
    """The processor seconds since the beginning of the slice at which each input but the first begins whose number is a
    multiple of `BLOCK`.
    """
    apart: bool
    """Whether judging has run nothing of the program, as far as this was checked; always False for states."""
    untold: dict[str, int]
    """Places of values without content, with the numbers of calls that gave or left them."""


def source_of(job: RunJob, suite_digest: str) -> str:
    """Return a content hash over everything that determines the original's outcomes on a suite."""
    text = job.implementation
    parts = [
        _SUFFIX, __version__, sys.version, text.name, text.source, text.filename, text.blocked,
        job.spec_source, job.scope, job.concrete, job.observed, suite_digest,
        *((companion.name, companion.source) for companion in text.companions),
    ]  # fmt: skip
    parts += [job.oracle] if job.oracle != OracleName.DIFFERENTIAL.value else []
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def slice_path(folder: Path, first: int) -> Path:
    """Return the path of the slice that starts at input `first`."""
    return folder / f"{first:010d}.{_SUFFIX}"


def write_slice(
    folder: Path,
    source: str,
    baseline: Baseline,
    cpu_seconds: float,
    blocks: Sequence[float] = (),
    is_apart: bool = False,
) -> Path:
    """Write a slice. Return its path."""
    first, (inputs, steps, raised) = baseline.first, baseline.totals
    last, untold = first + inputs, dict(baseline.untold)
    header = Slice(source, first, last, steps, raised, cpu_seconds, list(blocks), is_apart, untold)
    path = slice_path(folder, first)
    path.write_bytes(json.dumps(asdict(header)).encode() + b"\n" + baseline.to_bytes())
    return path


def check_slice(path: Path, source: str) -> Slice:
    """Return the header of a slice.

    Raises:
        StoreError: it is missing, or was made from another source than `source`.
    """
    return _read(path, source)[0]


def read_baseline(folder: Path, source: str, inputs: int, alive: Callable[[], None]) -> Baseline:
    """Read all slices of a folder, which cover at least the first `inputs` inputs.

    Raises:
        StoreError: one is missing, or was made from another source than `source`.
    """
    whole = Baseline()
    while len(whole) < inputs or slice_path(folder, len(whole)).exists():
        alive()  # it may take a while
        path = slice_path(folder, len(whole))
        header, data = _read(path, source)
        whole.extend(Baseline.from_bytes(header.first, data))
    return whole


def _read(path: Path, source: str) -> tuple[Slice, bytes]:
    try:
        head, _, content = path.read_bytes().partition(b"\n")
        header = Slice(**json.loads(head))
    except (OSError, ValueError, TypeError) as error:
        raise StoreError(f"{path}: no slice of a baseline ({error}); {_REMEDY}") from None
    if header.source != source:
        raise StoreError(f"{path}: made from another program, spec or suite; {_REMEDY}")
    return header, content
