"""Reads what an executor answers to an input: a stranger's word."""

from __future__ import annotations

from harness.codec.reading import DecodeError
from harness.kernel.naive.rebuilding import Malformed
from harness.kernel.naive.words import SAYINGS, SequenceAnswer, StateAnswer, Unmade


def answer_to(number: int, line: str) -> StateAnswer | SequenceAnswer | Unmade:
    """Return an executor's answer to input `number`.

    Raises:
        Malformed: it is none.
    """
    try:
        answer = SAYINGS.of_json(line)
    except DecodeError as error:
        raise Malformed(str(error)[:200]) from None
    if not isinstance(answer, (StateAnswer, SequenceAnswer, Unmade)):
        raise Malformed("no answer")
    if answer.input != number:
        raise Malformed("an answer to another input")
    return answer
