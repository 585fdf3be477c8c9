"""The page on candidate sequences shows what the enumeration gives."""

from pathlib import Path

import pytest
from candidate_classes import FLAGS, TEMPERATURE_MONITOR, flags, temperature_monitor

from harness.generators.influence.candidate import PartialOrder, Switches
from harness.generators.influence.enumeration import CandidateEnumeration
from harness.generators.influence.influence import influence_of
from harness.kernel.specs.spec import load_spec
from harness.model.sequence import SequenceScope
from harness.runner.subjects import load_subject

PAGE = (Path(__file__).parents[3] / "docs" / "candidate_sequences.md").read_text()
COLUMNS = [
    Switches(data_flow=False, partial_order=PartialOrder.NO),
    Switches(partial_order=PartialOrder.NO),
    Switches(partial_order=PartialOrder.PRINTED),
    Switches(partial_order=PartialOrder.YES),
]


def counted(text: str, scope: SequenceScope, target: str | None, most_calls: int, switches: Switches) -> int:
    influence = influence_of([("program", text)], scope)
    targets = [number for number, routine in enumerate(scope.routines) if target in (None, routine.name)]
    return sum(
        1 for number in targets for _ in CandidateEnumeration(influence, scope.routines, number, most_calls, switches)
    )


def of_subject(name: str) -> tuple[str, SequenceScope]:
    subject = load_subject(name)
    return subject.source, load_spec(subject.spec_source, str(subject.spec_path)).sequences(3, subject.source)


@pytest.mark.parametrize(
    ("beginning", "program", "target", "most_calls"),
    [
        (
            "TemperatureMonitor, target `warning`, up to 6 calls",
            (TEMPERATURE_MONITOR, temperature_monitor),
            "warning",
            6,
        ),
        ("three setters of section 4.3.4, target `calculate`, up to 6 calls", (FLAGS, flags), "calculate", 6),
        ("`hash_set`, all targets, up to 5 calls", "hash_set", None, 5),
        ("`binomial_heap`, all targets, up to 4 calls", "binomial_heap", None, 4),
    ],
)
def test_the_page_shows_how_many_candidates_each_switch_leaves(beginning, program, target, most_calls):
    text, scope = of_subject(program) if isinstance(program, str) else (program[0], program[1]())
    numbers = [counted(text, scope, target, most_calls, switches) for switches in COLUMNS]
    assert f"| {beginning} | {' | '.join(map(str, numbers))} |" in PAGE


@pytest.mark.parametrize("name", ["jtc_tree_map", "jtc_linked_list"])
def test_on_the_classes_of_chapter_6_each_method_may_influence_each(name):
    text, scope = of_subject(name)
    methods = len(scope.routines) - 1
    expected = sum(methods**length for length in range(4))
    assert [counted(text, scope, None, 4, switches) for switches in COLUMNS[1:]] == [expected] * 3
