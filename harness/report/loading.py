"""Loads the original and a suite of call sequences, in the process that writes tests of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from harness.errors import SourceError
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.judging.prepared_sequences import SequenceProgram
from harness.kernel.process.telling import Teller
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.running.job import RunJob
from harness.kernel.specs.spec import Spec, load_spec
from harness.model.sequence import SequenceScope


@dataclass(frozen=True)
class LoadedSequences:
    """A suite of call sequences, with the program that executes them."""

    spec: Spec
    bounds: SequenceScope
    suite: SuiteReader
    module: ModuleType
    program: SequenceProgram

    @classmethod
    def of(cls, job: RunJob, teller: Teller) -> LoadedSequences:
        """Load the suite of a job, and report each step before it begins.

        Raises:
            MutascopeError: the spec, the implementation or the suite cannot be loaded.
        """
        teller.begins(f"executing sequences({job.scope}) of {job.spec_filename}")
        spec = load_spec(job.spec_source, job.spec_filename)
        suite = SuiteReader(Path(job.suite))
        bounds = spec.sequences(job.scope, job.implementation.source).extended(suite.header.outside)
        teller.begins(f"loading {job.implementation.filename}")
        module = load(job.implementation)
        return cls(spec, bounds, suite, module, SequenceProgram(module, bounds, suite))


def load(text: ModuleText) -> ModuleType:
    """Execute the implementation and return its module.

    Raises:
        SourceError: the implementation does not compile, or raises.
    """
    try:
        return execute(text)
    except SyntaxError as error:
        raise SourceError(f"{text.filename}:{error.lineno}: {error.msg}; correct the source") from None
    except Exception as error:
        raise SourceError(f"{text.filename} raised {type(error).__name__} on loading: {error}") from None
