"""Projects found, tests sorted, orders made: what is decided before a mutant is run."""

import ast
from dataclasses import replace
from pathlib import Path

import pytest
from support.own_project import own_project

from harness.errors import SourceError, UsageError
from harness.kernel.running.probing import ProbeSite
from harness.model.outcome import KillReason, Location, Mutant, MutantResult, MutantStatus, Phase, Verdict
from harness.model.pytest_suite import Flaky, PytestSuite
from harness.model.subject import Subject
from harness.mutation.schemata import metamutant
from harness.pytest_suites.reports import FirstKill, MutantFacts, OriginalReport, OriginalTest
from harness.runner.pytest_runs.mutants import module_mutants, outer_lambdas
from harness.runner.pytest_runs.original import orders_of, original_of
from harness.runner.pytest_runs.project import find_project, modules_of
from harness.runner.pytest_runs.schedule import GroupOrder, MutantSchedule


def test_an_installed_target_is_found_without_importing_it(tmp_path):
    folder = own_project(tmp_path / "own")
    project = find_project(PytestSuite("json.decoder", ("tests",), str(folder)))
    assert project.filename.endswith("json/decoder.py")
    assert not project.is_own


def test_the_target_s_text_is_not_part_of_the_hash_of_a_copy(tmp_path):
    folder = own_project(tmp_path / "own")
    suite = PytestSuite("till.core", ("tests",), str(folder))
    first = find_project(suite).copy(tmp_path / "first")
    (folder / "till" / "core.py").write_text("x = 1\n")
    assert find_project(suite).copy(tmp_path / "second") == first
    (folder / "till" / "rates.py").write_text("RATE = 4\n")
    assert find_project(suite).copy(tmp_path / "third") != first


def test_a_copy_leaves_out_the_cache_and_pinned_mutants_within_the_project(tmp_path, monkeypatch):
    folder = own_project(tmp_path / "own")
    monkeypatch.setenv("MUTASCOPE_CACHE", str(folder / ".cache"))
    suite = PytestSuite("till.core", ("tests",), str(folder))
    before = find_project(suite).copy(tmp_path / "before")
    for name in (".cache/profiles/till.json", "mutants/modules/till.core/ferastrau/0.jsonl"):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text("{}")
    assert find_project(suite).copy(tmp_path / "after") == before


def test_a_syntax_error_of_a_target_names_its_line(tmp_path):
    folder = own_project(tmp_path / "own", core="x = 1\ndef f(:\n")
    with pytest.raises(SourceError, match=r"core\.py:2: .*; correct the target"):
        find_project(PytestSuite("till.core", ("tests",), str(folder)))


@pytest.mark.parametrize("deep", ["-" * 20_000 + "1", "1" + " + 1" * 20_000, "f" + ".a" * 20_000])
def test_a_target_that_is_nested_too_deep_to_be_read_is_told_in_one_line(tmp_path, deep):
    folder = own_project(tmp_path / "own", core=f"def f():\n    return {deep}\n")
    suite = PytestSuite("till.core", ("tests",), str(folder))
    for looked_at in (suite, replace(suite, target="till")):
        with pytest.raises(
            SourceError, match=r"core\.py: .* is nested too deep for Python to read; correct"
        ) as error_info:
            modules_of(looked_at)
        assert "\n" not in str(error_info.value)


REPORT = OriginalReport(
    tests=(),
    raised={},
    lines={},
    loading=1,
    loading_sites=(),
    loading_seconds=0.1,
    threads=1,
    replaced={},
    shared={},
    shared_seconds=0.0,
    teardown=0,
    memory=0,
)


def run_of(*tests, **more):
    return replace(REPORT, tests=tuple(run_in(0.1, *test) for test in tests), **more)


def run_in(seconds, node, outcome, steps, sites):
    return OriginalTest(node, outcome, steps, seconds, tuple(sites))


SITES = [ProbeSite((0,), (), ()), ProbeSite((1, 2), (), ())]


