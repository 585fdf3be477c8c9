"""The naive witness of a verdict: one mutant in one fresh process, from stored facts, nothing kept or skipped.

Started by `harness.runner.witness` as `python -m harness.kernel.naive TESTIMONY`, the job being
JSON on standard input; it says what it sees as JSON lines on handle TESTIMONY. It shares with
the fast path what both must mean by the same words: how a module's text is executed, what a
step is, how large a budget is, and how a process is confined. It decodes, runs, judges and
compares on its own.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harness.kernel.alike import alike
from harness.kernel.job import Limits
from harness.kernel.loader import ModuleText, execute_with_ticks
from harness.kernel.naive_input import Case, Suite, case
from harness.kernel.program import RECURSION_LIMIT
from harness.kernel.sandboxed import confine
from harness.kernel.specs import Spec, load_spec
from harness.kernel.steps import StepCounter, StepLimit, budget_for, step_counter
from harness.model.mutant import Location
from harness.model.outcome import KillReason, Phase

LOAD_BUDGET = 1_000_000
ENDLESS = 1 << 62

Kill = tuple[KillReason, Phase, str]
View = tuple[str, Any]


@dataclass(frozen=True)
class NaiveJob:
    """A mutant as stored (`replacement` for the text `original` at `location`), its subject and suite.

    Inputs are run from number `first` to `last - 1`, and if not `every_input`, to the first kill.
    """

    module: str
    filename: str
    source: str
    blocked: tuple[str, ...]
    location: Location
    original: str
    replacement: str
    spec_source: str
    spec_filename: str
    suite: str
    scope: int
    concrete: bool
    every_input: bool
    last: int
    first: int = 0

    def text(self) -> str:
        """As JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def of(cls, text: str) -> NaiveJob:
        """From JSON."""
        fields = json.loads(text)
        return cls(**fields | {"location": Location(**fields["location"]), "blocked": tuple(fields["blocked"])})


def mutated(job: NaiveJob) -> str:
    """The source with the replacement in place.

    Raises:
        ValueError: the source has another text there.
    """
    at, lines = job.location, job.source.split("\n")
    before = "\n".join([*lines[: at.line - 1], lines[at.line - 1][: at.column]])
    after = "\n".join([lines[at.end_line - 1][at.end_column :], *lines[at.end_line :]])
    if before + job.original + after != job.source:
        raise ValueError(f"the source does not have {job.original!r} at {at}")
    return before + job.replacement + after


# -- what is seen of it --------------------------------------------------------------------------


def outcome(run: Case, spec: Spec) -> View:
    """What the call did: raised an exception of some type, or returned something. StepLimit passes."""
    # The fast path counts its limit from three frames above the caller of the target.
    sys.setrecursionlimit(_depth() - 1 + RECURSION_LIMIT - 2)
    try:
        returned = run.call(*run.passed)
    except StepLimit:
        raise
    except BaseException as error:
        return "raised", type(error).__qualname__
    try:
        return "returned", view(returned, run.root, spec)
    except Exception as error:
        return "unclear", type(error).__qualname__


def _depth() -> int:
    """Frames of the stack, this one included."""
    frame, depth = sys._getframe(), 1
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    return depth


def view(value: Any, root: Any, spec: Spec) -> View:
    """How a returned value or an argument is compared: structures of the root's class by the subject's equality."""
    if value is root:
        return "root", None
    if spec.abstraction is None or type(value) is not type(root):
        return "value", value
    if spec.rep_ok(value):
        return "abstract", spec.abstraction(value)
    return "concrete", value


def after(run: Case, spec: Spec, concrete: bool) -> list[View]:
    """The post-state and the arguments after the call, as they are compared."""
    root = run.root
    views: list[View] = [("concrete", root) if spec.abstraction is None else ("abstract", spec.abstraction(root))]
    views += [view(argument, root, spec) for argument in run.arguments]
    if concrete:
        views.append(("concrete", [root, *run.arguments]))
    return views


def equal(left: View, right: View) -> bool:
    """Whether two views show the same."""
    return left[0] == right[0] and alike(left[1], right[1], by_identity=left[0] == "concrete")


def same_outcome(left: View, right: View) -> bool:
    """Whether two calls did the same."""
    if left[0] != "returned" or right[0] != "returned":
        return left == right
    return equal(left[1], right[1])


# -- judging -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Original:
    """What the original did on one input."""

    outcome: View
    after: list[View]
    steps: int
    judge_steps: int


def observe(run: Case, spec: Spec, counter: StepCounter, concrete: bool) -> Original:
    """Runs the original.

    Raises:
        ValueError: it is not what a run's baseline lets pass.
    """
    counter.start(ENDLESS)
    if not (spec.rep_ok(run.root) if run.requires is None else run.requires(run.root, *run.arguments)):
        raise ValueError("a pre-state does not satisfy rep_ok or the precondition")
    counter.start(ENDLESS)
    did = outcome(run, spec)
    steps = counter.spent()
    if did[0] == "unclear":
        raise ValueError("what the original returned cannot be compared")
    counter.start(ENDLESS)
    if not spec.rep_ok(run.root):
        raise ValueError("a post-state of the original does not satisfy rep_ok")
    return Original(did, after(run, spec, concrete), steps, counter.spent())


