"""A target has one mutant set and one list of functions and branches, whatever is run on it, in whatever order."""

from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import pytest
from support.own_subject import write_subject

from harness import api
from harness.analysis.run_summary import summary_rows
from harness.store import RunStore

# Scope 1 does not reach `largest`, so that it shows fewer types than scope 2.
BOX = """
class Box:
    def __init__(self):
        self.items = []

    def put(self, item):
        self.items.append(item)
        if len(self.items) > 2:
            return self.largest(self.items[0])
        return item

    def largest(self, least):
        largest = least
        for item in self.items:
            if item > largest:
                largest = item
        return largest
"""
BOX_SPEC = """
from harness.spec import Finitization, SequenceScope


def rep_ok(box):
    return len(box.items) >= 0


def abstraction(box):
    return tuple(box.items)


def finitization(scope):
    f = Finitization("Box")
    f.set("Box.items", f.lists(1, lengths=range(scope + 1), elements=range(scope)))
    f.method("put", range(scope + 1))
    return f


def sequences(scope):
    s = SequenceScope("Box")
    s.constructor()
    s.method("put", range(scope))
    s.elements(scope)
    return s
"""


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


Facts = tuple[str, tuple[int, int], tuple[int, int]]
"""The hash of a trial's mutant set, its mutants and those that are killed, its branches and those that are executed."""


def facts_by_suite(folder: Path) -> dict[str, Facts]:
    """Return the facts of each suite of a run, by its digest."""
    with RunStore.open_existing(folder) as store:
        facts = {}
        for trial in store.trials.all():
            results = store.results.of(trial.key)
            killed = sum(result.verdict.value == "killed" for result in results)
            counts = [one.counts for one in store.coverage.of(trial.key) if one.kind.value == "code"]
            branches = sum(one.branches for one in counts), sum(one.branches_executed for one in counts)
            facts[trial.suite_digest] = (trial.mutant_set, (len(results), killed), branches)
    return facts


def runs_of(subject: str, trials: Sequence[tuple[str, int]], tmp_path: Path) -> list[dict[str, Facts]]:
    """Return the facts of runs of one trial each, of all orders in one folder each, and of all scopes in one run."""
    facts = []
    for number, (generator, scope) in enumerate(trials):
        facts.append(
            facts_by_suite(api.run(api.subject_experiment(subject, generator, [scope]), tmp_path / f"alone{number}", 1))
        )
    for number, order in enumerate(permutations(trials)):
        for generator, scope in order:
            api.run(api.subject_experiment(subject, generator, [scope]), tmp_path / f"order{number}", 1)
        facts.append(facts_by_suite(tmp_path / f"order{number}"))
    scopes = sorted({scope for _, scope in trials})
    whole = api.run(api.subject_experiment(subject, trials[0][0], scopes), tmp_path / "scopes", 1)
    return [*facts, facts_by_suite(whole)]


def denominators(facts: Facts) -> tuple[str, int, int]:
    mutant_set, (mutants, _), (branches, _) = facts
    return mutant_set, mutants, branches


@pytest.mark.slow
@pytest.mark.parametrize(
    "trials", [[("korat", 1), ("korat", 2), ("random:20", 2)], [("beapi", 1), ("beapi", 2), ("random:20", 1)]]
)
def test_scores_and_coverages_of_a_subject_have_one_denominator_in_any_run_and_order(trials, tmp_path):
    subject = write_subject(tmp_path / "own", BOX, BOX_SPEC)
    runs = runs_of(subject, trials, tmp_path)
    assert len({denominators(facts) for run in runs for facts in run.values()}) == 1
    of_suite: dict[str, set[Facts]] = {}
    for run in runs:
        for digest, facts in run.items():
            of_suite.setdefault(digest, set()).add(facts)
    assert {len(facts) for facts in of_suite.values()} == {1}, "one score for one suite"
    assert len({next(iter(facts))[1] for facts in of_suite.values()}) > 1, "suites differ in what they kill"


MODULE = """
def joined(left, right):
    if left is None:
        return right
    return left + right


def most(values):
    best = values[0]
    for value in values:
        if value > best:
            best = value
    return best
"""
FEW = "from shop import joined\n\n\ndef test_joined():\n    assert joined(1, 2) == 3\n"
MANY = (
    "from shop import joined, most\n\n\ndef test_joined():\n    assert joined(3, 2) == 5\n\n\n"
    "def test_most():\n    assert most([1, 3, 2]) == 3\n"
)


