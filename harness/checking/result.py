"""What checking a subject comes to."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from textwrap import indent
from typing import Any


@dataclass(frozen=True)
class Counterexample:
    """The smallest failing input: fewest objects, then first in Korat's order."""

    violation: str
    objects: int
    source: str
    """A Python program that makes the input field by field and ends with the failure."""
    sequence: str | None
    """The same with the pre-state made by the shortest sequence of calls; None where none was found."""
    same_state: bool
    """Whether the sequence leads to that very pre-state, not only to one of equal abstract value that fails, too."""


@dataclass(frozen=True)
class PropertyResult:
    """What was executed for a property, and what failed.

    `calls` are executions of the method or axiom, `candidates` those of the predicate in the
    search that provided the inputs; `until_first` is the sum of both up to the first failure.
    `refused` are calls that raised an exception of misuse, where no postcondition is given (decision 111).
    """

    name: str
    target: str
    kind: str
    """`postcondition`, `rep_ok` (no postcondition is given) or `axiom`."""
    calls: int
    refused: int
    candidates: int
    failing: int
    until_first: int | None
    counterexample: Counterexample | None

    @property
    def outcome(self) -> str:
        """The number of inputs that fail; without a failure, `holds`, unless no call returned."""
        if self.failing:
            return f"{self.failing:,} inputs fail"
        return "not shown, as no call returned" if self.calls and self.refused == self.calls else "holds"


@dataclass(frozen=True)
class ComparedPredicate:
    """A predicate by dedicated generators that accepts what the one accepts that it stands for."""

    name: str
    stands_for: str
    accepted: int
    """States, or inputs of the target that it is the precondition of."""


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
        """Properties with a counterexample."""
        return tuple(found for found in self.properties if found.counterexample is not None)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    def as_text(self) -> str:
        """For people: a line per property, then each counterexample."""
        count = len(self.properties)
        of = f"{count} {'property' if count == 1 else 'properties'}"
        lines = [f"{self.subject} scope {self.scope}, {self.mode}: {len(self.violated)} of {of} violated"]
        for found in self.properties:
            what = {
                "rep_ok": " (rep_ok and exceptions only: no postcondition, so results are not checked)",
                "axiom": " (axiom)",
            }.get(found.kind, "")
            refused = f" ({found.refused:,} raised an exception that counts as misuse)" if found.refused else ""
            calls = f"{found.calls:,} calls{refused}, {found.candidates:,} candidates"
            lines.append(f"  {found.name}{what}: {found.outcome}; {calls}")
        for each in self.predicates:
            inputs = "states" if each.stands_for == "rep_ok" else "inputs"
            lines.append(f"  {each.name}: accepts the same {each.accepted:,} {inputs} as {each.stands_for}")
        for found in self.violated:
            shown = found.counterexample
            assert shown is not None
            lines += [
                "",
                f"{found.name}: {shown.violation}. The smallest counterexample:",
                "",
                indent(shown.source, "    "),
            ]
            if shown.sequence is not None:
                which = "The same by calls:" if shown.same_state else "By calls, on an equal state:"
                lines += [which, "", indent(shown.sequence, "    ")]
        return "\n".join(lines).rstrip()