def judge(run: Case, original: Original, spec: Spec, counter: StepCounter, concrete: bool) -> tuple[int, Kill | None]:
    """Runs the mutant; the steps of its call, and why it is told from the original, if it is."""
    budget = budget_for(original.steps)
    counter.start(budget)
    try:
        did = outcome(run, spec)
    except StepLimit:
        pass
    steps = counter.spent()
    if steps > budget:
        return steps, (KillReason.STEP_LIMIT, Phase.CALL, f"more than {budget} steps")
    if not same_outcome(did, original.outcome):
        return steps, _other_outcome(did, original.outcome)
    counter.start(budget_for(original.judge_steps))
    return steps, _other_state(run, original, spec, concrete)


def _other_outcome(did: View, original: View) -> Kill:
    if did == ("raised", "MemoryError"):
        return KillReason.MEMORY_LIMIT, Phase.CALL, "raised MemoryError"
    if did[0] == "raised":
        return KillReason.EXCEPTION, Phase.CALL, f"raised {did[1]}"
    if original[0] == "raised":
        return KillReason.EXCEPTION, Phase.CALL, f"did not raise {original[1]}"
    return KillReason.OUTPUT, Phase.CALL, "returned another value"


def _other_state(run: Case, original: Original, spec: Spec, concrete: bool) -> Kill | None:
    phase, broken = Phase.REP_OK, KillReason.REP_INVARIANT
    try:
        if not spec.rep_ok(run.root):
            return broken, phase, "the post-state does not satisfy rep_ok"
        phase, broken = Phase.EQUALITY, KillReason.STATE
        views = after(run, spec, concrete)
    except StepLimit:
        return KillReason.STEP_LIMIT, phase, "checking the post-state takes too many steps"
    except MemoryError:
        return KillReason.MEMORY_LIMIT, phase, "checking the post-state ran out of memory"
    except Exception as error:
        return broken, phase, f"checking the post-state raised {type(error).__name__}"
    if all(map(equal, views, original.after)):
        return None
    return KillReason.STATE, phase, "the post-state differs"


# -- the process ---------------------------------------------------------------------------------


def testify(job: NaiveJob, tell: Callable[..., None]) -> None:
    """Tells of the mutant's loading, then of every input before and after the mutant runs it."""
    counter = step_counter()
    counter.start(ENDLESS)
    spec = load_spec(job.spec_source, job.spec_filename, counter)
    finitization = spec.finitization(job.scope)
    suite = Suite(Path(job.suite))
    original = execute_with_ticks(ModuleText(job.module, job.source, job.filename, job.blocked), counter)
    text = ModuleText(job.module, mutated(job), job.filename, job.blocked)
    try:
        compile(text.source, text.filename, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        return tell(stillborn=type(error).__name__)
    tell(loading=True)
    _allow_processor(0.0)
    counter.start(LOAD_BUDGET)
    sys.setrecursionlimit(_depth() + RECURSION_LIMIT)
    try:
        module = execute_with_ticks(text, counter)
    except BaseException as error:
        name = type(error).__qualname__
        return tell(unloadable=[KillReason.EXCEPTION.value, Phase.LOAD.value, f"loading the module raised {name}"])
    for number in range(job.first, job.last):
        _allow_processor(None)
        counter.start(ENDLESS)
        fresh = case(suite, number, finitization, original)
        start = time.perf_counter()
        expected = observe(fresh, spec, counter, job.concrete)
        seconds = time.perf_counter() - start
        tell(input=number, seconds=seconds)
        _allow_processor(seconds)
        counter.start(LOAD_BUDGET)
        steps, kill = judge(case(suite, number, finitization, module), expected, spec, counter, job.concrete)
        tell(input=number, steps=steps, kill=kill and [kill[0].value, kill[1].value, kill[2]])
        if kill and not job.every_input:
            break
    return tell(end=True)


def _allow_processor(original_seconds: float | None) -> None:
    """Lets the process use 10 T_o + 1 s of processor time from now, rounded up by whole seconds; None: no limit."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = hard if original_seconds is None else int(time.process_time() + 10 * original_seconds + 1) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def main(arguments: list[str]) -> None:
    """Reads the job, confines the process, testifies, and leaves without any of the mutant's exit handlers."""
    end = int(arguments[0])
    job = NaiveJob.of(sys.stdin.read())
    confine(Limits(), {end})

    def tell(**seen: Any) -> None:
        os.write(end, json.dumps(seen).encode() + b"\n")

    try:
        testify(job, tell)
    except BaseException as error:
        tell(fault=f"{type(error).__name__}: {error}")
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