def test_a_test_that_the_sandbox_refuses_something_is_told_why():
    forked = run_of(("a", "failed", 1, [1]), raised={"a": "PermissionError: [Errno 1] Operation not permitted"})
    with pytest.raises(UsageError, match=r"--flaky exclude \(in the sandbox, tests start no processes and open no"):
        original_of([forked], SITES, 3, Flaky.REFUSE, "tests")


def test_tests_that_fail_at_times_or_always_are_named_or_left_out():
    always = [("c", "failed", 1, [1]), ("d", "skipped", 0, [])]
    runs = [
        run_of(("a", "passed", 3, [0]), ("b", "passed", 1, [1]), *always, raised={"c": "KeyError: 3"}),
        run_of(("a", "passed", 5, [0]), ("b", "failed", 1, [1]), *always, raised={"b": "E", "c": "KeyError: 3"}),
    ]
    told = r"b is flaky: passed, failed \(E\); c fails on the original \(KeyError: 3\); .*--flaky exclude"
    with pytest.raises(UsageError, match=told):
        original_of(runs, SITES, 3, Flaky.REFUSE, "tests")
    original = original_of(runs, SITES, 3, Flaky.EXCLUDE, "tests")
    assert original.tests == ("a",)
    assert original.excluded == {"b": "is flaky: passed, failed", "c": "fails on the original", "d": "is skipped"}
    assert original.left_out("c") == "fails on the original (KeyError: 3)"
    assert original.measured.steps == {"a": 5}
    assert original.reached == (frozenset({0}), frozenset(), frozenset())


def test_a_suite_of_which_no_test_passes_is_refused():
    with pytest.raises(UsageError, match="no test passes on the original"):
        original_of([run_of(("d", "skipped", 0, []))], SITES, 3, Flaky.EXCLUDE, "tests")


def test_the_original_runs_in_order_backwards_and_shuffled_by_different_seeds():
    assert [(order.backwards, order.shuffle) for order in orders_of(4, 10)] == [
        (False, None), (True, None), (False, 12), (False, 13),
    ]  # fmt: skip


def mutant(name: str, function: str) -> Mutant:
    return Mutant(name, "AOR", function, Location(1, 0, 1, 1), "a", "b", "hash")


def mutant_runs(
    mutants: list[Mutant],
    done: dict[str, MutantResult],
    recollected: frozenset[int] = frozenset(),
    matrix: bool = False,
) -> MutantSchedule:
    """Mutants that four tests reach; the shortest test is d, then b and c, then a."""
    run = run_of(("a", "passed", 9, [0]), ("b", "passed", 5, [0]), ("c", "passed", 5, [0]), ("d", "passed", 1, [0]))
    original = original_of([run], SITES, 3, Flaky.REFUSE, "tests")
    reached = (frozenset(range(4)),) * len(mutants)
    selectors = {mutant.id: number for number, mutant in enumerate(mutants, start=1)}
    return MutantSchedule(
        mutants, selectors, replace(original, recollected=recollected, reached=reached), done, 0, matrix
    )


def killed_by(test: str | None) -> MutantFacts:
    if test is None:
        return MutantFacts(4, 20)
    return MutantFacts(1, 5, kills=(test,), first=FirstKill(test, KillReason.ASSERTION, ""))


def run_in_turn(group: GroupOrder | None, *killers: str | None) -> list[str]:
    """Return the tests of each mutant of a group; the killers are those of all but the last one."""
    tests = []
    for killer in [*killers, None]:
        tests.append("".join(group.order.tests))
        group = group.after(killed_by(killer))
    assert group is None
    return tests


def test_neighbours_are_run_together_and_those_that_are_collected_anew_first():
    first, later = mutant_runs(
        [mutant("m", "f"), mutant("n", "g"), mutant("o", "f")], {}, recollected=frozenset({1})
    ).groups()
    assert [(order.id, order.recollected) for order in first.orders] == [("n", True)]
    assert [(order.id, order.recollected) for order in later.orders] == [("m", False), ("o", False)]


