"""The faults of a program itself that a suite shows."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from textwrap import indent
from typing import Any

from harness.amounts import counted


@dataclass(frozen=True)
class DetectedFault:
    """A fault with its causes: the number of inputs that show it, the first of them, and the smallest as text.

    `objects` is the number of objects of the smallest input; `first` is the number of the first input, from 0.
    """

    causes: tuple[str, ...]
    inputs: int
    first: int
    objects: int
    shown: str

    @property
    def name(self) -> str:
        """The causes of the fault, as text for people."""
        from harness.kernel.specs.programs.faults import name_of  # a check of properties has no use for it

        return name_of(self.causes)

    @property
    def has_one_cause(self) -> bool:
        """Whether one cause alone explains it, so that it counts as found."""
        return len(self.causes) == 1


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
