"""Oracles of tools that change programs: no crash, the result parses and compiles, and behaves as before."""

from __future__ import annotations

import ast
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import PurePath
from typing import Any

from harness.errors import SpecError
from harness.kernel.specs.programs.behaviour import behaviour


@dataclass(frozen=True)
class Failure:
    """The complaint of one of the oracles about a result.

    `oracle` is `crash`, `parse`, `compile` or `behaviour`; `signature` is a text that is the same for failures with
    probably the same cause; `detail` is for people.
    """

    oracle: str
    signature: str
    detail: str

    @property
    def is_text(self) -> bool:
        """Whether the result is no program: the tool has not noticed, or noticed when it read it again."""
        return self.oracle in ("parse", "compile") or "SyntaxError" in self.signature


@dataclass(frozen=True)
class Fault:
    """A fault of the program under test on an input: its causes, and the input and its outcome as text.

    Only a fault of one cause counts as found; with several, any of them may be the cause.

    Raises:
        SpecError: the causes are no tuple, or an empty one.
    """

    causes: tuple[str, ...]
    shown: str

    def __post_init__(self) -> None:
        if not isinstance(self.causes, tuple) or not self.causes:
            raise SpecError(f"the causes of a fault are {self.causes!r}; give a tuple of names, of one at least")

    @property
    def name(self) -> str:
        """The causes as text for people."""
        return name_of(self.causes)


def name_of(causes: Sequence[str]) -> str:
    """Return causes as one text for people; no code may parse the causes from it."""
    return " or ".join(causes)


@dataclass(frozen=True)
class Cause:
    """A fault that a person has found, and a test for inputs that it may explain.

    `explains` gets the input's pre-state and the failure.
    """

    name: str
    explains: Callable[[Any, Failure], bool]


def failure_of(result: Any, raised: BaseException | None, package: str) -> Failure | None:
    """Return the failure of a refactoring's result; None if all is well, or the tool refused.

    Args:
        result: ("changed", modules before, modules after), or ("refused", modules before, reason); modules are pairs of
            a name and a text.
        raised: the exception that it raised instead.
        package: name of the tool's package, whose innermost frame identifies a crash.

    Raises:
        SpecError: the program before does not compile: no fault of the tool.
    """
    if raised is not None:
        where = _innermost(raised, package)
        return Failure("crash", f"{type(raised).__name__} in {where}", f"{type(raised).__name__}: {_line(raised)}")
    kind, before, after = result
    try:
        did = behaviour(before)
    except SyntaxError as error:
        raise SpecError(f"a program that is to be refactored does not compile ({error}); correct its forms") from None
    if kind != "changed":
        return None
    for name, text in after:
        try:
            tree = ast.parse(text)
        except SyntaxError as error:
            return Failure("parse", str(error.msg), f"{name}, line {error.lineno}: {error.msg}")
        try:
            compile(tree, f"<{name}>", "exec", dont_inherit=True)
        except SyntaxError as error:
            return Failure("compile", str(error.msg), f"{name}, line {error.lineno}: {error.msg}")
    does = behaviour(after)
    if did == does:
        return None
    was, now = next(pair for pair in zip_longest(did, does, fillvalue="nothing more") if pair[0] != pair[1])
    return Failure("behaviour", f"{_kind(was)}, then {_kind(now)}", f"it gave {was}, and now {now}")


def fault_of(
    program: Any, result: Any, raised: BaseException | None, causes: Sequence[Cause], package: str
) -> Fault | None:
    """Return the fault that a refactoring shows on a program, with the causes that may explain it.

    With several such causes, it counts as found for none. With none, the oracle's signature stands for the cause, for a
    person to read.
    """
    failure = failure_of(result, raised, package)
    if failure is None:
        return None
    names = tuple(cause.name for cause in causes if cause.explains(program, failure))
    paragraphs = [failure.detail]
    if raised is None:
        _, before, after = result
        paragraphs += [_modules_text(before), "becomes", _modules_text(after)]
    return Fault(names or (f"{failure.oracle}: {failure.signature}",), "\n\n".join(paragraphs))


def _modules_text(modules: Sequence[tuple[str, str]]) -> str:
    return "\n".join(f"# {name}.py\n{text}" for name, text in modules)


def _kind(seen: str) -> str:
    return seen if seen.startswith("raises ") or seen in ("endless", "nothing more") else "a value"


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())


def _innermost(error: BaseException, package: str) -> str:
    """Return the module and function of the package in which an exception came up, or passed last."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if package in PurePath(frame.filename).parts]
    return f"{PurePath(frames[-1].filename).stem}.{frames[-1].name}" if frames else "its caller"
