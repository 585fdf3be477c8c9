"""Makes the data that the page's script shows of a trial, in compact form: mutants with their killers, and tests."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from harness.report.pages.source_view import MutantRow, StatusMark
from harness.report.pages.trials import ReportedTrial

MUTANT_FIELDS = (
    *("id", "line", "operator", "function", "mark", "before", "original", "replacement", "after"),
    *("reason", "killers", "count", "reached", "first"),
)
"""The order of the fields of a mutant in the data; the script reads them by it."""


def explorer_data(reported: ReportedTrial, mutants: Sequence[MutantRow]) -> dict[str, Any]:
    """Return the data of a trial, which can be written as JSON.

    `fields` names the values of each mutant. `mark` is the position of a member in `StatusMark`; the sets `killers` and
    `reached` are empty if unknown. A set of tests is base64 of bytes: test `i` is bit `i % 8` of byte `i // 8`. `count`
    is the number of tests that kill the mutant, null in a run up to first kills. `first` is the killing test that its
    result names.
    """
    return {
        "slug": reported.slug,
        "label": reported.label,
        "file": reported.file_name,
        "unit": "test" if reported.is_pytest else "input",
        "complete": reported.killers.complete,
        "hasSource": reported.source is not None,
        "fields": MUTANT_FIELDS,
        "mutants": [_mutant(reported, row) for row in mutants],
        "testFields": ("name", "kills", "alone", "reached"),
        "tests": _tests(reported),
    }


def as_script(data: Any) -> Markup:
    """Return JSON that may be within a script element: no text in it can end that element."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return Markup(text.replace("<", "\\u003c"))  # noqa: S704 (no markup is left in it)


def _mutant(reported: ReportedTrial, row: MutantRow) -> list[Any]:
    mutant, change, killers = row.mutant, row.change, reported.killers
    result = reported.results.get(mutant.id)
    return [
        mutant.id,
        mutant.location.line,
        mutant.operator,
        mutant.function,
        list(StatusMark).index(row.mark),
        *(change.before, change.original, change.replacement, change.after),
        row.reason,
        _packed(killers.kills.get(mutant.id, 0)) if killers.complete else "",
        killers.counts.get(mutant.id),
        _packed(killers.reached.get(mutant.id, 0)),
        result.input if result else None,
    ]


def _packed(tests: int) -> str:
    """Encode a set of tests without the zeros after its last test."""
    return base64.b64encode(tests.to_bytes((tests.bit_length() + 7) // 8, "little")).decode()


def _tests(reported: ReportedTrial) -> list[list[Any]]:
    """Return all tests of a pytest suite, or all inputs if they are few enough (`MOST_TESTS`)."""
    kills_of_tests = reported.killers.by_test()
    names = [test.node_id for test in reported.tests] or [f"input {number}" for number in range(len(kills_of_tests))]
    if not kills_of_tests:
        return [[name, None, None, None] for name in names]
    return [[name, one.kills, one.sole_kills, one.reached] for name, one in zip(names, kills_of_tests, strict=True)]
