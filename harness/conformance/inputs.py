"""Finds wrong inputs of a suite: outside the scope, invalid, or repeated."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from harness.conformance.attempt import Attempt
from harness.errors import StoreError
from harness.kernel.inputs.suites import Call, SuiteReader, structure_key
from harness.kernel.judging.prepared import SequenceProgram, StateInputs
from harness.kernel.running.loaded_suite import bounds_of, space_of
from harness.model.finitization import Structures


def wrong_input(attempt: Attempt, suite: SuiteReader) -> str | None:
    """Return a description of the first wrong input; None if all are right."""
    number_of: dict[Hashable, int] = {}
    looks = _sequences if suite.holds_sequences else _states
    for number, (identity, wrong) in enumerate(looks(attempt, suite)):
        if wrong is None and identity in number_of:
            wrong = f"is input {number_of[identity]} again"
        if wrong is not None:
            return f"input {number} {wrong}"
        number_of[identity] = number
    return None


def _states(attempt: Attempt, suite: SuiteReader) -> Iterator[tuple[Hashable, str | None]]:
    """Yield the identity of each input, and a description of its fault or None."""
    space = space_of(attempt.spec, attempt.scope, suite)
    finitization = space.finitization
    sizes = [
        [
            len(suite.header.structures[structure_key(number, position)])
            if isinstance(parameter, Structures)
            else len(parameter)
            for position, parameter in enumerate(target.parameters)
        ]
        for number, target in enumerate(finitization.targets)
    ]
    program = StateInputs(attempt.module, attempt.spec, space, suite)
    for number in range(len(suite)):
        state, at = suite.input(number)
        vector, call = tuple(suite.vector(state)), suite.calls[at]
        identity = vector, call
        outside = [field for field in space.fields if vector[field.number] >= len(field.domain)]
        if outside:
            yield (
                identity,
                f"has a value number {vector[outside[0].number]} of field {outside[0].name}: beyond the scope",
            )
        elif _is_beyond(call, sizes):
            yield identity, f"has call {call}: beyond the scope"
        else:
            prepared = program.prepare(number)
            target = finitization.targets[call.target]
            if not (target.any_state or attempt.spec.rep_ok(prepared.root)):
                yield identity, "has a state that rep_ok refuses"
            else:
                holds = target.requires is None or target.requires(prepared.root, *prepared.arguments)
                yield identity, None if holds else "does not satisfy what its target requires"


def _is_beyond(call: Call, sizes: list[list[int]]) -> bool:
    if call.target >= len(sizes) or len(call.arguments) != len(sizes[call.target]):
        return True
    return any(index >= size for index, size in zip(call.arguments, sizes[call.target], strict=True))


def _sequences(attempt: Attempt, suite: SuiteReader) -> Iterator[tuple[Hashable, str | None]]:
    """Yield the same for call sequences; each is run up to its last call."""
    bounds = bounds_of(attempt.spec, attempt.scope, attempt.subject.source, suite)
    program = SequenceProgram(attempt.module, bounds, suite)
    for number in range(len(suite)):
        calls: tuple[Call, ...] = ()
        try:
            calls = tuple(suite.sequence(number))
            prepared = program.prepare(number)
            prepared.lead_up()
            holds = prepared.holds()
        except (LookupError, ValueError, StoreError) as error:
            yield calls, f"is no sequence of the scope's calls ({type(error).__name__}: {error})"
        else:
            yield calls, None if holds else "has a last call whose precondition does not hold"
