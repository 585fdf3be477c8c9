"""Criteria of a real small run: scored by indexing, as generators and a plain count score them, and kept beside it."""

import shutil
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from support.own_runs import pinned_run

from harness import api
from harness.analysis.frozen import read_frozen
from harness.analysis.mutant_sets import ALL, OF_2005, mixes_of
from harness.checksums import read_whole, write_whole
from harness.errors import StoreError
from harness.measured.scored_criteria import FOLDER, WHOLE, score_run, suite_of
from harness.measuring.measurement import CLASS_VERSION
from harness.runner.subjects import load_subject
from harness.runs.frozen_run import freeze
from harness.selections import SEEDS, random_selection
from harness.store import RunStore

NAME = "search_tree_delete"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """SearchTreeDelete at scope 1 with twelve mutants of muJava's operators, as a full kill matrix; no suite else."""
    return pinned_run(tmp_path_factory.mktemp("criteria"), NAME, 12, operators="mujava", is_covered=False)


@pytest.fixture(scope="module")
def scored(run):
    return score_run(run)


def test_a_trial_without_coverage_is_finished_without(run):
    stored = api.load(run)
    assert stored.coverage().empty
    assert stored.summary()["branch_pct"].isna().all()
    assert stored.frames.trials["finished"].all()


def row_of(scored, criterion, mix=ALL, whole=True, size=None):
    rows = scored[(scored["criterion"] == criterion) & (scored["mix"] == mix) & (scored["whole"] == whole)]
    (row,) = (rows if size is None else rows[rows["size"] == size]).to_dict("records")
    return row


@pytest.mark.slow
@pytest.mark.parametrize(("generator", "criterion"), [("korat-plus", "korat-plus"), ("one-per-class", "eq_class")])
def test_a_criterion_selects_and_kills_what_the_suite_of_its_generator_does(run, scored, generator, criterion):
    matrix, own, whole = api.load(run).matrix(NAME, 1), api.generate(NAME, generator, 1), api.generate(NAME, "korat", 1)
    places = {
        (tuple(whole.vector(state)), whole.calls[call]): number
        for number in range(len(whole))
        for state, call in [whole.input(number)]
    }
    numbers = [places[tuple(own.vector(state)), own.calls[call]] for state, call in map(own.input, range(len(own)))]
    row = row_of(scored, criterion)
    assert row["size"] == len(own) == len(set(numbers))
    assert row["kills"] == matrix.killed_by(numbers).sum()
    assert row["classes"] == len(own.header.classes)


def test_random_selections_of_as_many_inputs_stand_beside(run, scored):
    matrix = api.load(run).matrix(NAME, 1)
    row = row_of(scored, "branches")
    killed = [
        int(matrix.killed_by(np.flatnonzero(random_selection(matrix.inputs, row["size"], seed))).sum())
        for seed in SEEDS
    ]
    assert row["random"] == sum(killed)
    compared = [sum(one < row["kills"] for one in killed), sum(one > row["kills"] for one in killed)]
    assert [row["worse"], row["better"]] == compared
    assert row["worse"] + row["equal"] + row["better"] == row["seeds"] == 100


def test_classes_are_those_that_are_measured_and_products_have_their_pairs(scored):
    input_classes = api.input_classes(NAME, scope=1)
    for name in ("eq_class", "conditions", "branches"):
        assert row_of(scored, name)["classes"] == len(set(input_classes.numbers[name]))
    pairs = set(zip(input_classes.numbers["eq_class"], input_classes.numbers["conditions"], strict=True))
    assert row_of(scored, "eq_class & conditions")["classes"] == len(pairs)


def test_a_mix_counts_its_mutants_only(run, scored):
    matrix = api.load(run).matrix(NAME, 1)
    killed = [mutant for mutant, dies in zip(matrix.mutants, matrix.killed_by(), strict=True) if dies]
    of_2005 = mixes_of("mujava")[OF_2005]
    assert row_of(scored, WHOLE)["kills"] == len(killed)
    assert row_of(scored, WHOLE, OF_2005)["kills"] == sum(map(of_2005, killed)) < len(killed)
    assert list(mixes_of("ferastrau")) == [ALL]


@pytest.mark.parametrize(
    ("mutant", "counts"),
    [("SDL:3:4:pass", False), ("ROR:3:4:True", False), ("ROR:3:4:a_<=_b~1", True), ("COR:3:4:True", True)],
)
def test_the_mix_of_2005_has_no_deletion_and_no_constant_by_ror(mutant, counts):
    assert mixes_of("mujava")[OF_2005](mutant) is counts


def test_criteria_are_scored_once(run, scored):
    (scores,) = (run / FOLDER).iterdir()
    written = scores.stat().st_mtime_ns
    pd.testing.assert_frame_equal(score_run(run), scored)
    assert scores.stat().st_mtime_ns == written


@pytest.fixture
def copied(run, scored, tmp_path):
    """Copy the run together with its stored scores."""
    assert len(scored) > 0
    return shutil.copytree(run, tmp_path / "run")


@pytest.mark.parametrize("of", ["spec_path", "source_path"])
def test_scores_are_not_given_for_a_spec_or_source_that_was_changed(copied, monkeypatch, tmp_path, caplog, of):
    subject = load_subject(NAME)
    here = shutil.copytree(subject.spec_path.parent, tmp_path / "subjects" / NAME)
    (here / getattr(subject, of).name).write_text(getattr(subject, of).read_text() + "\n# changed\n")
    monkeypatch.chdir(tmp_path)
    assert score_run(copied).empty
    assert "no criteria are scored" in caplog.text
    assert "its spec or source was changed since it was run, run it again" in caplog.text


def test_scores_by_another_way_of_telling_classes_are_scored_again(copied, scored):
    (scores,) = (copied / FOLDER).glob("scores-*.json")
    version, *sources = read_whole(scores)["made_from"]
    assert version == CLASS_VERSION
    write_whole(scores, {"made_from": [CLASS_VERSION - 1, *sources], "rows": []})
    pd.testing.assert_frame_equal(score_run(copied), scored)


def test_a_suite_that_processor_time_ended_is_scored_by_its_number_of_inputs(run):
    with RunStore.open_existing(run) as store:
        (trial,) = store.trials.all()
    tree = load_subject("search_tree")
    digest = api.generate(tree.name, "random:3", 1).header.digest
    limited_trial = replace(
        trial, subject=tree.name, subject_hash=tree.content_hash, generator="random:500,seconds=600",
        suite_digest=digest, inputs=3,
    )  # fmt: skip
    assert suite_of(tree, limited_trial).header.digest == digest
    with pytest.raises(StoreError, match="its inputs are not those generated now, run it again"):
        suite_of(tree, replace(limited_trial, suite_digest="0" * 64))


def test_a_frozen_run_keeps_its_criteria(run, scored, tmp_path):
    frozen = freeze(api.load(run), tmp_path / "frozen")
    read = read_frozen(frozen).criteria
    columns = [column for column in scored if column != "trial"]
    pd.testing.assert_frame_equal(read[columns], scored[columns])
    assert api.criteria(frozen).tables() == api.criteria(run).tables()
    (frozen / "criteria.csv").write_text((frozen / "criteria.csv").read_text().replace("branches", "twigs"))
    with pytest.raises(StoreError, match=r"criteria\.csv is not what"):
        read_frozen(frozen)
