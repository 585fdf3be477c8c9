"""coverage.py on one module's text, inside the process that executes it; counts per function."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from types import CodeType

from coverage import Coverage
from coverage.python import PythonFileReporter

from harness.measuring.lines import inline_definitions
from harness.model.coverage import CoverageCounts

FIRST_BLOCK = 64
MOST_CONTEXTS = 1024
"""The steps of which coverage.py keeps apart what each executes, before it forgets them."""
_OTHER_LINE_ENDS = re.compile("[\v\f\x1c-\x1e\x85\u2028\u2029]")
"""In strings and comments: lines end there for `str.splitlines`, and so for coverage.py, but not for Python."""

_NEVER = ["(?!)"]  # a pattern that matches nowhere; without any, coverage.py matches everywhere


class Meter:
    """Measures only the code compiled by `compiled`, and only while `running`.

    The text is written to a separate file, so that executed and analysed text are the same even if the subject's file
    changes. Only characters in strings at which coverage.py would end a line make a difference. An installed module of
    the standard library, which coverage.py skips at its installed path, is measured like any other. No configuration of
    the user's is read, no data file is written, and no comment (`pragma: no cover`) excludes a line: a subject cannot
    change the counts.

    Args:
        source: the module's text.
        folder: an existing folder, for this meter alone; the text goes there.
        functions: lines by qualified name, as from `own_lines`.

    Attributes:
        file: where the text is; tracebacks of the code name it.
    """

    def __init__(self, source: str, folder: Path, functions: Mapping[str, frozenset[int]]) -> None:
        folder = folder.resolve()
        self._source = source
        self._functions = functions
        self._inline = inline_definitions(source)
        self.file = str(folder / "measured.py")
        analysed = _OTHER_LINE_ENDS.sub(" ", source)
        Path(self.file).write_text(analysed, encoding="utf-8", newline="")
        # A folder as `source` is compared as a path; `include` would read its name as a pattern.
        self._coverage = Coverage(data_file=None, config_file=False, branch=True, source=[str(folder)])
        for option in ("exclude_lines", "partial_branches", "partial_branches_always"):
            self._coverage.set_option(f"report:{option}", _NEVER)
        self._coverage.set_option("run:disable_warnings", ["no-data-collected"])  # zero is a count like any other

    def compiled(self) -> CodeType:
        """Return the text's code, under the name that is measured.

        Raises:
            SyntaxError: it does not compile.
        """
        return compile(self._source, self.file, "exec", dont_inherit=True)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Measure the code that is called within the block."""
        self._coverage.start()
        try:
            yield
        finally:
            self._coverage.stop()

    def measure(self, steps: Iterator[object]) -> dict[str, CoverageCounts]:
        """Return the counts over all `steps`, each of which executes some of the code.

        As coverage only grows, they are taken in blocks that grow as well. Steps after the block in which the last line
        and branch were covered are left out.
        """
        block = FIRST_BLOCK
        while True:
            with self.running():
                steps_taken = sum(1 for _ in islice(steps, block))
            counts = self.counts()
            if steps_taken < block or all(count.complete for count in counts.values()):
                return counts
            block *= 2

    def branches(self) -> dict[tuple[int, int], int]:
        """Return a number for each branch of the functions, by the lines between which it leads."""
        reporter = PythonFileReporter(self.file, self._coverage)
        exits = reporter.exit_counts()
        lines = frozenset[int]().union(*self._functions.values()) - self._inline
        branches = sorted((line, to) for line, to in reporter.arcs() if line in lines and exits.get(line, 0) > 1)
        return {branch: number for number, branch in enumerate(branches)}

    def executed(self, branches: Mapping[tuple[int, int], int], steps: Iterator[object]) -> Iterator[int]:
        """Yield for each of `steps`, which execute some of the code, the numbers of the branches executed, as bits."""
        reporter = PythonFileReporter(self.file, self._coverage)
        block = -1
        while block:
            block = 0
            with self.running():
                while block < MOST_CONTEXTS:
                    self._coverage.switch_context(str(block))
                    if next(steps, self) is self:
                        break
                    block += 1
            data = self._coverage.get_data()
            for number in range(block):
                data.set_query_context(str(number))
                arcs = reporter.translate_arcs(data.arcs(self.file) or ())
                yield sum(1 << branches[arc] for arc in arcs if arc in branches)
            self._coverage.erase()

    def counts(self) -> dict[str, CoverageCounts]:
        """Return the counts so far by qualified name, including functions of which nothing was executed."""
        _, statements, _, missing, _ = self._coverage.analysis2(self.file)
        branches = self._coverage.branch_stats(self.file)
        counts: dict[str, CoverageCounts] = {}
        for name, lines in self._functions.items():
            own = lines.intersection(statements)
            exits = [stats for line, stats in branches.items() if line in lines and line not in self._inline]
            counts[name] = CoverageCounts(
                statements=len(own),
                statements_executed=len(own.difference(missing)),
                branches=sum(total for total, _ in exits),
                branches_executed=sum(taken for _, taken in exits),
            )
        return counts
