"""Finds mutants that need no run: stillborn, trivially equivalent, and duplicates. All stay listed."""

from __future__ import annotations
import __future__

import ast
import hashlib
import warnings
from collections.abc import Iterable
from dataclasses import replace
from types import CodeType

from harness.kernel.program.splice import line_starts, span_offsets
from harness.model.outcome import Mutant, MutantStatus

Fingerprint = tuple[object, ...]


def classify(source: str, mutants: Iterable[Mutant]) -> list[Mutant]:
    """Return the same mutants in the same order, each with its status.

    A STILLBORN mutant does not compile. An EQUIVALENT one compiles to the original's code objects. A DUPLICATE one
    compiles to those of an earlier mutant, named in `same_as`. Line numbers do not count.
    """
    sections = _Sections(source)
    originals: dict[int, Fingerprint | None] = {}
    first: dict[tuple[int, bytes], str] = {}
    classified = []
    for mutant in mutants:
        section = sections.holding(mutant)
        if section not in originals:
            originals[section] = sections.fingerprint(section, None)
        mark = sections.fingerprint(section, mutant)
        if mark is None:
            classified.append(replace(mutant, status=MutantStatus.STILLBORN))
        elif mark == originals[section]:
            classified.append(replace(mutant, status=MutantStatus.EQUIVALENT))
        else:
            same_as = first.setdefault((section, _digest(mark)), mutant.id)
            is_first = same_as == mutant.id
            classified.append(mutant if is_first else replace(mutant, status=MutantStatus.DUPLICATE, same_as=same_as))
    return classified


def _digest(mark: Fingerprint) -> bytes:
    """Return a digest, because a fingerprint takes as much memory as its code, and there are thousands."""
    return hashlib.sha256(repr(mark).encode()).digest()


def fingerprint(code: CodeType) -> Fingerprint:
    """Return everything but line numbers and file name, so that equal fingerprints mean equal behaviour."""
    return (
        code.co_code,
        tuple(map(_constant, code.co_consts)),
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
        code.co_flags,
        code.co_argcount,
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
        code.co_exceptiontable,
        code.co_qualname,
    )


def _constant(value: object) -> object:
    """Return a constant with its type: 1, True and 1.0 differ, and so do 0.0 and -0.0."""
    if isinstance(value, CodeType):
        return fingerprint(value)
    if isinstance(value, tuple):
        return ("tuple", *map(_constant, value))
    if isinstance(value, frozenset):
        return ("frozenset", *sorted(map(_constant, value), key=repr))
    return (type(value).__name__, repr(value))


class _Sections:
    """The source by methods and top-level statements: a mutant changes one, so only that one is compiled again.

    A method compiles to the same code if the other methods of its class are missing. So a class of that name with only
    this method is compiled.
    """

    def __init__(self, source: str) -> None:
        tree = ast.parse(source)
        self._source = source
        self._starts = [*line_starts(source), len(source)]
        self._flags = 0
        self._spans: list[tuple[int, int, str]] = []
        for statement in tree.body:
            if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
                for alias in statement.names:
                    self._flags |= getattr(__future__, alias.name).compiler_flag
            if isinstance(statement, ast.ClassDef):
                methods = [part for part in statement.body if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)]
                self._spans += [(*_lines(method), f"class {statement.name}:\n") for method in methods]
            self._spans.append((*_lines(statement), ""))

    def holding(self, mutant: Mutant) -> int:
        """Return the number of the method or statement that the mutant changes."""
        at = mutant.location
        spans = enumerate(self._spans)
        return next(number for number, (first, last, _) in spans if first <= at.line and at.end_line <= last)

    def fingerprint(self, section: int, mutant: Mutant | None) -> Fingerprint | None:
        """Return the fingerprint of the section's code, with the mutant if any; None if it does not compile."""
        first, last, head = self._spans[section]
        start, end = self._starts[first - 1], self._starts[last]
        text = self._source[start:end]
        if mutant is not None:
            low, high = span_offsets(mutant.location, self._starts)
            text = self._source[start:low] + mutant.replacement + self._source[high:end]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a mutant may well be dubious: `1 is x`
                return fingerprint(compile(head + text, "<mutant>", "exec", self._flags, dont_inherit=True, optimize=0))
        except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError):
            return None


def _lines(statement: ast.stmt) -> tuple[int, int]:
    """Return the first line of a statement, with its decorators, and the last one."""
    decorators = [decorator.lineno for decorator in getattr(statement, "decorator_list", ())]
    return min([statement.lineno, *decorators]), statement.end_lineno or statement.lineno
