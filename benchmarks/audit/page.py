"""Stores each result of the audit as soon as it exists, and makes the page from all of them."""

from __future__ import annotations

import json
import subprocess
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from benchmarks.audit.finding import LONGEST, Found
from benchmarks.audit.parts import PARTS, Piece, pieces
from benchmarks.audit.rounds import ROUNDS
from benchmarks.audit.verdicts import WANTED
from benchmarks.measuring import load_average, machine, markdown_table
from harness.sandbox.levels import held_levels

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "benchmarks" / "results" / "audit"
"""Is committed, since the whole audit takes longer than most sessions and a machine may be lost in between."""

_ABOUT = """\
`make audit` makes these tables. A row is a piece that can be run alone, such as
`python -m benchmarks.audit --part kills --kind pytest`. It names the commit that was audited; a plus sign means that
files were changed since. Seconds are of the wall clock, and other work may have run on the machine meanwhile.
The line above names the machine that wrote this page; pieces of other days may have run on others.

A round of verdicts re-executes at most 900 of them, which its seed draws. The refactorings of rope take part at scope 1
only, where one mutant does not take most of a minute."""


@dataclass(frozen=True)
class Result:
    """The result of a piece and its commit; `circumstances` are the day, the load and the levels of containment."""

    found: Found
    seconds: float
    seed: int
    commit: str
    circumstances: str


class Results:
    """Results by piece, in the order of the parts; if there is a folder, they are stored there as JSON."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._results: dict[Piece, Result] = {}
        for piece in pieces(PARTS) if folder else ():
            path = self._path(piece)
            if path.is_file():
                data = json.loads(path.read_text(encoding="utf-8"))
                self._results[piece] = Result(**{**data, "found": Found(**data["found"])})

    def has(self, piece: Piece, seed: int, since: str | None = None) -> bool:
        """Return whether there is a result of this seed and commit, or of `since` or a commit after it."""
        result = self._results.get(piece)
        if result is None or result.seed != seed:
            return False
        return result.commit == commit_and_changes() or (since is not None and _is_ancestor(since, result.commit))

    def keep(self, piece: Piece, found: Found, seconds: float, seed: int) -> None:
        """Add a result."""
        day = f"{datetime.now(UTC):%Y-%m-%d}"
        levels = ", ".join(held_levels()) or "no level"
        result = Result(found, seconds, seed, commit_and_changes(), f"{day}. {load_average()} Contained by {levels}.")
        self._results[piece] = result
        if self._folder:
            path = self._path(piece)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(asdict(result), indent=1), encoding="utf-8")

    def findings(self) -> list[str]:
        """Return the findings of all pieces, and a finding if too few verdicts were executed again."""
        findings = [finding for result in self._results.values() for finding in result.found.findings]
        rounds = pieces(["verdicts"])
        if all(piece in self._results for piece in rounds):
            checked = sum(self._results[piece].found.figures["verdicts"] for piece in rounds)
            findings += [f"only {checked} verdicts were executed again, not {WANTED}"] if checked < WANTED else []
        return findings

    def lines(self) -> list[str]:
        """Return the page."""
        lines = ["# Audit", "", machine(), "", _ABOUT, "", *_left_out(), ""]
        for name, part in PARTS.items():
            rows = {piece.kind: self._results[piece] for piece in pieces([name]) if piece in self._results}
            if rows:
                lines += [f"## {part.title}", "", *_table(rows), "", *_words(rows), ""]
        findings = self.findings()
        return [*lines, f"**{len(findings)} findings.**" if findings else "**No finding.**"]

    def _path(self, piece: Piece) -> Path:
        assert self._folder is not None
        return self._folder / f"{piece.part}-{piece.kind}.json"


def _left_out() -> list[str]:
    """Say which subjects take no part in a round of verdicts, as their run or verification would not end in time."""
    lines = [
        f"* {kind}: {', '.join(one.too_large)} (`{' '.join([one.generator, *one.options])}`)"
        for kind, one in ROUNDS.items()
        if one.too_large
    ]
    return [f"Subjects whose run or verification does not end within {LONGEST} s take no part:", "", *lines]


def _table(rows: dict[str, Result]) -> list[str]:
    counted = list(dict.fromkeys(name for result in rows.values() for name in result.found.figures))
    heading = ("", *counted, "findings", "seconds", "seed", "commit")
    cells: list[list[object]] = []
    for kind, result in rows.items():
        figures = [f"{result.found.figures.get(name, 0):,}" for name in counted]
        cells.append([kind, *figures, len(result.found.findings), f"{result.seconds:.0f}", result.seed, result.commit])
    if len(rows) > 1:
        sums = [f"{sum(result.found.figures.get(name, 0) for result in rows.values()):,}" for name in counted]
        findings = sum(len(result.found.findings) for result in rows.values())
        cells.append(["**all**", *sums, findings, f"{sum(result.seconds for result in rows.values()):.0f}", "", ""])
    return markdown_table(heading, cells)


def _words(rows: dict[str, Result]) -> list[str]:
    lines = [f"{kind}: {' '.join([*result.found.notes, result.circumstances])}  " for kind, result in rows.items()]
    return [*lines, "", *(f"* {kind}: {finding}" for kind, result in rows.items() for finding in result.found.findings)]


@cache
def commit_and_changes() -> str:
    """Return the short hash of the commit that is checked out, with a plus sign if files were changed since."""
    commit = _git("rev-parse", "--short=8", "HEAD").strip() or "no commit"
    return commit + ("+" if _git("status", "--porcelain", "--", ".", ":!benchmarks/results") else "")


def _is_ancestor(commit: str, later: str) -> bool:
    command = ["git", "merge-base", "--is-ancestor", commit, later]  # one with changes, as in "50a16a81+", is no commit
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 0


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    return done.stdout