def test_tests_that_killed_neighbours_come_first_the_latest_before_all_then_the_shortest():
    mutants = [mutant(name, "f") for name in "mnop"]
    (group,) = mutant_runs(mutants, {}).groups()
    assert run_in_turn(group, "c", None, "a") == ["dbca", "cdba", "cdba", "acdb"]


def test_a_group_learns_from_the_mutants_that_an_earlier_run_has_judged():
    mutants = [mutant(name, "f") for name in "mnop"]
    killed = MutantResult("m", Verdict.KILLED, 1, 5, KillReason.ASSERTION, Phase.CALL, 0, "")
    (group,) = mutant_runs(mutants, {"m": killed, "o": replace(killed, mutant="o", input=1)}).groups()
    assert run_in_turn(group, "c") == ["adbc", "bcad"]
    assert mutant_runs(mutants, dict.fromkeys("mnop", killed)).groups() == []


def test_a_whole_row_is_run_in_the_order_of_the_suite():
    (group,) = mutant_runs([mutant("m", "f"), mutant("n", "f")], {}, matrix=True).groups()
    assert run_in_turn(group, "c") == ["abcd", "abcd"]


def test_lambdas_outside_of_functions_are_listed():
    source = """\
f = lambda: 1
class A:
    g = lambda self: 2
    def h(self, by=lambda: 3):
        class B:
            k = lambda self: 4
        return (lambda: 5)()
"""
    assert list(outer_lambdas(ast.parse(source).body)) == [1, 3, 4, 6]


def test_every_definition_of_a_name_and_classes_within_functions_are_mutated():
    source = """\
class A:
    @property
    def x(self):
        return self.n + 1

    @x.setter
    def x(self, value: int):
        self.n = value - 2


if A:
    def chosen(value: int):
        return value * 3
else:
    def chosen(value: int):
        class Inner:
            def outer(self, one: int):
                class Deepest:
                    def method(self):
                        return one + 4

                return Deepest

        return Inner
"""
    path = Path("own.py")
    subject = Subject("own", "own", "own", path, source, path, "")
    mutants = module_mutants(subject, "ferastrau", {"functions": {}, "classes": {}})
    places = [(mutant.location.line, mutant.function) for mutant in mutants if mutant.operator == "AOR"]
    method = "chosen.<locals>.Inner.outer.<locals>.Deepest.method"
    assert list(dict.fromkeys(places)) == [(4, "A.x"), (8, "A.x"), (13, "chosen"), (20, method)]
    viable = [mutant for mutant in mutants if mutant.status is MutantStatus.VIABLE]
    text, numbers = metamutant(source, viable, marked=True)
    assert set(numbers) == {mutant.id for mutant in viable}
    assert ast.parse(text)


def test_seconds_of_shared_fixtures_are_allowed_to_whichever_test_comes_first():
    runs = [run_of(("a", "passed", 1, [0]), ("b", "passed", 1, [0]), shared_seconds=took) for took in (2.0, 3.0)]
    measured = original_of(runs, SITES, 3, Flaky.REFUSE, "tests").measured
    assert measured.seconds == {"a": 0.1, "b": 0.1}
    assert measured.first_seconds == 3.0


def test_seconds_are_allowed_for_what_the_first_test_fills_and_not_for_what_a_busy_machine_adds():
    runs = [
        replace(REPORT, tests=(run_in(0.1, "a", "passed", 3, [0]), run_in(0.5, "b", "passed", 9, [1]))),
        replace(REPORT, tests=(run_in(5.0, "a", "passed", 3, [0]), run_in(0.1, "b", "passed", 3, [1]))),
    ]
    measured = original_of(runs, SITES, 3, Flaky.REFUSE, "tests").measured
    assert (measured.first_steps, round(measured.first_seconds, 3)) == (6, 0.4)
    assert measured.seconds == {"a": 5.0, "b": 0.5}
