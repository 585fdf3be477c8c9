"""The judge of mutants: runs only the original, and judges the answers of processes that it does not trust.

Started by `harness.runner.witness`: `main` is called by `kernel.process.containment.launch` with the pipe ends ORDERS
and FACTS; orders and words are JSON lines (`harness.kernel.naive.words`). The first order names the subject. The
others ask for inputs as the executor gets them, or have an answer of the executor compared with the original's run.
A mutant's post-state is rebuilt with the original's classes and judged here, out of the mutant's reach.
"""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from harness.codec.codec import codec_of
from harness.kernel.naive.answers import answer_to
from harness.kernel.naive.graphs import told
from harness.kernel.naive.inputs import Case, Suite, case
from harness.kernel.naive.job import SubjectJob
from harness.kernel.naive.promises import Asked, Kept, Promised, too_long_before, untold_before
from harness.kernel.naive.public_sequences import needed_for_results_only
from harness.kernel.naive.rebuilding import Malformed, Unseen, rebuilt
from harness.kernel.naive.remembered import Remembered
from harness.kernel.naive.sequence_judge import SequenceJudge
from harness.kernel.naive.views import (
    UNSEEN,
    Did,
    Kill,
    Original,
    answers,
    call,
    judge,
    judged_call,
    observed,
    observed_call,
    other_answers,
    roots_of,
    too_many_steps,
    view,
)
from harness.kernel.naive.words import (
    ENDLESS,
    JUDGE_ORDERS,
    JUDGE_WORDS,
    Judged,
    JudgeFault,
    JudgeLine,
    JudgeOrder,
    JudgeWord,
    NoAnswer,
    NotSeen,
    Prepare,
    Prepared,
    Ready,
    StateAnswer,
    StateInput,
    ToldKill,
)
from harness.kernel.process.confinement import Limits
from harness.kernel.program.loader import execute_with_ticks
from harness.kernel.program.steps import StepLimit, budget_for, step_counter
from harness.kernel.specs.spec import load_spec
from harness.model.oracles import ORACLES
from harness.model.outcome import KillReason, OracleName, Phase
from harness.names import named_in

REBUILDING_BUDGET = 1_000_000


@dataclass(frozen=True)
class Expected:
    """An input as the executor gets it, the original's outcome on it, and how long that took (T_o).

    `inside`: a mutant cannot be judged from outside here, because the original itself cannot. Either judging calls the
    implementation, or the original's own post-state is not judged as valid and equal once it is rebuilt.
    """

    input: StateInput
    original: Original
    seconds: float
    inside: bool


