"""Files that a `SHA256SUMS` beside them vouches for, as `sha256sum` writes it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

FILE_NAME = "SHA256SUMS"


def write_checksums(folder: Path, names: Iterable[str]) -> None:
    """Vouches for these files of the folder, and for no others."""
    lines = [f"{_checksum(folder / name)}  {name}\n" for name in sorted(names)]
    (folder / FILE_NAME).write_text("".join(lines), encoding="utf-8")


def is_changed(path: Path) -> bool:
    """Whether the file is not what is vouched for; False where nothing is.

    Raises:
        OSError: it cannot be read.
    """
    sums = path.with_name(FILE_NAME)
    if not sums.exists():
        return False
    told = dict(
        line.split("  ", 1)[::-1]
        for line in sums.read_text(errors="replace", encoding="utf-8").splitlines()
        if "  " in line
    )
    return path.name in told and told[path.name] != _checksum(path)


def _checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
