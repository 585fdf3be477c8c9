"""Loads a suite and the original that runs it, in the sandboxed process that observes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from harness.errors import UsageError
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.judging.prepared import Inputs, SequenceProgram, StateInputs
from harness.kernel.objects.module_state import ModuleState
from harness.kernel.process.talk import Headway
from harness.kernel.program.loader import ModuleText, SuiteJob, execute, limit_recursion, loading
from harness.kernel.specs.spec import Spec, load_spec
from harness.model.sequence import SequenceScope


@dataclass(frozen=True)
class LoadedSuite:
    """A suite and the original.

    Attributes:
        inputs_on: prepares the inputs on any module.
        module: the original.
        inputs: the inputs on the original.
    """

    spec: Spec
    suite: SuiteReader
    inputs_on: Callable[[ModuleType], Inputs]
    module: ModuleType
    inputs: Inputs

    @classmethod
    def of(
        cls,
        request: SuiteJob,
        begins: Callable[[str], object],
        spec: Callable[[], Spec] | None = None,
        executed: Callable[[ModuleText], ModuleType] = execute,
    ) -> LoadedSuite:
        """Load the spec, the bounds of the suite, and the original.

        Args:
            begins: called with a description of each step before it begins.
            spec: loads the spec in another way.
            executed: executes the original, perhaps with changes that observe it.

        Raises:
            MutascopeError: the spec, its bounds, the suite or the original cannot be loaded.
        """
        text, suite = request.implementation, SuiteReader(Path(request.suite))
        executing = "sequences" if suite.holds_sequences else "finitization"
        begins(f"executing {executing}({suite.header.scope}) of {request.spec_filename}")
        loaded = spec() if spec else load_spec(request.spec_source, request.spec_filename)
        bounds = bounds_of(loaded, suite.header.scope, text.source, suite)

        def inputs_on(module: ModuleType) -> Inputs:
            return inputs_of(suite, bounds, module, loaded, ModuleState(module))

        begins(f"loading {text.filename}")
        with loading(text):
            module = executed(text)
        return cls(loaded, suite, inputs_on, module, inputs_on(module))

    @property
    def states(self) -> StateInputs:
        """The inputs of a suite of states."""
        assert isinstance(self.inputs, StateInputs)
        return self.inputs

    @property
    def sequences(self) -> SequenceProgram:
        """The inputs of a suite of sequences."""
        assert isinstance(self.inputs, SequenceProgram)
        return self.inputs


def observed_suite(
    request: SuiteJob,
    headway: Headway,
    spec: Callable[[], Spec] | None = None,
    executed: Callable[[ModuleText], ModuleType] = execute,
) -> LoadedSuite:
    """Load a suite and the original that runs it, as `LoadedSuite.of`, and limit how deep the original may call itself.

    Raises:
        MutascopeError: spec, implementation or suite is unusable; the suite has no inputs.
    """
    loaded = LoadedSuite.of(request, headway.begins, spec, executed)
    if not len(loaded.suite):
        raise UsageError(f"{request.suite}: a suite of zero inputs tells nothing; generate one at a larger scope")
    headway.begins(f"executing {request.implementation.filename} on its suite")
    limit_recursion()
    return loaded


def bounds_of(spec: Spec, scope: int, source: str, suite: SuiteReader) -> StateSpace | SequenceScope:
    """Return the state space of a suite of states, or the bounds of a suite of sequences, with the values that the
    suite has beyond the scope.

    Args:
        source: the original's.

    Raises:
        SpecError: the bounds are unusable.
    """
    if suite.holds_sequences:
        return spec.sequences(scope, source).extended(suite.header.outside)
    return StateSpace(spec.finitization(scope).extended(suite.header.outside))


def inputs_of(
    suite: SuiteReader,
    bounds: StateSpace | SequenceScope,
    module: ModuleType,
    spec: Spec,
    kept: ModuleState | None = None,
) -> Inputs:
    """Return the inputs of a suite on a module; what it keeps is put back before each."""
    if isinstance(bounds, StateSpace):
        return StateInputs(module, spec, bounds, suite, kept)
    return SequenceProgram(module, bounds, suite, kept)