class Judge:
    """One subject and suite with the original loaded."""

    told_by = 0
    """Always 0: the counterpart of this attribute of a judge of sequences, since there are no further calls here."""

    def __init__(self, job: SubjectJob) -> None:
        self.counter = step_counter()
        self.counter.start(ENDLESS)
        self.spec = load_spec(job.spec_source, job.spec_filename, self.counter)
        self._finitization = self.spec.finitization(job.scope)
        # A function of the spec makes objects that nobody compares; they exist in its own process only.
        self._is_opaque = any(not domain.compared for domain in self._finitization.domains)
        self._suite = Suite(Path(job.suite))
        self._original = execute_with_ticks(job.text(job.source), self.counter)
        self.concrete = job.concrete
        self._original_did = Remembered(self._observe)

    def case(self, number: int, module: Any) -> Case:
        """Prepare input `number` with objects of its own, of the classes of `module`."""
        return case(self._suite, number, self._finitization, module)

    def expected(self, number: int) -> Expected:
        """Return the original's outcome on input `number`.

        Raises:
            ValueError: a run's baseline would reject the outcome.
        """
        return self._original_did.of(number)

    def _observe(self, number: int) -> Expected:
        counter, spec = self.counter, self.spec
        counter.start(ENDLESS)
        run = self.case(number, self._original)
        graph = self._told([run.root, *run.arguments])
        if not (spec.rep_ok(run.root) if run.requires is None else run.requires(run.root, *run.arguments)):
            raise ValueError("a pre-state does not satisfy rep_ok or the precondition")
        start = time.perf_counter()
        counter.start(ENDLESS)
        raised, returned = call(run.call, run.passed)
        steps = counter.spent()
        left = self._told([run.root, returned, *run.arguments])
        original = self._observed(number, Did(raised, returned, run.root, run.arguments), steps)
        seconds = time.perf_counter() - start
        has_state = len(run.passed) > len(run.arguments)
        budget = budget_for(original.steps)
        told_input = StateInput(number, budget, run.name, run.is_function, tuple(run.keywords), has_state, graph)
        try:
            judged = self._judged(number, StateAnswer(number, steps, raised, left), original)
        except Malformed:
            judged = 0, (KillReason.CRASH, Phase.EQUALITY, "cannot be rebuilt")
        inside = original.calls or self._is_opaque or isinstance(graph, str) or judged != (original.steps, None)
        return Expected(told_input, original, seconds, inside)

    def _told(self, roots: list[Any]) -> Any:
        try:
            return told(roots, self._original.__name__)
        except Exception as error:
            return type(error).__name__

    def judge(self, number: int, line: str) -> tuple[int, Kill | None]:
        """Return the steps that a mutant's answer reports, and why the input kills the mutant, if it does.

        Raises:
            Malformed: the line is no answer to this input.
        """
        return self._judged(number, _answer(number, line), self.expected(number).original)

    def judge_here(self, number: int, module: ModuleType) -> tuple[int, Kill | None]:
        """Run a mutant on input `number` in this process. Return its steps, and why the input kills it, if it does."""
        original = self.expected(number).original
        counter = self.counter
        run = self.case(number, module)
        budget = budget_for(original.steps)
        counter.start(budget)
        raised, returned = call(run.call, run.passed)
        steps = counter.spent()
        if steps > budget:
            return steps, too_many_steps(budget)
        did = Did(raised, returned, run.root, run.arguments)
        return self._compared(number, did, steps, original, module)

    def _observed(self, number: int, did: Did, steps: int) -> Original:
        return observed(did, steps, self.spec, self.counter, self.concrete)

    def _compared(
        self, number: int, did: Did, steps: int, original: Original, module: ModuleType
    ) -> tuple[int, Kill | None]:
        """Return the steps of a call on `module`, and why it kills a mutant, if it does."""
        return judge(did, steps, original, self.spec, self.counter, self.concrete)

    def _judged(self, number: int, answer: StateAnswer, original: Original) -> tuple[int, Kill | None]:
        steps = answer.steps
        if steps > budget_for(original.steps):
            return steps, too_many_steps(budget_for(original.steps))
        try:
            self.counter.start(REBUILDING_BUDGET)
            did = self._rebuilt(answer.raised, answer.graph, len(original.after))
        except StepLimit:
            return steps, (KillReason.STEP_LIMIT, Phase.EQUALITY, "checking the post-state takes too many steps")
        except MemoryError:
            return steps, (KillReason.MEMORY_LIMIT, Phase.EQUALITY, "the post-state is too large")
        except Malformed:
            raise
        except Exception as error:  # of a hash or an equality that the original's classes have
            raise Malformed(f"rebuilding the post-state raised {type(error).__name__}") from None
        return self._compared(number, did, steps, original, self._original)

    def _rebuilt(self, raised: str | None, graph: object, views: int) -> Did:
        if isinstance(graph, str):
            if graph in ("MemoryError", "TooLarge"):
                raise MemoryError
            raise Malformed(f"the post-state cannot be told: {graph[:200]}")
        roots = rebuilt(graph, self._original)
        if len(roots) != 1 + views - self.concrete:
            raise Malformed("other arguments than were given")
        root, returned, *arguments = roots
        return Did(raised, returned, root, arguments)


def _answer(number: int, line: str) -> StateAnswer:
    answer = answer_to(number, line)
    if not isinstance(answer, StateAnswer):
        raise Malformed("no answer")
    return answer


class PromisedJudge(Judge):
    """A judge that checks calls against the contracts of the spec (field_exhaustive2016, section 6)."""

    def __init__(self, job: SubjectJob) -> None:
        super().__init__(replace(job, concrete=False))
        self._promised = Promised(self.spec, self.counter, self._original)

    def _observed(self, number: int, did: Did, steps: int) -> Original:
        self.counter.start(ENDLESS)
        pending = self._asked(number, self._original)
        calls = self.counter.spent_by_others() > 0
        baseline = self._promised.original(pending, did, steps, lambda: self.spec.rep_ok(did.root))
        left = [UNSEEN] * (1 + len(did.arguments))
        return Original(
            ("raised", baseline.raised),
            left,
            baseline.steps,
            baseline.judge_steps,
            calls or self.counter.spent_by_others() > 0,
        )

    def _compared(
        self, number: int, did: Did, steps: int, original: Original, module: ModuleType
    ) -> tuple[int, Kill | None]:
        self.counter.start(budget_for(original.judge_steps))
        try:
            pending = self._asked(number, module)
        except StepLimit:
            return 0, too_long_before()
        except Exception as error:
            return 0, untold_before(error)
        baseline = Kept(original.outcome[1], original.steps, original.judge_steps)
        return steps, self._promised.judged(pending, did, baseline, lambda: self.spec.rep_ok(did.root))

    def _asked(self, number: int, module: ModuleType) -> Asked:
        run = self.case(number, module)
        return self._promised.asked(run.name, run.root, run.arguments)