def project(folder: Path) -> Path:
    texts = {"pyproject.toml": "", "shop.py": MODULE, "tests/test_few.py": FEW, "tests/test_many.py": MANY}
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def suite_run(root: Path, tests: Sequence[str], out: Path, seed: int = 0) -> Facts:
    experiment = api.pytest_experiment("shop", tests, folder=root, seed=seed, original_runs=1)
    folder = api.run(experiment, out, 1)
    (facts,) = facts_by_suite(folder).values()
    return facts


@pytest.mark.slow
def test_two_suites_of_a_module_are_judged_by_the_same_mutants(tmp_path):
    root = project(tmp_path / "own")
    few, many = (suite_run(root, [f"tests/test_{name}.py"], tmp_path / name) for name in ("few", "many"))
    again = suite_run(root, ["tests/test_few.py"], tmp_path / "again", seed=7)
    assert denominators(few) == denominators(many) == denominators(again)
    assert few[1] == again[1]
    assert few[1][1] < many[1][1]


@pytest.mark.slow
def test_tests_that_a_tool_generated_do_not_change_the_mutant_set(tmp_path):
    root = project(tmp_path / "own")
    (root / "tests" / "test_many.py").unlink()
    before = api.module_mutants("shop", folder=root)
    generated = root / "tests_tool"
    generated.mkdir()
    (generated / "test_generated.py").write_text(MANY, encoding="utf-8")
    (generated / "generated.json").write_text("{}", encoding="utf-8")
    assert api.module_mutants("shop", folder=root) == before
    (generated / "generated.json").unlink()
    assert len(api.module_mutants("shop", folder=root)["shop"]) > len(before["shop"])


@pytest.mark.slow
def test_tests_that_cannot_be_collected_or_end_their_process_do_not_keep_others_from_being_observed(tmp_path):
    root = project(tmp_path / "own")
    before = api.module_mutants("shop", folder=root)
    (root / "tests" / "test_broken.py").write_text("import nothing_of_that_name\n", encoding="utf-8")
    ends = "import os\n\n\ndef test_it():\n    os._exit(3)\n"
    (root / "tests" / "test_ending.py").write_text(ends, encoding="utf-8")
    assert api.module_mutants("shop", folder=root) == before


def test_without_any_test_mutants_come_from_the_text_alone_and_a_line_says_so(tmp_path, capsys):
    root = project(tmp_path / "own")
    for path in (root / "tests").iterdir():
        path.unlink()
    assert api.module_mutants("shop", folder=root)["shop"]
    (message,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("mutascope: shop")]
    assert message.startswith("mutascope: shop: no types are observed, so mutants come from annotations and inference")
    assert message.endswith("mutascope profile --target shop --tests PATH")


@pytest.mark.slow
def test_a_pinned_set_and_a_profile_come_before_what_is_observed(tmp_path, monkeypatch):
    root = project(tmp_path / "own")
    monkeypatch.chdir(root)
    observed = api.module_mutants("shop")["shop"]
    (profile,) = api.profile("shop", ["tests/test_few.py"])
    assert profile.parent == Path("mutants/modules/shop")
    fewer = api.module_mutants("shop")["shop"]
    assert len(fewer) < len(observed)
    pinned = api.module_mutants("shop", pin=True, size=5, seed=1)["shop"]
    assert len(pinned) == 5
    profile.unlink()
    suite_run(root, ["tests"], tmp_path / "run")
    with RunStore.open_existing(tmp_path / "run") as store:
        (trial,) = store.trials.all()
        assert {result.mutant for result in store.results.of(trial.key)} == {mutant.id for mutant in pinned}


@pytest.mark.slow
def test_a_run_that_is_repeated_has_the_mutants_that_were_profiled_or_pinned_since(tmp_path, monkeypatch):
    root = project(tmp_path / "own")
    monkeypatch.chdir(root)

    def counted() -> int:
        experiment = api.pytest_experiment("shop", ["tests/test_few.py"], original_runs=1)
        (row,) = summary_rows(api.run(experiment, tmp_path / "run", 1))
        return row["counted"]

    observed = counted()
    api.profile("shop", ["tests/test_few.py"])
    assert counted() < observed
    api.module_mutants("shop", pin=True, size=3)
    assert counted() == 3
