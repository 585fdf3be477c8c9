"""Loads a job once, in the process that forks a child for each of its orders."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import cached_property, lru_cache
from pathlib import Path

from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.judging.baseline import Baseline
from harness.kernel.judging.oracle import UNLIMITED
from harness.kernel.program.steps import step_counter
from harness.kernel.running.baseline_slices import read_baseline, source_of
from harness.kernel.running.job import RunJob
from harness.kernel.running.kinds import kind_of
from harness.kernel.running.original import Original
from harness.kernel.running.programs import Programs
from harness.kernel.specs.spec import load_spec

_MOST_TEXTS = 1024
"""Inputs whose texts are kept; most mutants are killed by one of few inputs."""


class LoadedJob:
    """A job with its suite, spec and programs, and with the baseline once it was read.

    Attributes:
        kind: the suite with its spec.
        source: a hash of everything that determines the baseline.
        baseline: the outcomes of the original that were read so far.
        alive: reports that the process lives.
        show: returns an input, given by its number, as text.
    """

    def __init__(self, job: RunJob, alive: Callable[[], None]) -> None:
        counter = step_counter()
        counter.start(UNLIMITED)  # the spec's own loading and finitization spend steps, too
        spec = load_spec(job.spec_source, job.spec_filename, counter)
        suite = SuiteReader(Path(job.suite))
        suite.check()
        self.job = job
        self.alive = alive
        self.kind = kind_of(job, suite, spec, counter)
        self.source = source_of(job, suite.header.digest)
        self.programs = Programs(job, counter)
        self.baseline = Baseline()
        self._baseline_folder = ""
        self.show = lru_cache(_MOST_TEXTS)(self._text_of)

    @cached_property
    def _original(self) -> Original:
        """The original's inputs, only to be shown."""
        return self.kind.original(self.programs.original)

    def _text_of(self, number: int) -> str:
        """Return an input as text, for messages and facts."""
        return self._original.show(number)

    def read_baseline(self, folder: str, last: int) -> None:
        """Read the original's outcomes on the inputs before `last`, unless they were read already."""
        if folder != self._baseline_folder or len(self.baseline) < last:
            self.baseline = read_baseline(Path(folder), self.source, last, self.alive)
            self.baseline.steps_before(0)
            self._baseline_folder = folder
            gc.collect()
            gc.freeze()  # children share these pages untouched
