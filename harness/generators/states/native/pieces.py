"""The parts of one search in their order, while several processes search them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from harness.generators.states.native.parts import Part

Found = TypeVar("Found")


@dataclass(eq=False)
class Piece(Generic[Found]):
    """A part on its way: waiting, with somebody who searches it, or found."""

    part: Part
    taken: bool = False
    found: Found | None = None
    """What became of it."""
    last: Piece[Found] | None = None
    """The last one of what was left of it, which ends where this one's part does."""
    is_dropped: bool = False
    """Whether the search never comes there."""


class Pieces(Generic[Found]):
    """What is left of a search, in order; each piece begins where the one before it ends, or where its rest begins.

    The lowest `floor` fields keep their values within a part, so the next part begins with the next candidate that
    differs in them. Only a part of a search with a criterion can end earlier: Korat+ drops fields from the stack
    that are below the floor. Then the search goes on where the next one of them changes, and not where the following
    pieces begin: they were begun on trust.
    """

    def __init__(self, parts: Iterable[Part]) -> None:
        self._pieces: list[Piece[Found]] = [Piece(part) for part in parts]

    def __bool__(self) -> bool:
        return bool(self._pieces)

    @property
    def first(self) -> Piece[Found]:
        """The one whose turn it is: the search does come there."""
        return self._pieces[0]

    @property
    def waiting(self) -> list[Piece[Found]]:
        """Those that nobody has taken."""
        return [piece for piece in self._pieces if not piece.taken]

    def leave_rest(self, piece: Piece[Found], parts: Sequence[Part]) -> None:
        """Puts what is left of a piece behind it."""
        at = self._pieces.index(piece) + 1
        self._pieces[at:at] = [Piece(part) for part in parts]
        piece.last = self._pieces[at + len(parts) - 1]

    def end_first(self, height: int) -> list[Piece[Found]]:
        """Takes the first piece off, which is found.

        Args:
            height: of the stack when the search left the piece.

        Returns:
            The pieces that are dropped: within what was left at once, or begun there.
        """
        first = self._pieces.pop(0)
        dropped: list[Piece[Found]] = []
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
                self._pieces.insert(0, Piece(Part(*path, end.part.floor, after=True)))
                break
        for piece in dropped:
            piece.is_dropped = True
        return dropped
