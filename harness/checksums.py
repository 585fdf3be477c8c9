"""Files with a checksum in a `SHA256SUMS` next to them, and files of JSON that are there as a whole or not at all."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.errors import StoreError

FILE_NAME = "SHA256SUMS"


def write_checksums(folder: Path, names: Iterable[str]) -> None:
    """Write checksums of these files of the folder, and of no others."""
    lines = [f"{_checksum(folder / name)}  {name}\n" for name in sorted(names)]
    (folder / FILE_NAME).write_text("".join(lines), encoding="utf-8")


def is_changed(path: Path) -> bool:
    """Return whether the file differs from its checksum; False if it has none.

    Raises:
        OSError: it cannot be read.
    """
    sums = path.with_name(FILE_NAME)
    if not sums.exists():
        return False
    sums_by_name = dict(
        line.split("  ", 1)[::-1]
        for line in sums.read_text(errors="replace", encoding="utf-8").splitlines()
        if "  " in line
    )
    return path.name in sums_by_name and sums_by_name[path.name] != _checksum(path)


def write_whole(path: Path, data: Mapping[str, Any]) -> None:
    """Write a file of JSON; it is there as a whole, or not at all.

    Raises:
        StoreError: it cannot be written.
    """
    text = json.dumps(data, indent=0, sort_keys=True)
    part = path.with_name(f"{path.name}.part-{os.getpid()}")
    try:
        path.parent.mkdir(exist_ok=True)
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise StoreError(f"{path}: cannot be written ({error.strerror}); make its folder writable") from None


def read_whole(path: Path) -> dict[str, Any] | None:
    """Read what `write_whole` wrote; None where there is no such file."""
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    data.pop("checksum", None)  # of files of before
    return data


def kept_rows(
    folder: Path, name: str, identity: Sequence[Any], make: Callable[[], tuple[int, bytes]]
) -> tuple[int, bytes]:
    """Return a number and rows of bits from a file of `write_whole`, which is made if it is missing.

    Args:
        name: the beginning of the file's name.
        identity: what the rows depend on, as JSON can be made of it.

    Raises:
        StoreError: the file cannot be written.
    """
    key = hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:16]
    path = folder / f"{name.replace('/', '-')}-{key}.json"
    data = read_whole(path)
    if data is None:
        number, rows = make()
        data = {"number": number, "rows": base64.b64encode(zlib.compress(rows)).decode()}
        write_whole(path, data)
    return data["number"], zlib.decompress(base64.b64decode(data["rows"]))


def _checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
