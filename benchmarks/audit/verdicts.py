"""All verdicts and kill-matrix bits of many runs, executed again by the naive path."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from e2e.command_line import Place

from benchmarks.audit.finding import Found, Scale, told
from harness import api
from harness.generators.korat.dedicated import PREDICATE
from harness.model.subject import Subject
from harness.runner.subjects import has_finitization, load_subject
from harness.store.export import export_facts

WANTED = 10_000
"""Verdicts of the whole audit."""
SAMPLE = 40
"""Verdicts of each run that are verified at small scope."""


_MILLIONS = ("directed_graph", "weighted_directed_graph")
"""Subjects that have millions of inputs at scope 3."""


@dataclass(frozen=True)
class Round:
    """What a subject is run with; a subject without states has its calls made by `rostra` in the place of `korat`."""

    options: tuple[object, ...]
    small: str
    """The one subject that has it at small scope."""
    generator: str = "korat"

    def of(self, subject: Subject) -> tuple[object, ...] | None:
        """The command line's options; None where the subject has nothing that this generator searches by, or
        too many inputs."""
        if self.generator == "korat-dedicated" and PREDICATE not in subject.spec_source:
            return None
        if 3 in self.options and subject.name in _MILLIONS:
            return None
        by_calls = self.generator == "korat" and not has_finitization(subject)
        return (*self.options, "--generator", "rostra" if by_calls else self.generator)


_ROUNDS = (
    Round(("--scope", "1-2"), "real/priority_queue"),
    Round(("--scope", 2, "--matrix"), "tree_map"),
    Round(("--scope", 2, "--metamutants"), "heap_array"),
    Round(("--scope", 3), "containers/binary_tree"),
    Round(("--scope", 2, "--concrete"), "disj_set_checked"),
    Round(("--scope", 2), "search_tree", "korat-dedicated"),
    Round(("--scope", 3, "--matrix"), "sorted_list"),
    Round(("--scope", 2, "--seed", 7), "av_tree", "random"),
    Round(("--scope", 2), "fibonacci_heap", "beapi"),
    Round(("--scope", 2, "--sequences", "snapshot"), "linked_list", "rostra"),
)
"""All subjects have the first one, then the next, until enough was checked."""


def audit(scale: Scale) -> Found:
    """Runs every subject and verifies all that is stored; findings are disagreements and runs that fail.

    At small scope, each round has one subject, and a sample of its verdicts is verified.
    """
    names = set(api.known()["subjects"])
    wanted = scale.of(WANTED, SAMPLE * len(_ROUNDS))
    cache = str(scale.folder / "cache")
    checked = bits = runs = 0
    subjects: set[str] = set()
    findings: list[str] = []
    for one, subject in _runs(scale, sorted(names)):
        if not scale.small and checked >= wanted and subjects == names:
            break
        options = one.of(load_subject(subject))
        if options is None:
            continue
        told(f"verdicts: {checked} checked; {subject} {' '.join(map(str, options))}")
        place = scale.place(f"verdicts-{runs}")
        place.patience = 1800
        runs += 1
        subjects.add(subject)
        ended = place.run("run", "--subject", subject, *options, "--out", "run", MUTASCOPE_CACHE=cache)
        if ended.status:
            findings.append(f"{subject} {options}: {ended.err.strip()}")
            continue
        sample = ("--sample", SAMPLE) if scale.small else ()
        seen = place.run("verify", "run", "--json", *sample, MUTASCOPE_CACHE=cache)
        if seen.status not in (0, 1) or not seen.out:
            findings.append(f"verify of {subject} {options}: {seen.err.strip()}")
            continue
        said = seen.json
        findings += [*said["disagreements"], *said.get("changed", ())]
        checked += said["checked"]
        bits += 0 if scale.small else _bits(place)
    if checked < wanted:
        findings.append(f"only {checked} verdicts were there to be checked, not {wanted}")
    figures = [f"{checked:,} verdicts and {bits:,} kill-matrix bits of {runs} runs on {len(subjects)} subjects, "
               f"{len(findings)} findings"]  # fmt: skip
    return Found("Verdicts executed again by the naive path", figures, findings)


def _runs(scale: Scale, names: list[str]) -> Iterator[tuple[Round, str]]:
    for one in _ROUNDS:
        for name in [one.small] if scale.small else names:
            yield one, name


def _bits(place: Place) -> int:
    facts = map(json.loads, export_facts(place.folder / "run").splitlines())
    return sum(fact["inputs"] for fact in facts if fact["table"] == "kill_row")
