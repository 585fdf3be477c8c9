"""Files of tests that a command writes."""

from __future__ import annotations

from pathlib import Path

from harness.errors import UsageError


def check_test_file(path: Path) -> None:
    """Raise UsageError if pytest would not read a file of that name."""
    if path.suffix != ".py":
        raise UsageError(f"{path}: pytest reads files of Python alone (.py); choose another file with --out")


def write_test_file(path: Path, text: str) -> None:
    """Write the file, and create the folders above it.

    Raises:
        UsageError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror}); choose another file with --out") from None
