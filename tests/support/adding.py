"""A process that answers two kinds of requests, for tests of those who ask."""

import os  # noqa: F401 (for deeds)
import sys  # noqa: F401
from dataclasses import dataclass

from harness.errors import SpecError  # noqa: F401
from harness.kernel.process.talk import Headway, answer


@dataclass(frozen=True)
class Sum:
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class Act:
    deed: str


@dataclass(frozen=True)
class Total:
    number: int


def add(request: Sum, headway: Headway) -> Total:
    return Total(sum(request.numbers))


def act(request: Act, headway: Headway) -> Total:
    headway.begins("doing it")
    exec(request.deed)
    return Total(0)


def main(arguments: list[str]) -> int:
    return answer(arguments, add, act)
