"""Runs the audit and writes `benchmarks/results/audit.md`; the exit status is 1 if there is a finding."""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from pathlib import Path
from tempfile import TemporaryDirectory

from support.sampling import current_commit, number_of

from benchmarks.audit import page
from benchmarks.audit.finding import Found, Scale, told
from benchmarks.audit.parts import PARTS, Piece, drawn, pieces
from benchmarks.measuring import write_result


def main() -> int:
    """Parse, run the pieces that have no result of this commit yet, and print the page of all results."""
    parser = argparse.ArgumentParser(prog="benchmarks.audit", description="Audits what can be trusted.")
    parser.add_argument("--part", action="append", choices=list(PARTS), help="one part only; may be given again")
    parser.add_argument("--kind", action="append", help="one kind of each part only; may be given again")
    small = "a small scope, of one piece of each part, which the seed draws; nothing is kept"
    parser.add_argument("--small", action="store_true", help=small)
    parser.add_argument("--seed", type=_seed, default=0, help="of what is random: a number, or 'commit' (default: 0)")
    parser.add_argument("--since", metavar="COMMIT", help="keep results of this commit and of later ones, too")
    parser.add_argument("--again", action="store_true", help="run pieces that have a result of this commit, too")
    options = parser.parse_args()
    results = page.Results(None if options.small else page.KEPT)
    chosen = pieces(options.part or PARTS, options.kind)
    try:
        for piece in drawn(chosen, options.seed) if options.small else chosen:
            if options.again or not results.has(piece, options.seed, options.since):
                results.keep(piece, *_run(piece, options.small, options.seed), options.seed)
    except KeyboardInterrupt:
        print("\naudit: interrupted; what was finished is kept, so start it again to go on", file=sys.stderr)
        return 130
    told("")
    write_result("audit.md", results.lines(), keep=not options.small)
    return 1 if results.findings() else 0


def _seed(text: str) -> int:
    return number_of("audit", current_commit(page.ROOT)) % (1 << 32) if text == "commit" else int(text)


def _run(piece: Piece, small: bool, seed: int) -> tuple[Found, float]:
    began = time.monotonic()
    with TemporaryDirectory(prefix="audit-") as folder:
        try:
            result = PARTS[piece.part].audit(Scale(small, seed, Path(folder)), piece.kind)
        except Exception as error:
            traceback.print_exc()
            result = Found({}, [f"it ended with {type(error).__name__}: {str(error)[:300]}"])
    return result, time.monotonic() - began


if __name__ == "__main__":
    sys.exit(main())