class PublicJudge(Judge):
    """A judge that compares only the values that calls return and the exceptions that they raise."""

    def __init__(self, job: SubjectJob) -> None:
        super().__init__(replace(job, concrete=False))

    def _observed(self, number: int, did: Did, steps: int) -> Original:
        return observed_call(did, steps, self.spec, self.counter)

    def _compared(
        self, number: int, did: Did, steps: int, original: Original, module: ModuleType
    ) -> tuple[int, Kill | None]:
        return judged_call(did, steps, original, self.spec, self.counter)

    def _rebuilt(self, raised: str | None, graph: object, views: int) -> Did:
        with needed_for_results_only():
            return super()._rebuilt(raised, graph, views)


class ObserversJudge(PublicJudge):
    """A judge that calls observers after each call; these are methods of the mutant, so it runs in its process."""

    def _observed(self, number: int, did: Did, steps: int) -> Original:
        original = super()._observed(number, did, steps)
        self.counter.start(ENDLESS)
        observations = answers(roots_of(did), self.spec, lambda answer: view(answer, did.root, self.spec))
        return replace(original, after=observations, judge_steps=self.counter.spent(), calls=True)

    def _compared(
        self, number: int, did: Did, steps: int, original: Original, module: ModuleType
    ) -> tuple[int, Kill | None]:
        steps, kill = super()._compared(number, did, steps, original, module)
        if kill is None:
            self.counter.start(budget_for(original.judge_steps))
            kill = other_answers(did, original, self.spec)
        return steps, kill


def judge_of(job: SubjectJob) -> Judge | SequenceJudge:
    """Return the judge for the job's oracle and for the kind of inputs that the job's suite holds."""
    oracle = ORACLES[OracleName(job.oracle)]
    place = oracle.naive_sequences if Suite(Path(job.suite)).holds_sequences else oracle.naive_states
    kind: type[Judge] | type[SequenceJudge] = named_in("harness.kernel.naive", place)
    return kind(job)


# -- the process ---------------------------------------------------------------------------------


def serve(judge: Judge | SequenceJudge, order: JudgeOrder, tell: Callable[[JudgeWord], None]) -> None:
    """Carry out an order: send a word for each input prepared, or for the answer judged."""
    if isinstance(order, Prepare):
        for number in range(order.first, order.last):
            try:
                expected = judge.expected(number)
            except Exception as error:
                return tell(JudgeFault(f"{type(error).__name__}: {error}"))
            tell(Prepared(expected.input, expected.seconds, expected.inside))
        return None
    _allow_processor(judge.expected(order.input).seconds)
    tell(_judged(judge, order))
    return _allow_processor(None)


def _judged(judge: Judge | SequenceJudge, order: JudgeLine) -> JudgeWord:
    try:
        steps, kill = judge.judge(order.input, order.line)
        return Judged(steps, None if kill is None else ToldKill(*kill), judge.told_by)
    except Unseen:
        return NotSeen()
    except Malformed as error:
        return NoAnswer(str(error))
    except Exception as error:
        return JudgeFault(f"{type(error).__name__}: {error}")


def _allow_processor(original_seconds: float | None) -> None:
    """Let the process use 10 T_o + 1 s of processor time from now, rounded up by whole seconds; None: no limit."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = hard if original_seconds is None else int(time.process_time() + 10 * original_seconds + 1) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _limit_memory(limits: Limits) -> None:
    """Let the judgement of a post-state use as much memory as the mutant had itself."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0])
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + limits.memory, hard))
    except (OSError, ValueError):
        pass  # a system without this limit


def serve_orders(orders_end: int, facts_end: int) -> None:
    """Serve orders until their pipe closes."""
    os.set_inheritable(orders_end, False)
    os.set_inheritable(facts_end, False)
    with os.fdopen(orders_end, encoding="utf-8") as orders, os.fdopen(facts_end, "w", encoding="utf-8") as facts:

        def tell(word: JudgeWord) -> None:
            facts.write(JUDGE_WORDS.to_json(word) + "\n")
            facts.flush()

        try:
            judge = judge_of(codec_of(SubjectJob).of_json(orders.readline()))
        except Exception as error:
            return tell(JudgeFault(f"{type(error).__name__}: {error}"))
        _limit_memory(Limits())
        tell(Ready())
        for line in orders:
            serve(judge, JUDGE_ORDERS.of_json(line), tell)
    return None
