"""The words of the naive path's processes: orders, reports, and what an executor gets and says of its mutant.

Here is nothing that a mutant must not find: an executor imports this.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from harness.codec.codec import Codec, codec_of
from harness.codec.kinds import MOST_NUMBER, Bound, Json
from harness.kernel.naive.job import SubjectJob
from harness.kernel.program.loader import ModuleText
from harness.model.outcome import KillReason, Phase

ENDLESS = 1 << 62

StepCount = Annotated[int, Bound(ENDLESS - 1)]
Number = Annotated[int, Bound(MOST_NUMBER)]

# -- inputs, as an executor gets them -------------------------------------------------------------


@dataclass(frozen=True)
class StateInput:
    """A state with a call on it.

    Attributes:
        input: its number.
        budget: the steps that the call may take.
        call: the name of the method or function.
        function: whether it is a function.
        keywords: names of the parameters that get the last arguments.
        state: whether the state is passed, too.
        graph: the graph of the state and the arguments, or the name of the exception because of which there is none.
    """

    input: Number
    budget: int
    call: str
    function: bool
    keywords: tuple[str, ...]
    state: bool
    graph: Json


@dataclass(frozen=True)
class EncodedCall:
    """One call: the target's name and kind ("constructor", "method" or "function"), and the number of the call whose
    result is the receiver.

    An argument is `(True, number of an earlier call)`, or `(False, place among the values of the sequence)`.
    """

    name: str
    kind: str
    receiver: int | None
    arguments: tuple[tuple[bool, int], ...]
    keywords: tuple[str, ...]

    @property
    def used_calls(self) -> list[int]:
        """Numbers of the calls whose results it takes."""
        own = [] if self.receiver is None else [self.receiver]
        return own + [number for is_earlier, number in self.arguments if is_earlier]


@dataclass(frozen=True)
class SequenceInput:
    """A sequence of calls.

    Attributes:
        input: its number.
        first: the number of the first call that is run.
        object_calls: numbers of the calls whose results are among the objects of the graph.
        graph: the graph of the objects and values that the calls start from, or the name of the exception because of
            which there is none.
        making: the steps that making these may take.
        calls: all calls.
        budgets: the steps that each call that is run may take.
    """

    input: Number
    first: int
    object_calls: tuple[int, ...]
    graph: Json
    making: int
    calls: tuple[EncodedCall, ...]
    budgets: tuple[int, ...]


@dataclass(frozen=True)
class InsideInput:
    """The number of an input, for an executor that judges by itself."""

    input: Number


Input = StateInput | SequenceInput | InsideInput
INPUTS: Codec[Input] = codec_of(Input)

# -- what an executor says of its mutant: a stranger's words --------------------------------------


@dataclass(frozen=True)
class ReportedKill:
    """The way in which an input distinguishes a mutant from the original."""

    reason: KillReason
    phase: Phase
    detail: str


@dataclass(frozen=True)
class Compiled:
    """The mutant compiles."""


@dataclass(frozen=True)
class Stillborn:
    """The mutant does not compile; `error` is the type of the exception."""

    error: str


@dataclass(frozen=True)
class Loaded:
    """The mutant is loaded."""


@dataclass(frozen=True)
class Unloadable:
    """Loading the mutant raised an exception of this type."""

    error: str


@dataclass(frozen=True)
class StateAnswer:
    """A call was run on a state.

    Attributes:
        input: the number of the input.
        steps: the steps of the call.
        raised: the type of the exception that it raised, if it did.
        graph: the graph of the state, the returned value and the arguments; None if the call spent its budget; or the
            name of the exception because of which there is none.
    """

    input: Number
    steps: StepCount
    raised: str | None
    graph: Json


@dataclass(frozen=True)
class SequenceCallAnswer:
    """One call of a sequence was run.

    Attributes:
        steps: the steps of the call.
        raised: the type of the exception that it raised, if it did.
        numbers: the numbers of the calls whose results are objects that are compared.
        graph: the graph of the returned value, these objects and the arguments, or as in `StateAnswer`.
    """

    steps: StepCount
    raised: str | None
    numbers: tuple[int, ...]
    graph: Json


@dataclass(frozen=True)
class SequenceAnswer:
    """The calls of a sequence were run, up to the first that spent its budget."""

    input: Number
    parts: tuple[SequenceCallAnswer, ...]


@dataclass(frozen=True)
class Unmade:
    """The state that a sequence starts from could not be made; `raised` is the type of the exception."""

    input: Number
    raised: str


@dataclass(frozen=True)
class Judgement:
    """The steps of an input, and why it kills the mutant, if it does; sent by an executor that judges by itself."""

    steps: Number
    kill: ReportedKill | None


@dataclass(frozen=True)
class InputFailed:
    """Running an input raised an exception that no mutant raises."""

    fault: str


Beginning = Compiled | Stillborn | Loaded | Unloadable
Answer = StateAnswer | SequenceAnswer | Unmade | Judgement | InputFailed
SAYINGS: Codec[Beginning | Answer] = codec_of(Beginning | Answer)

# -- the nursery -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Turn:
    """A line for the executor, or None to hear it only, and the processor time that it has for an answer."""

    line: str | None
    seconds: float


@dataclass(frozen=True)
class Born:
    """A mutant to be started; `inside` is the subject for an executor that judges by itself."""

    text: ModuleText
    inside: SubjectJob | None


@dataclass(frozen=True)
class NurseryOrder:
    """Turns of an executor; with `mutant`, a new one comes before them."""

    mutant: Born | None
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class ExecutorLine:
    """The line that an executor said in a turn."""

    line: str


@dataclass(frozen=True)
class ExecutorDied:
    """The death of an executor; the turns that were left are dropped."""

    reason: KillReason
    detail: str


NURSERY_ORDERS: Codec[NurseryOrder] = codec_of(NurseryOrder)
NURSERY_WORDS: Codec[ExecutorLine | ExecutorDied] = codec_of(ExecutorLine | ExecutorDied)

# -- the judge -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Prepare:
    """Report the inputs `first` to `last - 1`."""

    first: int
    last: int


@dataclass(frozen=True)
class JudgeLine:
    """Judge the line that an executor said to an input."""

    input: int
    line: str


@dataclass(frozen=True)
class Ready:
    """The subject is loaded, and orders are waited for."""


@dataclass(frozen=True)
class PreparedTurn:
    """An input as the executor gets it, and the seconds that the original took.

    `inside`: a mutant cannot be judged from outside here.
    """

    input: StateInput | SequenceInput
    seconds: float
    inside: bool


@dataclass(frozen=True)
class Judged:
    """The judgement of a line.

    `calls_to_kill`: the calls of a sequence that suffice for the kill, if others were run after them; else 0.
    """

    steps: Number
    kill: ReportedKill | None
    calls_to_kill: int = 0


@dataclass(frozen=True)
class NotSeen:
    """The line describes a result that can be judged in the mutant's process only."""


@dataclass(frozen=True)
class NoAnswer:
    """The line is no answer to the input."""

    problem: str


@dataclass(frozen=True)
class JudgeFault:
    """The judge itself failed."""

    fault: str


JudgeOrder = Prepare | JudgeLine
JUDGE_ORDERS: Codec[JudgeOrder] = codec_of(JudgeOrder)
JudgeWord = Ready | PreparedTurn | Judged | NotSeen | NoAnswer | JudgeFault
JUDGE_WORDS: Codec[JudgeWord] = codec_of(JudgeWord)
