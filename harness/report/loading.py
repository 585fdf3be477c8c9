"""Loads the original, and the suite of sequences that it is run on, in the process that writes tests of it."""

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
    """A suite of sequences with all that its calls need."""

    spec: Spec
    bounds: SequenceScope
    suite: SuiteReader
    module: ModuleType
    program: SequenceProgram

    @classmethod
    def of(cls, job: RunJob, teller: Teller) -> LoadedSequences:
        """Those of a job, each step told before it begins.

        Raises:
            MutascopeError: the spec, the implementation or the suite cannot be loaded.
        """
        teller.begins(f"executing sequences({job.scope}) of {job.spec_filename}")
        spec = load_spec(job.spec_source, job.spec_filename)
        bounds = spec.sequences(job.scope, job.implementation.source)
        suite = SuiteReader(Path(job.suite))
        teller.begins(f"loading {job.implementation.filename}")
        module = load(job.implementation)
        return cls(spec, bounds, suite, module, SequenceProgram(module, bounds, suite))


def load(text: ModuleText) -> ModuleType:
    """The implementation, executed.

    Raises:
        SourceError: it does not compile, or raises.
    """
    try:
        return execute(text)
    except SyntaxError as error:
        raise SourceError(f"{text.filename}:{error.lineno}: {error.msg}; correct the source") from None
    except Exception as error:
        raise SourceError(f"{text.filename} raised {type(error).__name__} on loading: {error}") from None
