"""A run at the largest scope serves the smaller ones: the same verdicts and first kills as separate runs."""

import numpy as np
import pytest
from support.subjects import NESTED, UNLIKE, load_subject

from harness import api
from harness.analysis.kill_matrix import KillMatrix
from harness.analysis.nesting import NestingError, index_map
from harness.kernel.inputs.state_space import StateSpace, item_size
from harness.kernel.inputs.suite_header import SuiteHeader
from harness.kernel.inputs.suites import Call, SuiteReader, SuiteWriter
from harness.kernel.judging.prepared import StateInputs
from harness.kernel.objects.equality import concrete
from harness.kernel.program.loader import ModuleText, execute
from harness.model.finitization import Finitization
from harness.store import KillRow, RunStore

LARGEST = 3
SUBJECTS = sorted({"search_tree", "sorted_list", "hash_set", *UNLIKE})
"""They have plain arguments, preconditions of their own, a pool shared with arguments, and objects as arguments."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder in which samples of the subjects' mutants are pinned."""
    return tmp_path_factory.mktemp("nesting")


@pytest.mark.slow
@pytest.mark.end_to_end
@pytest.mark.parametrize("name", SUBJECTS)
def test_derived_numbers_equal_those_of_separate_runs(name, folder, monkeypatch):
    monkeypatch.chdir(folder)
    api.pin(name, 20)
    whole = api.run(api.subject_experiment(name, "korat", [LARGEST], matrix=True), folder / f"{name}-whole", jobs=2)
    separate_run = api.run(api.subject_experiment(name, "korat", range(1, LARGEST)), folder / f"{name}-alone", jobs=2)
    killed: list[int] = []
    with RunStore.open_existing(separate_run) as store:
        for trial in store.trials.all():
            derived = api.load(whole).matrix(name, trial.scope)
            results = {result.mutant: result for result in store.results.of(trial.key)}
            assert derived.inputs == trial.inputs
            assert derived.first_kills() == {m: result.input for m, result in results.items()}
            killed.append(sum(result.input is not None for result in results.values()))
            assert derived.score().killed == killed[-1]
    assert 0 < max(killed) < 20


def programs(name, scopes):
    """Suite, finitization and runnable original of a subject at each scope."""
    subject, spec = load_subject(name)
    text = ModuleText(subject.module, subject.source, str(subject.source_path), subject.blocked)
    for scope in scopes:
        suite, bounds = api.generate(name, "korat", scope), spec.finitization(scope)
        yield suite, bounds, StateInputs(execute(text), spec, StateSpace(bounds), suite)


def target_of(suite, number):
    return suite.header.targets[suite.calls[suite.input(number)[1]].target]


@pytest.mark.end_to_end
@pytest.mark.parametrize("name", NESTED)
def test_inputs_are_found_again_in_the_next_scope(name):
    small, middle, large = programs(name, (1, 2, 3))
    for smaller, larger in ((small, middle), (middle, large)):
        numbers = index_map(*smaller[:2], *larger[:2]).tolist()
        assert len(set(numbers)) == len(smaller[0])
        for mine, theirs in enumerate(numbers):
            here, there = smaller[2].prepare(mine), larger[2].prepare(theirs)
            assert concrete(here.root, *here.arguments) == concrete(there.root, *there.arguments)
            assert target_of(smaller[0], mine) == target_of(larger[0], theirs)


def counter_suite(folder, values, arguments):
    """Return a suite of a counter with these values, incremented by these arguments, and its finitization."""
    bounds = Finitization("Counter")
    bounds.set("Counter.value", values)
    bounds.method("up", arguments)
    space = StateSpace(bounds)
    header = SuiteHeader("counter", "", "by hand", "1", len(values), 0, space.width, item_size(space), ["up"])
    with SuiteWriter(folder, header) as writer:
        for value in range(len(values)):
            state = writer.add_state((value,))
            for argument in range(len(arguments)):
                writer.add_input(state, Call(0, (argument,)))
        writer.close()
    return SuiteReader(folder), bounds


def test_values_are_found_wherever_their_domain_has_them(tmp_path):
    smaller = counter_suite(tmp_path / "smaller", [1, 2], [5])
    larger = counter_suite(tmp_path / "larger", [3, 2, 1], [4, 5])
    assert index_map(*smaller, *larger).tolist() == [5, 3]


@pytest.mark.parametrize(("values", "arguments"), [([1, 4], [5]), ([1, 2], [6]), ([1, True], [5])])
def test_an_input_that_the_larger_scope_lacks_is_named(tmp_path, values, arguments):
    smaller = counter_suite(tmp_path / "smaller", values, arguments)
    larger = counter_suite(tmp_path / "larger", [3, 2, 1], [4, 5])
    with pytest.raises(NestingError, match=r"counter: input \d \(up\) of scope 2"):
        index_map(*smaller, *larger)


def test_a_restricted_matrix_has_the_columns_asked_for():
    kills = {"a": [1, 8], "b": [], "c": [0, 9]}
    matrix = KillMatrix([KillRow.of_kills(m, 10, k) for m, k in kills.items()], 10)
    restricted = matrix.restricted(np.array([9, 1, 2]))
    assert [restricted.kills(m) for m in kills] == [[1], [], [0]]
    assert matrix.first_kills() == {"a": 1, "b": None, "c": 0}
    assert restricted.first_kills() == {"a": 1, "b": None, "c": 0}
