"""Subjects of the tests' own."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def write_subject(folder: Path, source: str, spec: str) -> str:
    """Write a subject into a folder, which is made if it is missing; return its name."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "impl.py").write_text(source, encoding="utf-8")
    (folder / "spec.py").write_text(spec, encoding="utf-8")
    return str(folder)


@contextmanager
def standing_beside(home: Path, name: str, source: str, spec: str) -> Iterator[pytest.MonkeyPatch]:
    """Write a subject below `home`, and stand there, with the cache there, too."""
    write_subject(home / "subjects" / name, source, spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        patch.setenv("MUTASCOPE_CACHE", str(home / "cache"))
        yield patch
