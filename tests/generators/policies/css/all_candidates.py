"""All sequences of a scope's routines with all objects, for tests: what candidates are chosen from."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from harness.generators.influence.candidate import CandidateCall, CandidateSequence
from harness.generators.influence.protocol import Feedback
from harness.model.sequence import SequenceScope


class AllCandidates:
    """The candidates of a target with receivers and objects made by constructors, by length, in lexical order."""

    def __init__(self, scope: SequenceScope, target: int, most_calls: int) -> None:
        self._candidates = (c for length in range(1, most_calls + 1) for c in of_length(scope, length, target))
        self.feedback: list[Feedback] = []
        self.surprises: set[tuple[str, str]] = set()

    def __iter__(self) -> AllCandidates:
        return self

    def __next__(self) -> CandidateSequence:
        return next(self._candidates)

    def add_feedback(self, feedback: Feedback) -> None:
        self.feedback.append(feedback)


def of_length(scope: SequenceScope, length: int, target: int) -> Iterator[CandidateSequence]:
    for calls in _beginnings(scope, length, target):
        yield CandidateSequence(calls)


def _beginnings(scope: SequenceScope, length: int, target: int | None) -> Iterator[tuple[CandidateCall, ...]]:
    if not length:
        yield ()
        return
    for before in _beginnings(scope, length - 1, None):
        for number in range(len(scope.routines)):
            if target is None or number == target:
                for call in _calls(scope, number, before):
                    yield (*before, call)


def _calls(scope: SequenceScope, number: int, before: tuple[CandidateCall, ...]) -> Iterator[CandidateCall]:
    routine = scope.routines[number]
    constructed = [at for at, call in enumerate(before) if not scope.routines[call.target].has_receiver]
    receivers: list[int | None] = [*constructed] if routine.has_receiver else [None]
    choices: list[list[int | None]] = []
    for parameter in routine.parameters:
        objects: list[int | None] = [*constructed] if parameter.earlier else []
        choices.append([*([None] if parameter.values else []), *objects])
    for receiver, *arguments in product(receivers, *choices):
        yield CandidateCall(number, routine.name, routine.kind, receiver, tuple(arguments))
