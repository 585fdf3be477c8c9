"""What the page's script shows of a trial: mutants with their killers, and tests, as compact data."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from harness.report.pages.source_view import Mark, ShownMutant
from harness.report.pages.trials import ReportedTrial

MUTANT_FIELDS = (
    *("number", "id", "line", "operator", "function", "mark", "before", "original", "replacement", "after"),
    *("reason", "argument", "killers", "count", "reached", "first"),
)
"""The order of the fields of a mutant in the data; the script reads them by it."""


def explorer_data(reported: ReportedTrial, mutants: Sequence[ShownMutant]) -> dict[str, Any]:
    """JSON-able.

    `fields` names the values of each mutant. Of those, `operator` and `function` are numbers of the lists beside it,
    `mark` is one of `Mark`; `killers` and `reached` are sets of tests as base64 of bytes, in which bit `i % 8` of byte
    `i // 8` stands for test `i`, and empty where they are not known; `count` is how many tests kill the mutant, null in
    a run up to first kills; `first` is the killing test that its result names.
    """
    operators = sorted({shown.mutant.operator for shown in mutants})
    functions = sorted({shown.mutant.function for shown in mutants})
    trial = reported.trial
    return {
        "slug": reported.slug,
        "label": reported.label,
        "file": reported.file_name,
        "unit": "test" if reported.is_pytest else "input",
        "complete": reported.killers.complete,
        "hasSource": reported.source is not None,
        "suite": trial.inputs,
        "operators": operators,
        "functions": functions,
        "fields": MUTANT_FIELDS,
        "mutants": [_mutant(reported, shown, operators, functions) for shown in mutants],
        "testFields": ("name", "line", "kills", "alone", "reached"),
        "tests": _tests(reported),
    }


def as_script(data: Any) -> Markup:
    """JSON that may stand within a script element: no text in it can end that."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return Markup(text.replace("<", "\\u003c"))  # noqa: S704 (no markup is left in it)


def _mutant(
    reported: ReportedTrial, shown: ShownMutant, operators: Sequence[str], functions: Sequence[str]
) -> list[Any]:
    mutant, change, known = shown.mutant, shown.change, reported.killers
    result = reported.results.get(mutant.id)
    return [
        shown.number,
        mutant.id,
        mutant.location.line,
        operators.index(mutant.operator),
        functions.index(mutant.function),
        list(Mark).index(shown.mark),
        *(change.before, change.original, change.replacement, change.after),
        shown.reason,
        shown.argument,
        _packed(known.kills.get(mutant.id, 0)) if known.complete else "",
        known.counts.get(mutant.id),
        _packed(known.reached.get(mutant.id, 0)),
        result.input if result else None,
    ]


def _packed(tests: int) -> str:
    """Without the zeros behind the last test of the set."""
    return base64.b64encode(tests.to_bytes((tests.bit_length() + 7) // 8, "little")).decode()


def _tests(reported: ReportedTrial) -> list[list[Any]]:
    """All tests of pytest, or all inputs where they are few enough (`killers.MOST_TESTS`)."""
    found = reported.killers.by_test()
    if reported.is_pytest:
        if not found:
            return [[test.node_id, test.line, None, None, None] for test in reported.tests]
        both = zip(reported.tests, found, strict=True)
        return [[test.node_id, test.line, did.kills, did.alone, did.reached] for test, did in both]
    return [[f"input {number}", None, did.kills, did.alone, did.reached] for number, did in enumerate(found)]
