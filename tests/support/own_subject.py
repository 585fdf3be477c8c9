"""A subject of the tests' own in a folder of subjects, with a cache of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def standing_beside(home: Path, name: str, source: str, spec: str) -> Iterator[pytest.MonkeyPatch]:
    """Write a subject below `home`, and stand there, with the cache there, too."""
    folder = home / "subjects" / name
    folder.mkdir(parents=True)
    (folder / "impl.py").write_text(source, encoding="utf-8")
    (folder / "spec.py").write_text(spec, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        patch.setenv("MUTASCOPE_CACHE", str(home / "cache"))
        yield patch
