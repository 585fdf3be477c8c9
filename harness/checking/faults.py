"""Finds a program's own faults with the inputs of any suite (field_exhaustive2016, section 6, Table 2)."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from textwrap import indent
from typing import Any

from harness.amounts import counted
from harness.checking.fault_search import DetectedFault, FaultsOfSuite, FaultsRequest
from harness.errors import UsageError
from harness.model.experiment import Trial
from harness.runner.provenance import MakingRecord
from harness.runner.subjects import load_subject
from harness.runner.suites import ensure_suite
from harness.sandbox.ask import Question, ask


@dataclass(frozen=True)
class FaultReport:
    """The faults that a suite shows, by number of the first input.

    `generating` and `testing` are in seconds: the time to make the suite, and the processor time to run it. `origin`
    states where, how and when the suite was made, if not now.
    """

    subject: str
    title: str
    generator: str
    scope: int
    seed: int
    inputs: int
    generating: float
    testing: float
    faults: tuple[DetectedFault, ...]
    origin: str | None = None

    @property
    def distinct(self) -> tuple[str, ...]:
        """The names of the faults that one cause explains."""
        return tuple(fault.name for fault in self.faults if fault.has_one_cause)

    def as_dict(self) -> dict[str, Any]:
        """Return the report as a dict for JSON."""
        faults = [{"name": fault.name, **asdict(fault)} for fault in self.faults]
        return asdict(self) | {"faults": faults, "distinct": len(self.distinct)}

    def as_text(self) -> str:
        """Return the report for people: a line per fault, then the smallest input of each."""
        seconds = f"{self.generating:.2f} s to make, {self.testing:.2f} s to run"
        faults = counted(len(self.distinct), "distinct fault")
        head = f"{self.subject} scope {self.scope}, {self.generator}: {faults}"
        lines = [f"{head} on {counted(self.inputs, 'input')}, {seconds}"]
        if self.origin:
            lines.append(f"seconds to make: of when the suite was made: {self.origin}")
        for fault in self.faults:
            note = "" if fault.has_one_cause else " (counted for none)"
            lines.append(f"  {fault.name}: {counted(fault.inputs, 'input')}, number {fault.first:,} the first{note}")
        for fault in self.faults:
            lines += [
                "",
                f"{fault.name}. The smallest input, of {fault.objects} objects:",
                "",
                indent(fault.shown, "    "),
            ]
        return "\n".join(lines).rstrip()


def faults(subject: str, generator: str = "korat", scope: int = 3, seed: int = 0) -> FaultReport:
    """Run a subject once on each input of a suite; the spec's `fault` names the faults that the inputs reveal.

    Raises:
        UsageError: the inputs are sequences of calls.
        SpecError: the spec has no function `fault`, or that function raises.
        BaselineError: the process died during the execution, or was stuck.
    """
    trial, program = Trial(subject, generator, scope, seed), load_subject(subject)
    now = MakingRecord.now()
    suite = ensure_suite(program, trial)
    if suite.holds_sequences:
        raise UsageError(
            f"{trial}: faults need a suite of states, not of call sequences; take another generator: korat"
        )
    result = ask(
        Question(
            process="harness.observing.process",
            request=FaultsRequest.of(program, scope, suite=str(suite.folder)),
            answer=FaultsOfSuite,
            work=f"{trial}: running its suite",
            readable=[suite.folder],
        )
    )
    return FaultReport(
        **vars(trial),
        title=program.title,
        inputs=len(suite),
        generating=suite.header.seconds,
        origin=now.origin_of(suite.header),
        testing=result.seconds,
        faults=result.faults,
    )
