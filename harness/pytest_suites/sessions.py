"""Prepares sessions of pytest in which a text of the target, and no other, is imported."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import CodeType

from harness.errors import SourceError
from harness.kernel.program.loader import ModuleText
from harness.pytest_suites.importing import TargetFinder
from harness.pytest_suites.job import SuiteJob
from harness.pytest_suites.measuring import Measuring
from harness.pytest_suites.metering import PartMeter
from harness.pytest_suites.session import LeftOut, Session, stand_in


class SessionPreparation:
    """Prepares the sessions of a job in the working copy `tree` of the project.

    Attributes:
        own: a folder of this process for temporary files.
        text: the original.
        meter: counts the steps of the target.
    """

    def __init__(self, job: SuiteJob, tree: Path) -> None:
        self._job = job
        self.own = Path("run").absolute()
        self._stands = [str(tree / folder) for folder in (job.folder, *job.roots)]
        filename = job.filename if os.path.isabs(job.filename) else str(tree / job.filename)
        self.text = ModuleText(job.target, job.source, filename, job.blocked)
        self.meter = PartMeter()

    def stand(self) -> None:
        """Change to the project's folder, with a folder of its own for temporary files."""
        stand_in(self._stands)
        os.environ["TMPDIR"] = tempfile.tempdir = str(self.own)

    def of(
        self, finder: TargetFinder, measuring: Measuring, without: LeftOut | None = None, tolerant: bool = False
    ) -> Session:
        """Return a session in which the finder imports the target, and which measures its tests."""
        for name in self._job.blocked:
            sys.modules[name] = None  # type: ignore[assignment]
        finder.install()
        plugins = [measuring, measuring.outcomes, *([] if without is None else [without])]
        return Session(finder, self._job.arguments, self.own, plugins, tolerant)

    def compiled(self, text: ModuleText, compiling: Callable[[ModuleText], CodeType]) -> CodeType:
        """Compile a text.

        Raises:
            SourceError: it does not compile.
        """
        try:
            return compiling(text)
        except SyntaxError as error:
            raise SourceError(f"{text.filename}:{error.lineno}: {error.msg}; correct the source") from None
