"""Answers one question in a sandboxed process: the other end of `harness.sandbox.ask`."""

from __future__ import annotations

import json
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness.codec.codec import codec_of
from harness.kernel.process.fact_writer import FactWriter, Heartbeats, telling
from harness.kernel.process.headway import Headway

Answerer = Callable[[Any, Headway], Any]
"""Takes a request, a dataclass; returns the answer, another one. Its annotations name both classes."""


def answer(arguments: list[str], *answerers: Answerer, beating: bool = True) -> int:
    """Read the request, have it answered by the function that takes its class, and tell the answer.

    Args:
        arguments: as those of `answer_by`.
        beating: as that of `answer_by`.
    """
    by_name = {_classes(answerer)[0].__name__: answerer for answerer in answerers}
    return answer_by(arguments, by_name.__getitem__, beating=beating)


def answer_by(arguments: list[str], answerer_of: Callable[[str], Answerer], *, beating: bool = True) -> int:
    """Read the request, have it answered by the function that is found by the name of its class, and tell the answer.

    Heartbeats say meanwhile that the process lives, unless its work reports progress by itself. Errors of the user's
    making are told, too.

    Args:
        arguments: REQUEST ORDERS FACTS: the request's file and the numbers of the pipe ends.
        beating: whether there are beats.

    Returns:
        The exit status of the process.
    """
    request_path, _, facts_end = arguments
    ((name, data),) = json.loads(Path(request_path).read_bytes()).items()
    answerer = answerer_of(name)
    request_class, answer_class = _classes(answerer)
    request = codec_of(request_class).of_data(data)

    def work(teller: FactWriter, beats: Heartbeats) -> None:
        teller.answer(codec_of(answer_class).to_data(answerer(request, Headway(teller, beats))))

    return telling(facts_end, work, beating=beating)


def _classes(answerer: Answerer) -> tuple[type[Any], type[Any]]:
    """Return the classes of the request and the answer of a function."""
    hints = typing.get_type_hints(answerer)
    return next(iter(hints.values())), hints["return"]
