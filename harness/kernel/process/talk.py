"""The talk of a sandboxed process with its parent: requests, messages, facts, heartbeats and errors of the user's."""

from __future__ import annotations

import json
import os
import signal
import typing
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Self, TypeVar

from harness import errors
from harness.codec.codec import Codec, Json, codec_of
from harness.errors import MutascopeError

_LONGEST_MESSAGE = 4000


@dataclass(frozen=True)
class ReportedError:
    """The name of a class of harness.errors, and a message. The process that reports it may have run anything."""

    name: str
    message: str

    @classmethod
    def of(cls, error: MutascopeError) -> ReportedError:
        """Make the report of an error."""
        return cls(nearest_class(error).__name__, str(error))

    def error(self) -> MutascopeError:
        """Return the error to be raised, with a message of one line."""
        kind = vars(errors).get(self.name)
        if not (isinstance(kind, type) and issubclass(kind, MutascopeError)):
            kind = MutascopeError
        return kind(" ".join(self.message[:_LONGEST_MESSAGE].split()))


def nearest_class(error: MutascopeError) -> type[MutascopeError]:
    """Return the nearest class of harness.errors: plug-ins may derive others, which the parent does not know."""
    classes = (cls for cls in type(error).__mro__ if vars(errors).get(cls.__name__) is cls)
    return next((cls for cls in classes if issubclass(cls, MutascopeError)), MutascopeError)


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


class Alarm(ABC):
    """Within `with Alarm(...)`, `ring` is called every `interval` seconds. Main thread only.

    Exceptions of `ring` are raised where the program is. None may be raised while the block ends: the alarm would stay
    on. Code in C that does not return is not interrupted.
    """

    def __init__(self, interval: float) -> None:
        self._interval = interval

    def __enter__(self) -> Self:
        self._former = signal.signal(signal.SIGALRM, self.ring)
        signal.setitimer(signal.ITIMER_REAL, self._interval, self._interval)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self._former)

    @abstractmethod
    def ring(self, number: int, frame: FrameType | None) -> None:
        """Handle the signal; `frame` is the one that the program is executing."""


INTERVAL = 0.5
"""The seconds between two beats."""


class FactWriter:
    """Writes facts to a pipe, as lines of JSON; a signal handler may do so, too. Main thread only."""

    def __init__(self, facts_end: int) -> None:
        self._end = facts_end

    def write(self, fact: object) -> None:
        """Write one fact, whole, whatever signal handlers write meanwhile; end the process if nobody listens."""
        data = memoryview(json.dumps(fact).encode() + b"\n")
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
        try:
            while data:
                data = data[os.write(self._end, data) :]
        except BrokenPipeError:
            os._exit(1)  # nobody is left to work for; an exception would end up in the user's code
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def begins(self, stage: str, *, is_brief: bool = False) -> None:
        """Say what the process does from now on: what a parent names if it hears no more.

        Args:
            stage: the work that begins.
            is_brief: it ends soon, or never, as bounds of a spec do; a parent waits less long for its end.
        """
        self.write(MESSAGES.to_data(WorkBegins(stage, is_brief)))

    def beat(self, reached: int) -> None:
        """Say that the process lives, and how far its work has come."""
        self.write(MESSAGES.to_data(Beat(reached)))

    def report(self, data: object) -> None:
        """Write the data of a fact that comes before the answer."""
        self.write(MESSAGES.to_data(InterimFact(Json(data))))

    def answer(self, data: object) -> None:
        """Write the data of the answer."""
        self.write(MESSAGES.to_data(AnswerFact(Json(data))))

    def fail(self, error: MutascopeError) -> None:
        """Write an error of the user's making."""
        self.write({ERROR: ERRORS.to_data(ReportedError.of(error))})


class Heartbeats(Alarm):
    """Within `with Heartbeats(...)`, reports the progress of the work every INTERVAL seconds.

    A process in C code that does not return sends no beat; one in an endless loop in Python always sends the same
    number. So its parent can distinguish both from one at work (`harness.sandbox.ask`). Main thread only.
    """

    def __init__(self, teller: FactWriter) -> None:
        super().__init__(INTERVAL)
        self._teller = teller
        self.reached: Callable[[], int] = lambda: 0
        """Returns how far the work has come; the number grows while the work advances."""
        self.looks: Callable[[FrameType | None], object] = lambda frame: None
        """Called at each beat with the frame that is being executed; its exceptions are raised there."""

    def ring(self, number: int, frame: FrameType | None) -> None:
        try:
            self._teller.beat(self.reached())
        except RecursionError:
            return  # the user's code is deep in recursion, and not to hear of it from us; there is a next beat
        self.looks(frame)


def telling(facts_end: str, work: Callable[[FactWriter, Heartbeats], object], *, beating: bool = True) -> int:
    """Do the work of a process whose parent listens at the pipe `facts_end`, with beats meanwhile if `beating`.

    Return the exit status: 0, or that of the error of harness.errors that ended the work, which is written, too.
    """
    os.set_inheritable(int(facts_end), False)
    teller = FactWriter(int(facts_end))
    try:
        beats = Heartbeats(teller)
        with beats if beating else nullcontext():
            work(teller, beats)
    except MutascopeError as error:
        teller.fail(error)
        return error.exit_status
    return 0


Item = TypeVar("Item")


@dataclass
class Headway:
    """The reports of a process while it works: the work that begins, and its progress."""

    teller: FactWriter
    beats: Heartbeats
    item_count: int = 0
    """The number of items that `each` has yielded so far."""

    def begins(self, stage: str, reached: Callable[[], int] | None = None, *, is_brief: bool = False) -> None:
        """Report the work that begins.

        Args:
            stage: the work. A parent names it if it hears no more.
            reached: returns its progress (default: items taken from `each`).
            is_brief: as in `FactWriter.begins`.
        """
        self.beats.reached = reached or (lambda: self.item_count)
        self.teller.begins(stage, is_brief=is_brief)

    def each(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield the items, each of which counts as headway."""
        for item in items:
            self.item_count += 1
            yield item


Answerer = Callable[[Any, Headway], Any]
"""Takes a request, a dataclass; returns the answer, another one. Its annotations name both classes."""


def requested(arguments: list[str]) -> str:
    """Return the name of the class of the request that `answer` gets with the same arguments."""
    ((name, _),) = json.loads(Path(arguments[0]).read_bytes()).items()
    return str(name)


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
    by_name = {_classes(answerer)[0].__name__: answerer for answerer in answerers}
    request_class, answer_class = _classes(by_name[name])
    request = codec_of(request_class).of_data(data)

    def work(teller: FactWriter, beats: Heartbeats) -> None:
        teller.answer(codec_of(answer_class).to_data(by_name[name](request, Headway(teller, beats))))

    return telling(facts_end, work, beating=beating)


def _classes(answerer: Answerer) -> tuple[type[Any], type[Any]]:
    """Return the classes of the request and the answer of a function."""
    hints = typing.get_type_hints(answerer)
    return next(iter(hints.values())), hints["return"]
