"""Suites that compiled code writes in blocks are those that are written one by one, byte by byte."""

import pytest
from generator_samples import SAMPLES, TREE, module, task
from hypothesis import HealthCheck, assume, given, settings
from random_samples import RANDOM_SOURCE, random_tasks, small
from support.subjects import UNLIKE
from support.sweeps import WHOLE
from written_in_blocks import check, subject_task

from harness.model.finitization import Finitization
from harness.resources import subject_folders

NOT_TRANSLATED = {"disj_set_fast", "fib_heap"}


@pytest.mark.parametrize(
    "name", [name for name in subject_folders() if name not in NOT_TRANSLATED and (WHOLE or name in UNLIKE)]
)
def test_every_subjects_suite_is_the_same_written_in_blocks(name):
    suite = check(subject_task(name, 2))
    assert suite.header.inputs
    assert suite.in_blocks or suite.header.states == 1  # the first state of its kind makes a template


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_arguments_that_are_objects_come_out_the_same(sample):
    in_blocks = check(task(sample.module, sample.finitization(), sample.rep_ok)).in_blocks
    assert in_blocks or sample.name == "unions"


def test_objects_that_a_state_does_not_reach_bring_fields_of_their_own():
    f = Finitization("R")
    f.set("R.p", None, f.objects("A", 2))
    f.set("A.x", 0, 1, None)
    f.set("A.y", 0, f.domains[1])
    f.method("m", (None, f.domains[1]), (f.domains[1],))
    suite = check(task(module(RANDOM_SOURCE), f, lambda root: root.p is None or root.p.x != 1))
    assert suite.header.inputs > 50
    assert suite.in_blocks > 50


def test_wide_domains_are_written_with_two_bytes():
    f = Finitization("SearchTree")
    f.set("SearchTree.root", None)
    f.set("SearchTree.size", range(300))
    f.method("add", (1, 2))
    suite = check(task(module(TREE), f, lambda tree: tree.size % 2 == 0))
    assert (suite.header.itemsize, suite.header.states) == (2, 150)
    assert suite.in_blocks


def test_where_there_are_too_many_keys_vectors_are_written_one_by_one():
    f = Finitization("R")
    many = [f.objects("A", 30) for _ in range(12)]  # a template for each number of reached objects has no room anywhere
    f.set("R.p", None, many[0])
    f.set("A.x", 0, 1)
    f.method("m", many[0])
    suite = check(task(module(RANDOM_SOURCE), f, lambda root: root.p is None or root.p.x == 1))
    assert suite.in_blocks == 0 < suite.singly


@pytest.mark.slow
@given(random_tasks())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_random_arguments_come_out_the_same(drawn):
    f, predicate = drawn
    assume(small(f))
    check(task(module(RANDOM_SOURCE), f, predicate))
