"""A sandboxed worker that has run the original, and mutants on it."""

from collections.abc import Callable
from typing import Any

import pytest
from support.bench import Bench
from support.counter import INPUTS, SOURCE, job

from harness.kernel.process.confinement import ProcessLimits
from harness.kernel.running.job import MutantFacts

Run = Callable[..., MutantFacts]


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    folder = tmp_path_factory.mktemp("zygote")
    with Bench(job(folder, limits=ProcessLimits(memory=1 << 28)), INPUTS) as bench:
        yield bench


@pytest.fixture(scope="module")
def run(bench):
    def run(old: str = "", new: str = "", **fields: Any) -> MutantFacts:
        assert old in SOURCE
        return bench.mutant(SOURCE.replace(old, new), **fields)

    return run
