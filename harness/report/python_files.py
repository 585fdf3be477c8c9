"""Files of tests that a command writes, and what the original does, which they expect."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from harness.errors import BaselineError, MutascopeError, UsageError
from harness.kernel.inputs.suites import SuiteReader
from harness.model.subject import Subject

A = TypeVar("A")

OTHER_HASH_SEEDS = range(1, 10)
"""The seeds of hashes with which the original is run again; tests whose expectations differ are left out."""


def observed(subject: Subject, suite: SuiteReader, request: object, answer: type[A], hash_seed: int = 0) -> A:
    """Return the answer of the process that runs a suite on its original.

    Raises:
        MutascopeError: the spec or the implementation cannot be used.
        BaselineError: the process died of the executed code, or was stuck in it.
    """
    from harness.sandbox.ask import Question, ask  # the asked process imports this module, too

    return ask(
        Question(
            process="harness.observing.process",
            request=request,
            answer=answer,
            work=f"{subject.name}: running the original on its suite",
            readable=[suite.folder],
            hash_seed=hash_seed,
        )
    )


def steady(
    subject: Subject, suite: SuiteReader, request: object, answer: type[A], tests: Callable[[A], Sequence[object]]
) -> tuple[A, list[bool]]:
    """Return the answer, and which of its tests are the same with each seed of hashes.

    If the first seed changes nothing, no other is tried.

    Raises:
        UsageError: none is.
        MutascopeError: as `observed`.
    """
    first = observed(subject, suite, request, answer)
    same = [True] * len(tests(first))
    for hash_seed in OTHER_HASH_SEEDS:
        others = tests(observed(subject, suite, request, answer, hash_seed))
        same = [is_same and one == other for is_same, one, other in zip(same, tests(first), others, strict=True)]
        if all(same):
            break
    if not any(same):
        raise UsageError(
            f"{subject.name}: on each input, it does otherwise where sets have another order; sort them in the program"
        )
    return first, same


@contextmanager
def telling(where: Callable[[int], str], number: int) -> Iterator[None]:
    """Raise BaselineError if telling what the original does on an input raises an exception that is not ours.

    `where` returns the text of an input, which may be long in the making.
    """
    try:
        yield
    except MutascopeError:
        raise
    except Exception as error:
        raise failing(where(number), f"checking what it did raised {type(error).__name__}: {error}") from None


def failing(where: str, failure: str) -> BaselineError:
    """Return the error for an input on which the original fails."""
    return BaselineError(f"the original fails on {where}: {failure}; correct the implementation or the spec")


def is_found(cls: type, module: ModuleType) -> bool:
    """Return whether a class is what its qualified name means in a module."""
    held: Any = module
    for part in cls.__qualname__.split("."):
        held = getattr(held, part, None)
    return held is cls


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
