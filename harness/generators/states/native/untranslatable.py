"""What a compiled engine says when it cannot do what was asked, or does it wrongly; another engine does it then."""

from __future__ import annotations


class Untranslatable(Exception):
    """A predicate, or a state space, outside the translated subset: the construct, and the line it stands on.

    Callers use the reference engine instead, so users never see it raised, only its text.
    """

    def __init__(self, construct: str, filename: str = "", line: int = 0) -> None:
        self.construct = construct
        self.filename = filename
        self.line = line
        super().__init__(f"{construct} ({filename}:{line})" if filename else construct)


class Disagreement(Exception):
    """Two engines do not find the same: at which candidate, and what each came to. One of them is wrong."""


class LateDisagreement(Exception):
    """As Disagreement, but beyond the beginning: what has been found must not be kept."""


class NoCompiler(Exception):
    """There is no C compiler, or it failed; the text says which was tried and what to install."""
