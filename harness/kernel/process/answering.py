"""Answers one question in a sandboxed process: the other end of `harness.sandbox.ask`."""

from __future__ import annotations

import json
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness.codec.codec import codec_of
from harness.kernel.process.fact_writer import FactWriter, Heartbeats, telling

Answerer = Callable[[Any, FactWriter, Heartbeats], Any]
"""Takes a request, a dataclass; returns the answer, another one. Its annotations name both classes."""


def answer(arguments: list[str], *answerers: Answerer, beating: bool = True) -> int:
    """Read the request, have it answered by the function that takes its class, and tell the answer.

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
    answerer, request_class, answer_class = next(
        found for found in map(_with_classes, answerers) if found[1].__name__ == name
    )
    request = codec_of(request_class).of_data(data)

    def work(teller: FactWriter, beats: Heartbeats) -> None:
        teller.answer(codec_of(answer_class).to_data(answerer(request, teller, beats)))

    return telling(facts_end, work, beating=beating)


def _with_classes(answerer: Answerer) -> tuple[Answerer, type[Any], type[Any]]:
    """Return the function with the classes of its request and its answer."""
    hints = typing.get_type_hints(answerer)
    return answerer, next(iter(hints.values())), hints["return"]
