"""Prepares the inputs of a suite for execution on a module, for both kinds of inputs."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.judging.prefix_states import PrefixStates
from harness.kernel.judging.prepared import Inputs, Program
from harness.kernel.judging.prepared_sequences import SequenceProgram, SnapshotProgram
from harness.kernel.specs.spec import Spec
from harness.model.sequence import SequencePolicy


def inputs_of_suite(
    spec: Spec,
    source: str,
    suite: SuiteReader,
    policy: SequencePolicy = SequencePolicy.ON_MUTANT,
    load: Callable[[], ModuleType] | None = None,
) -> Callable[[ModuleType], Inputs]:
    """Return a function that prepares the inputs of `suite` for execution on a given module.

    Args:
        source: the original's text.
        policy: the policy for sequences.
        load: loads the original once more, to lead to the states before last calls out of sight
            (`SequencePolicy.SNAPSHOT`); None: the module itself does.

    Raises:
        SpecError: the bounds of the suite's inputs are unusable.
    """
    scope = suite.header.scope
    if not suite.holds_sequences:
        space = StateSpace(spec.finitization(scope))
        return lambda module: Program(module, spec, space, suite)
    bounds = spec.sequences(scope, source).extended(suite.header.outside)
    if policy is SequencePolicy.ON_MUTANT:
        return lambda module: SequenceProgram(module, bounds, suite)

    def last_calls(module: ModuleType) -> Inputs:
        states = PrefixStates(load or (lambda: module), bounds, suite)
        return SnapshotProgram(module, bounds, suite, states.before)

    return last_calls
