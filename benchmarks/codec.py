"""Compares the codec with code by hand: `python -m benchmarks.codec` writes results/codec.md.

Each value goes to JSON and back, in processor time. By hand, fields are not checked; the codec checks all of them.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from statistics import median
from typing import Any

from benchmarks.measuring import load_average, machine, markdown_table, write_result
from harness.codec.codec import codec_of
from harness.kernel.running import facts as zygote
from harness.kernel.running.job import InputMask, MutantOrder
from harness.model.outcome import KillReason, Phase
from harness.pytest_suites.mutant_facts import FirstKill, MutantFacts

ROUNDS, TIMES = 15, 2_000
HEADING = ("value", "by hand us", "codec us", "codec / by hand")

ORDER = MutantOrder("AOR:up:3:1", "/tmp/run/baseline", 0, 4096, number=17, input_mask=InputMask("/tmp/run/rows", 512))  # noqa: S108
TESTS = tuple(f"tests/test_tree.py::test_{number}" for number in range(20))
FACTS = MutantFacts(40, 1234, 3, 1, TESTS, FirstKill(TESTS[0], KillReason.ASSERTION, "assert 1 == 2"), 0.25)

ROW = zygote.MutantFacts(
    reason=KillReason.OUTPUT,
    phase=Phase.CALL,
    detail="returned another value",
    input=17,
    inputs_run=18,
    executed=3,
    steps=1234,
    id="AOR:up:3:1",
    input_text="SearchTree(root=None, size=0).add(1)",
    seconds=0.25,
)


def order_by_hand(order: MutantOrder) -> MutantOrder:
    """Write an order as JSON and read it back, field by field."""
    fields = {name: vars(value) if isinstance(value, InputMask) else value for name, value in vars(order).items()}
    read = json.loads(json.dumps(fields))
    rows = {name: read[name] and InputMask(**read[name]) for name in ("wanted", "last_calls")}
    return MutantOrder(**read | rows)


def facts_by_hand(facts: MutantFacts) -> MutantFacts:
    """Measure the same for the facts of a mutant."""
    first = facts.first
    values = {"reason": first.reason.value, "phase": first.phase.value} if first else {}
    read = json.loads(json.dumps(vars(facts) | {"first": first and vars(first) | values}))
    kill = read["first"]
    if kill:
        kill = FirstKill(kill["killer"], KillReason(kill["reason"]), kill["detail"], Phase(kill["phase"]))
    return MutantFacts(**read | {"kills": tuple(read["kills"]), "first": kill})


def row_by_hand(row: zygote.MutantFacts) -> zygote.MutantFacts:
    """Measure the same for the facts of a mutant from a fork server, which have no row of kills."""
    assert row.reason
    assert row.phase
    read = json.loads(json.dumps(vars(row) | {"reason": row.reason.value, "phase": row.phase.value}))
    return zygote.MutantFacts(**read | {"reason": KillReason(read["reason"]), "phase": Phase(read["phase"])})


def by_codec(value: Any) -> Any:
    """Write any value as JSON and read it back."""
    codec = codec_of(type(value))
    return codec.of_json(codec.to_json(value))


def _seconds(work: Callable[[Any], Any], value: Any) -> float:
    started = time.process_time()
    for _ in range(TIMES):
        work(value)
    return (time.process_time() - started) / TIMES


def _row(name: str, value: Any, by_hand: Callable[[Any], Any]) -> tuple[str, ...]:
    assert by_hand(value) == by_codec(value) == value
    costs = [(_seconds(by_hand, value), _seconds(by_codec, value)) for _ in range(ROUNDS)]
    hand, codec, ratio = (median(column) for column in zip(*((a, b, b / a) for a, b in costs), strict=True))
    return name, f"{1e6 * hand:.1f}", f"{1e6 * codec:.1f}", f"{ratio:.2f}"


def main() -> None:
    """Measure and write the result."""
    started = load_average()
    rows = [
        _row("an order to run a mutant", ORDER, order_by_hand),
        _row("facts of a mutant on tests", FACTS, facts_by_hand),
        _row("facts of a mutant on inputs", ROW, row_by_hand),
    ]
    lines = ["# The codec beside code by hand", "", machine(), started, "", *markdown_table(HEADING, rows)]
    lines += ["", f"Medians of {ROUNDS} rounds of {TIMES:,} values, to JSON and back, in processor time."]
    write_result("codec.md", lines)


if __name__ == "__main__":
    main()
