"""The trials of which one shard has found its share, in the file `shard.json`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness.checksums import read_whole, write_whole
from harness.errors import StoreError
from harness.store.tables import FinishedTrials

SHARD_FILE = "shard.json"
"""The file in the folder of a shard that says which shard it is, and what is finished."""

_FINISHED = "finished"


def read_shard_file(folder: Path) -> dict[str, Any]:
    """Return the content of a folder's `shard.json`.

    Raises:
        StoreError: there is none, or it is no JSON.
    """
    path = folder / SHARD_FILE
    if not path.exists():
        raise StoreError(f"{folder}: no shard is stored there; give a folder that `mutascope shard --out` wrote")
    content = read_whole(path)
    if content is None:
        raise StoreError(f"{path}: no JSON; run the shard again into another folder")
    return content


def write_shard_file(folder: Path, content: Mapping[str, Any]) -> None:
    """Write `shard.json`, as a whole or not at all.

    Raises:
        StoreError: it cannot be written.
    """
    write_whole(folder / SHARD_FILE, content)


class FinishedShares(FinishedTrials):
    """Trials of which a shard has found its share. The table `finish` does not have them, as they are not complete."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def add(self, trial: str) -> None:
        """Mark the share of a trial as found."""
        content = read_shard_file(self._folder)
        write_shard_file(self._folder, content | {_FINISHED: sorted({*content.get(_FINISHED, ()), trial})})

    def has(self, trial: str) -> bool:
        """Return whether the share of a trial was found."""
        return trial in self._finished

    def keys(self) -> frozenset[str]:
        """Return the keys of the trials."""
        return frozenset(self._finished)

    @property
    def _finished(self) -> list[str]:
        finished: list[str] = read_shard_file(self._folder).get(_FINISHED, [])
        return finished
