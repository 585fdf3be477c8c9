"""The messages of a sandboxed process to its parent while it answers a request, and the error that ends it."""

from __future__ import annotations

from dataclasses import dataclass

from harness.codec.codec import Codec, codec_of
from harness.codec.kinds import Json
from harness.kernel.process.reported import ReportedError


@dataclass(frozen=True)
class WorkBegins:
    """The work that begins; `is_brief` says that it ends soon, or never."""

    stage: str
    is_brief: bool


@dataclass(frozen=True)
class Beat:
    """A sign of life, and how far the work has come."""

    reached: int


@dataclass(frozen=True)
class InterimFact:
    """The data of a fact that comes before the answer."""

    data: Json


@dataclass(frozen=True)
class AnswerFact:
    """The data of the answer."""

    data: Json


Message = WorkBegins | Beat | InterimFact | AnswerFact
MESSAGES: Codec[Message] = codec_of(Message)
ERRORS = codec_of(ReportedError)
ERROR = "error"
"""The only key of a line of JSON that holds a `ReportedError`; every other line is a message or a fact."""
