"""Validates the files of a suite before the suite is accepted. The process that wrote them has executed the program
under test, so they cannot be trusted.
"""

from __future__ import annotations

import stat
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

from harness.generators.registry import can_be_read
from harness.kernel.inputs.suites import SuiteHeader, SuiteReader

_FILES = {"header.json", "states.bin", "inputs.bin"}


class InvalidSuite(Exception):
    """The files are no complete suite, or not the expected one; the message says why."""


def validate_suite(folder: Path, expected: Mapping[str, object]) -> None:
    """Check a suite that was written by a process that has run a program under test.

    Args:
        expected: the values that the header must have, by field.

    Raises:
        InvalidSuite: it must not become a suite.
    """
    try:
        modes = {entry.name: entry.lstat().st_mode for entry in folder.iterdir()}
    except OSError as error:
        raise _wrong(f"there is none ({error.strerror})") from None
    if modes.keys() != _FILES or not all(stat.S_ISREG(mode) for mode in modes.values()):
        raise _wrong(f"its files are {', '.join(sorted(modes)) or 'none'}")
    try:
        reader = SuiteReader(folder)
        header = reader.header
        wrong = [field for field, value in expected.items() if getattr(header, field) != value]
        counts = (field.name for field in fields(SuiteHeader) if field.type == "int")
        wrong += [name for name in counts if not _is_count(header, name)]
        wrong += [name for name, is_told in (("ended", _is_text), ("notices", _is_lines)) if not is_told(header, name)]
        wrong += ["details"] * (not can_be_read(header.details))
        wrong += ["searchable"] * (type(header.searchable) is not bool)
        if not wrong:
            reader.check()
    except Exception as error:  # reading files of unknown content may raise anything
        raise _wrong(" ".join(str(error).split())) from None
    if wrong:
        raise _wrong(f"its header tells another {wrong[0]}")


def _is_count(header: SuiteHeader, name: str) -> bool:
    value = getattr(header, name)
    return type(value) is int and (value >= 0 or name == "seed")


def _is_text(header: SuiteHeader, name: str) -> bool:
    return type(getattr(header, name)) is str


def _is_lines(header: SuiteHeader, name: str) -> bool:
    value = getattr(header, name)
    return type(value) is list and all(type(line) is str for line in value)


def _wrong(problem: str) -> InvalidSuite:
    return InvalidSuite(
        f"what the process wrote is not the suite: {problem}; see to it that neither implementation, spec nor "
        "generator write files of their own"
    )
