"""A sandboxed worker that has run the original, and mutants on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from support.bench import Bench
from support.counter import INPUTS, SOURCE, job

from harness.kernel.process.confinement import ProcessLimits
from harness.kernel.running.facts import MutantFacts

Run = Callable[..., MutantFacts]


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    folder = tmp_path_factory.mktemp("zygote")
    with Bench(job(folder, limits=ProcessLimits(memory=1 << 28)), INPUTS) as bench:
        yield bench


@pytest.fixture(scope="module")
def run(bench: Bench) -> Run:
    def run(old: str = "", new: str = "", **fields: Any) -> MutantFacts:
        assert old in SOURCE
        return bench.mutant(SOURCE.replace(old, new), **fields)

    return run
