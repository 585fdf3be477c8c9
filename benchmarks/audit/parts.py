"""The parts of the audit, and the kinds of each: a part with a kind is a piece, which can be run alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from benchmarks.audit import fewer_levels, hostile, kills, together, verdicts
from benchmarks.audit.finding import Found, Scale
from benchmarks.audit.kinds import KINDS
from benchmarks.audit.rounds import ROUNDS


@dataclass(frozen=True)
class Part:
    """`audit` is called with each of the kinds."""

    title: str
    audit: Callable[[Scale, str], Found]
    kinds: tuple[str, ...]


@dataclass(frozen=True)
class Piece:
    """A part and one of its kinds."""

    part: str
    kind: str


PARTS = {
    "verdicts": Part("Verdicts executed again by the naive path", verdicts.audit, tuple(ROUNDS)),
    "kills": Part("Kills at random and aimed moments", kills.audit, tuple(KINDS)),
    "hostile": Part("Hostile programs", hostile.audit, hostile.PLACES),
    "together": Part("Runs at once", together.audit, tuple(KINDS)),
    "levels": Part("Fewer levels of containment", fewer_levels.audit, tuple(fewer_levels.SETS)),
}


def pieces(parts: Iterable[str], kinds: Sequence[str] | None = None) -> list[Piece]:
    """Return the pieces of these parts, or those of these kinds only."""
    return [Piece(part, kind) for part in parts for kind in PARTS[part].kinds if kinds is None or kind in kinds]


def drawn(chosen: Sequence[Piece], seed: int) -> list[Piece]:
    """Return one piece of each part, drawn by the seed."""
    chance = random.Random(seed)
    parts = dict.fromkeys(piece.part for piece in chosen)
    return [chance.choice([piece for piece in chosen if piece.part == part]) for part in parts]
