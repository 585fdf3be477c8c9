"""Pinned mutant sets, the operator-stratified sample, and equivalence arguments."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness import resources
from harness.errors import ManifestError
from harness.kernel.program.splice import mutated_source
from harness.model.experiment import DEFAULT_OPERATORS
from harness.model.outcome import Equivalence, Location, Mutant, MutantStatus
from harness.model.subject import Subject
from harness.mutation.filters import classify
from harness.mutation.manifest import allot, manifest_of, read_equivalence, read_manifest, sample, write_manifest
from harness.mutation.mutate import mutate
from harness.mutation.program import TypeProfile
from harness.runner.subjects import load_subject

SUBJECT = Subject(
    name="toy",
    title="Toy",
    module="impl",
    source_path=Path("impl.py"),
    source="def f(a: int, b: int):\n    return 'ü\u2028', a + b, 0 * 0\n",
    spec_path=Path("spec.py"),
    spec_source="",
)


@pytest.fixture
def mutants():
    return classify(SUBJECT.source, mutate(SUBJECT.source, ["f"], TypeProfile()))


@pytest.fixture
def folder(tmp_path, mutants):
    doubtful = [
        replace(mutants[0], status=MutantStatus.STILLBORN),
        replace(mutants[1], status=MutantStatus.DUPLICATE, same_as=mutants[2].id, rule="integer algebra"),
        replace(mutants[2], status=MutantStatus.EQUIVALENT),
        *mutants[3:],
    ]
    write_manifest(tmp_path / "toy", SUBJECT.source_hash, manifest_of(doubtful, sample(doubtful, 5, 1)))
    return tmp_path / "toy"


def test_a_written_set_is_read_again_with_every_exclusion_and_its_reason(folder, mutants):
    manifest = read_manifest(folder, SUBJECT)
    assert len(manifest.mutants) == 5
    assert manifest.ids == {mutant.id for mutant in mutants}
    assert [m.status.value for m in manifest.excluded[:4]] == ["stillborn", "duplicate", "equivalent", "viable"]
    assert (manifest.excluded[1].same_as, manifest.excluded[1].rule) == (mutants[2].id, "integer algebra")
    assert {m.status for m in manifest.mutants} == {MutantStatus.VIABLE}
    assert set(manifest.mutants) <= set(mutants)
    assert {path.name.partition(".")[2] for path in folder.glob("*.jsonl")} == {"jsonl", "excluded.jsonl"}


def test_a_stale_manifest_is_refused_with_what_to_do(folder):
    changed = replace(SUBJECT, source=SUBJECT.source + "\n")
    with pytest.raises(ManifestError, match=r"of another impl\.py .* mutascope mutate toy --pin"):
        read_manifest(folder, changed)


def test_another_version_of_an_installed_module_has_no_set(folder, tmp_path):
    assert read_manifest(folder, replace(SUBJECT, source="x = 1\n", installed=True)) is None
    assert read_manifest(tmp_path / "nowhere", SUBJECT) is None
    (tmp_path / "empty").mkdir()
    assert read_manifest(tmp_path / "empty", SUBJECT) is None


def test_changed_files_are_refused(folder):
    pinned = folder / f"{SUBJECT.source_hash[:12]}.jsonl"
    text = pinned.read_text(encoding="utf-8")
    pinned.write_text(text.replace("f", "g"), encoding="utf-8")
    with pytest.raises(ManifestError, match=r"\.jsonl: not what was pinned \(SHA256SUMS beside it tells\)"):
        read_manifest(folder, SUBJECT)
    (folder / "SHA256SUMS").unlink()
    pinned.write_text(text[: len(text) // 2], encoding="utf-8")
    with pytest.raises(ManifestError, match=r"\.jsonl: no set of mutants .* mutascope mutate toy --pin"):
        read_manifest(folder, SUBJECT)
    pinned.with_suffix(".excluded.jsonl").unlink()
    with pytest.raises(ManifestError, match=r"excluded\.jsonl is missing"):
        read_manifest(folder, SUBJECT)


ENTRY = '[[arguments]]\nmutant = "{}"\nequivalence = "{}"\nargument = "{}"\n'


def test_equivalence_arguments_are_read(tmp_path):
    assert read_equivalence(tmp_path, set()) == ()
    (tmp_path / "equivalence.toml").write_text(
        ENTRY.format("a", "proven", "why") + ENTRY.format("b", "suspected", "so")
    )
    arguments = read_equivalence(tmp_path, {"a", "b"})
    assert [(f.mutant, f.equivalence, f.argument) for f in arguments] == [
        ("a", Equivalence.PROVEN, "why"),
        ("b", Equivalence.SUSPECTED, "so"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ENTRY.format("z", "proven", "why"), "'z', no mutant of this source"),
        (ENTRY.format("a", "proven", "why") * 2, "the second one for 'a'"),
        (ENTRY.format("a", "unknown", "why"), "'suspected' or 'proven', not 'unknown'"),
        (ENTRY.format("a", "maybe", "why"), "not 'maybe'"),
        (ENTRY.format("a", "proven", " "), "the argument is empty"),
        ('[[arguments]]\nmutant = "a"\n', "needs exactly the texts"),
        ("[other]\n", "holds"),
        ("[[", "correct the file"),
    ],
)
def test_a_wrong_equivalence_argument_is_refused(tmp_path, text, message):
    (tmp_path / "equivalence.toml").write_text(text)
    with pytest.raises(ManifestError, match=message):
        read_equivalence(tmp_path, {"a"})


@pytest.mark.parametrize("name", sorted({**resources.subject_folders(), **resources.grouped_subjects()}))
def test_every_shipped_subject_has_a_pinned_set_of_the_default_operators(name):
    folder = resources.shipped("mutants") / name / DEFAULT_OPERATORS
    assert [path for path in folder.glob("*.jsonl") if not path.name.endswith(".excluded.jsonl")]


@pytest.mark.parametrize(("name", "number"), [("search_tree", 272), ("heap_array", 274), ("binomial_heap", 292)])
def test_sets_of_all_operators_have_as_many_mutants_as_the_paper_prints(name, number):
    subject = load_subject(name)
    manifest = read_manifest(resources.shipped("mutants") / name / "extended", subject)
    assert len({mutated_source(subject.source, m) for m in manifest.mutants} - {subject.source}) == number


def mutants_of(**counts: int) -> list[Mutant]:
    place = Location(1, 0, 1, 1)
    return [
        Mutant(f"{operator}:{n}", operator, f"f{n % 3}", place, "a", "b", "")
        for operator, count in counts.items()
        for n in range(count)
    ]


def test_a_sample_has_the_size_asked_for_and_keeps_the_order():
    everything = mutants_of(AOR=30, ROR=60, LCR=1)
    chosen = sample(everything, 40, 0)
    assert len(chosen) == 40
    assert chosen == [m for m in everything if m in chosen]


def test_every_operator_is_there_and_large_ones_have_more():
    counts = Counter(m.operator for m in sample(mutants_of(AOR=30, ROR=60, LCR=1), 31, 0))
    assert counts == {"LCR": 1, "AOR": 10, "ROR": 20}


def test_an_operators_places_are_spread_over_functions():
    assert Counter(m.function for m in sample(mutants_of(AOR=30), 15, 0)) == {"f0": 5, "f1": 5, "f2": 5}


def test_only_viable_mutants_are_sampled():
    everything = [replace(m, status=MutantStatus.STILLBORN) if m.id == "AOR:0" else m for m in mutants_of(AOR=3)]
    assert [m.id for m in sample(everything, 9, 0)] == ["AOR:1", "AOR:2"]


def test_seeds_choose_and_the_same_seed_chooses_the_same():
    everything = mutants_of(AOR=60)
    assert sample(everything, 20, 1) == sample(list(everything), 20, 1) != sample(everything, 20, 2)


def test_the_choice_within_an_operator_does_not_hang_on_other_operators():
    separate = sample(mutants_of(AOR=30), 10, 7)
    among = [m for m in sample(mutants_of(AOR=30, ROR=30), 20, 7) if m.operator == "AOR"]
    assert separate == among


@given(st.dictionaries(st.text(max_size=3), st.integers(0, 50), max_size=6), st.integers(0, 200))
def test_shares_sum_up_exceed_no_count_and_are_proportional(counts, places):
    shares = allot(counts, places)
    total = sum(counts.values())
    assert sum(shares.values()) == min(places, total)
    for name, count in counts.items():
        assert 0 <= shares[name] <= count
        assert not total or abs(shares[name] - count * min(places, total) / total) < 1
