"""The request to check a subject, and the results."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from textwrap import indent
from typing import Any

from harness.amounts import counted
from harness.kernel.program.loader import SubjectRequest


@dataclass(frozen=True)
class CheckRequest(SubjectRequest):
    """Check the properties of a subject; `folder` is the spec's, as the printed programs are to name it."""

    folder: str
    mode: str


@dataclass(frozen=True)
class Counterexample:
    """The smallest failing input: fewest objects, then first in Korat's order."""

    violation: str
    objects: int
    source: str
    """A Python program that makes the input field by field and ends with the failure."""
    sequence: str | None
    """The same program with the pre-state made by the shortest call sequence; None if none was found."""


@dataclass
class PropertyResult:
    """The executions for a property, and its failures.

    `calls` are executions of the method or axiom, `candidates` those of the predicate in the search that provided the
    inputs. `refused` are calls that raised an exception of misuse in targets without a postcondition (decision 111).
    """

    name: str
    target: str
    kind: str
    """`postcondition`, `rep_ok` (if the target has no postcondition) or `axiom`."""
    calls: int = 0
    refused: int = 0
    candidates: int = 0
    failing: int = 0
    counterexample: Counterexample | None = None

    @property
    def outcome(self) -> str:
        """The number of inputs that fail; without a failure, `holds`, unless no call returned."""
        if self.failing:
            return f"{counted(self.failing, 'input')} {'fails' if self.failing == 1 else 'fail'}"
        return "not shown, as no call returned" if self.calls and self.refused == self.calls else "holds"


@dataclass(frozen=True)
class ComparedPredicate:
    """A predicate by dedicated generators that accepts the same states or inputs as the predicate that it replaces."""

    name: str
    stands_for: str
    accepted: int
    """The number of states, or of inputs of the target that it is the precondition of."""


@dataclass(frozen=True)
class Checked:
    """The properties, and the predicates that are searched by and accept what they stand for."""

    properties: tuple[PropertyResult, ...]
    predicates: tuple[ComparedPredicate, ...]


@dataclass(frozen=True)
class CheckResult:
    """All properties of a subject, checked on all inputs of a scope."""

    subject: str
    scope: int
    mode: str
    seconds: float
    properties: tuple[PropertyResult, ...]
    predicates: tuple[ComparedPredicate, ...] = ()

    @property
    def violated(self) -> tuple[PropertyResult, ...]:
        """The properties with a counterexample."""
        return tuple(found for found in self.properties if found.counterexample is not None)

    def as_dict(self) -> dict[str, Any]:
        """Return the result as a dict for JSON."""
        return asdict(self)

    def as_text(self) -> str:
        """Return the result for people: a line per property, then each counterexample."""
        count = len(self.properties)
        of = f"{count} {'property' if count == 1 else 'properties'}"
        lines = [f"{self.subject} scope {self.scope}, {self.mode}: {len(self.violated)} of {of} violated"]
        for result in self.properties:
            kind_note = {
                "rep_ok": " (rep_ok and exceptions only: no postcondition, so results are not checked)",
                "axiom": " (axiom)",
            }.get(result.kind, "")
            refused = f" ({result.refused:,} raised an exception that counts as misuse)" if result.refused else ""
            calls = f"{result.calls:,} calls{refused}, {result.candidates:,} candidates"
            lines.append(f"  {result.name}{kind_note}: {result.outcome}; {calls}")
        for each in self.predicates:
            inputs = "states" if each.stands_for == "rep_ok" else "inputs"
            lines.append(f"  {each.name}: accepts the same {each.accepted:,} {inputs} as {each.stands_for}")
        for result in self.violated:
            counterexample = result.counterexample
            assert counterexample is not None
            lines += [
                "",
                f"{result.name}: {counterexample.violation}. The smallest counterexample:",
                "",
                indent(counterexample.source, "    "),
            ]
            if counterexample.sequence is not None:
                lines += ["The same by calls:", "", indent(counterexample.sequence, "    ")]
        return "\n".join(lines).rstrip()
