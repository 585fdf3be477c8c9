"""The parts of one search in their order, while several processes search them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from harness.generators.states.native.parts import SearchPart

Result = TypeVar("Result")


@dataclass(eq=False)
class Piece(Generic[Result]):
    """A part in its progress: waiting, being searched by a process, or found."""

    part: SearchPart
    is_taken: bool = False
    result: Result | None = None
    """The result of searching the part."""
    last: Piece[Result] | None = None
    """The last piece of the remainder of this one; it ends where this one's part does."""
    is_dropped: bool = False
    """Whether the search never reaches it."""


class Pieces(Generic[Result]):
    """The remaining pieces of a search, in order. Each begins where the one before it ends, or where its remainder
    begins.

    The lowest `floor` fields keep their values within a part, so the next part begins with the next candidate that
    differs in them. Only a part of a search with a criterion can end earlier, because Korat+ drops fields from the
    stack that are below the floor. Then the search continues where the next one of them changes, and not where the
    following pieces begin: those were begun speculatively.
    """

    def __init__(self, parts: Iterable[SearchPart]) -> None:
        self._pieces: list[Piece[Result]] = [Piece(part) for part in parts]

    def __bool__(self) -> bool:
        return bool(self._pieces)

    @property
    def first(self) -> Piece[Result]:
        """The first piece, which the search does reach."""
        return self._pieces[0]

    @property
    def waiting(self) -> list[Piece[Result]]:
        """The pieces that no process has taken."""
        return [piece for piece in self._pieces if not piece.is_taken]

    def leave_rest(self, piece: Piece[Result], parts: Sequence[SearchPart]) -> None:
        """Insert the remainder of a piece after it."""
        at = self._pieces.index(piece) + 1
        self._pieces[at:at] = [Piece(part) for part in parts]
        piece.last = self._pieces[at + len(parts) - 1]

    def end_first(self, height: int) -> list[Piece[Result]]:
        """Remove the first piece, which is found.

        Args:
            height: the height of the stack when the search left the piece.

        Returns:
            The dropped pieces, which the search skips, including pieces that were begun.
        """
        first = self._pieces.pop(0)
        dropped: list[Piece[Result]] = []
        if first.last is not None or height >= first.part.floor:
            return dropped
        while self._pieces:
            end = self._pieces[0]
            while end.last is not None:
                end = end.last
            count = self._pieces.index(end) + 1
            dropped += self._pieces[:count]
            del self._pieces[:count]
            if end.part.floor < height:
                path = first.part.fields[:height], first.part.indices[:height]
                self._pieces.insert(0, Piece(SearchPart(*path, end.part.floor, after=True)))
                break
        for piece in dropped:
            piece.is_dropped = True
        return dropped
