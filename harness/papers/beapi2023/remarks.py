"""Writes remarks on the rows of Table 1: whether the numbers are as printed, and why not."""

from __future__ import annotations

from collections.abc import Mapping

from harness.model.published import PublishedValue
from harness.papers.beapi2023.dataset import GenerationNumbers

FLAWED = "the printed invariant is flawed, ours is sound"
UNEXPLAINED = "the reason is not known"

API_DIFFERENCES: Mapping[str, str] = {
    "fib_heap": (
        "the paper's leaves the roots in their ring when it consolidates, ours inserts them again (docs/subjects.md)"
    ),
}
"""The reasons why a subject's API makes other structures, or takes other sequences, than the paper's."""

INVARIANT_DIFFERENCES: Mapping[str, str] = {
    "red_black_tree": "the printed numbers count red roots, which ours refuses (tree_map's invariant accepts them)",
    "fib_heap": (
        "the printed numbers count trees of any shape, while ours accepts only what calls make (docs/subjects.md)"
    ),
}
"""The reasons why a subject's rep_ok has other structures than the paper's sound one."""

KORAT_BEAPI_DIFFERENCES: Mapping[str, str] = {
    "red_black_tree": "some trees are made of larger ones only (section 4.1)",
    "fib_heap": "some heaps are made of larger ones only (section 4.1)",
    "tree_map_values": "some trees are made of larger ones only (section 4.1)",
}
"""The reasons why a subject's API and its rep_ok have different structures at one scope."""


def remark(
    subject: str,
    korat: GenerationNumbers | None,
    beapi: GenerationNumbers | None,
    printed: Mapping[str, PublishedValue],
    flawed: bool,
) -> str:
    """Return a remark on the measured counts that are as printed, those that are not, and whether Korat's equal
    BEAPI's.

    The candidates that Korat explores have no remark, since they depend on how an invariant is written.
    """
    remarks = []
    if beapi is not None and (expected := printed.get("beapi_generated")) is not None:
        explored = printed.get("beapi_explored")
        same = beapi.generated == expected.value and explored is not None and beapi.explored == explored.value
        remarks.append("BEAPI as printed" if same else f"BEAPI differs: {API_DIFFERENCES.get(subject, UNEXPLAINED)}")
    if korat is not None and (expected := printed.get("korat_generated")) is not None:
        reason = FLAWED if flawed else INVARIANT_DIFFERENCES.get(subject, UNEXPLAINED)
        same = korat.generated == expected.value
        remarks.append("Korat generates as printed" if same else f"Korat differs: {reason}")
    if korat is not None and beapi is not None and korat.generated != beapi.generated:
        remarks.append(f"Korat and BEAPI differ: {KORAT_BEAPI_DIFFERENCES.get(subject, UNEXPLAINED)}")
    return "; ".join(remarks)
