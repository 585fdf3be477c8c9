"""Defines the exceptions with which the compiled engine reports that it cannot do a search, or did it wrongly. The
reference engine then does the search.
"""

from __future__ import annotations


class Untranslatable(Exception):
    """A predicate, or a state space, is outside of the translated subset; it names the construct and its line.

    Callers use the reference engine instead, so users see only its text.
    """

    def __init__(self, construct: str, filename: str = "", line: int = 0) -> None:
        self.construct = construct
        self.filename = filename
        self.line = line
        super().__init__(f"{construct} ({filename}:{line})" if filename else construct)


class EngineDisagreement(Exception):
    """Two engines find different results; it names the candidate and both results. One of the engines is wrong."""


class LateDisagreement(Exception):
    """The compiled engine has found a state that rep_ok refuses: its results must not be kept."""


class NoCompiler(Exception):
    """There is no C compiler, or it failed; the text names the compiler and what to install."""
