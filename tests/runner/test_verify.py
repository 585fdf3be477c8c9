"""The naive second path confirms what the fast one found, in every detail, and reports what is false."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import pile
from support.bench import Bench as Zygote
from support.subjects import load_subject

from harness.cli import main
from harness.errors import StoreError, UsageError
from harness.kernel.naive.job import NaiveJob, SubjectJob
from harness.kernel.program.loader import ModuleText
from harness.kernel.program.splice import mutated_source
from harness.kernel.running.job import RunJob
from harness.model.experiment import Approach, ExecutionMode, Trial
from harness.model.mutant import Location, Mutant
from harness.model.outcome import KillReason, MutantResult, Phase, Verdict
from harness.model.subject import Subject
from harness.runner.results import kill_row_of, result_of
from harness.runner.suites import ensure_suite
from harness.runner.verify import agree, verify
from harness.runner.witness import Witness, Witnessed, witness
from harness.store import KillRow, RunStore, StoredTrial
from harness.store.facts import mutant_set_hash


@dataclass(frozen=True)
class Bench:
    """A subject with a suite and a zygote that has run the original."""

    subject: Subject
    suite: Path
    inputs: int
    scope: int
    zygote: Zygote
    original_steps: int

    def mutant(self, old: str, new: str) -> Mutant:
        """The mutant that has `new` for the first `old`."""
        before, found, _ = self.subject.source.partition(old)
        assert found, old
        return self.mutant_at(len(before), old, new)

    def mutant_at(self, start: int, old: str, new: str) -> Mutant:
        source = self.subject.source
        (line, column), (end_line, end_column) = (
            (source.count("\n", 0, at) + 1, at - source.rfind("\n", 0, at) - 1) for at in (start, start + len(old))
        )
        location = Location(line, column, end_line, end_column)
        return Mutant(f"X:{start}:{new[:20]}", "X", "f", location, old, new, self.subject.source_hash)

    def fast(self, mutant: Mutant, matrix: bool = False) -> Witnessed:
        source = mutated_source(self.subject.source, mutant)
        facts = self.zygote.mutant(source, mutant.id, matrix=matrix)
        return Witnessed(result_of(facts), kill_row_of(facts, self.inputs))

    def naive(self, mutant: Mutant, matrix: bool = False) -> Witnessed:
        subject = self.subject
        job = SubjectJob(
            subject.module, "impl.py", subject.source, subject.blocked, subject.spec_source, "spec.py",
            str(self.suite), self.scope, False,
        )  # fmt: skip
        own = NaiveJob(job, mutant.location, mutant.original, mutant.replacement, matrix, self.inputs)
        return witness(mutant.id, own)

    def both(self, old: str, new: str, matrix: bool = False) -> MutantResult:
        """The mutant's result, which the two paths agree on."""
        mutant = self.mutant(old, new)
        fast, naive = self.fast(mutant, matrix), self.naive(mutant, matrix)
        without = [replace(told.result, detail="", executed=None) for told in (fast, naive)]
        assert without[0] == without[1]
        assert fast.kill_row == naive.kill_row
        assert fast.result.detail.endswith(naive.result.detail)
        return naive.result


@pytest.fixture(scope="module")
def benches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Bench]]:
    """Benches by the subject's name: `pile`, or one that ships."""
    home = tmp_path_factory.mktemp("home")
    folder = home / "subjects" / "pile"
    folder.mkdir(parents=True)
    (folder / "impl.py").write_text(pile.SOURCE)
    (folder / "spec.py").write_text(pile.SPEC)
    made: dict[str, Bench] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        patch.setenv("MUTASCOPE_CACHE", str(home / "cache"))

        def bench(name: str, scope: int = 2) -> Bench:
            if name not in made:
                subject, _ = load_subject(name)
                suite = ensure_suite(subject, Trial(name, "korat", scope))
                text = ModuleText(subject.module, subject.source, "impl.py", subject.blocked)
                job = home / f"{name}.json"
                RunJob(text, subject.spec_source, "spec.py", str(suite.folder), scope).write(job)
                zygote = Zygote(job, len(suite)).__enter__()
                made[name] = Bench(subject, suite.folder, len(suite), scope, zygote, zygote.facts["steps"])
            return made[name]

        yield bench
        for opened in made.values():
            opened.zygote.__exit__(None, None, None)


@pytest.fixture(scope="module")
def tree(benches: Callable[[str], Bench]) -> Bench:
    return benches("search_tree")


@pytest.fixture(scope="module")
def piles(benches: Callable[[str], Bench]) -> Bench:
    return benches("pile")


# -- one mutant ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "reason", "phase"),
    [
        ("self.size -= 1", "self.size -= 1 + 0", None, None),
        ("self.size -= 1", "self.size += 1", "rep_invariant", "rep_ok"),
        ("self.size -= 1", "self.size = None", "rep_invariant", "rep_ok"),
        ("return True", "return 1", "output", "call"),
        ("return True", "self.root, self.size = None, 0; return True", "state", "equality"),
        ("self.size -= 1", "raise KeyError(info)", "exception", "call"),
        ("self.size -= 1", "raise SystemExit", "exception", "call"),
        ("self.size -= 1", "raise MemoryError", "memory_limit", "call"),
        ("self.size -= 1", "[0] * (1 << 45)", "memory_limit", "call"),
        ("self.size -= 1", "while True: pass", "step_limit", "call"),
        ("self.size -= 1", "self._remove_node(current)", "step_limit", "call"),
        ("return right", "current.right = current; return current", "rep_invariant", "rep_ok"),
        ("self.size -= 1", "import os; os._exit(0)", "crash", "call"),
        ("self.size -= 1", "import os; os._exit(3)", "crash", "call"),
        ("self.size -= 1", "import os; os.abort()", "crash", "call"),
        ("self.size -= 1", "import os; os.kill(os.getpid(), 9)", "crash", "call"),
        ("class SearchTree", "nothing\nclass SearchTree", "exception", "load"),
        ("class SearchTree", "while True: pass\nclass SearchTree", "exception", "load"),
        ("class SearchTree", "import os; os._exit(3)\nclass SearchTree", "crash", "load"),
    ],
)
def test_both_paths_tell_the_same_of_every_way_to_end(
    tree: Bench, old: str, new: str, reason: str | None, phase: str | None
) -> None:
    told = tree.both(old, new)
    assert (told.reason and told.reason.value, told.phase and told.phase.value) == (reason, phase)


def test_both_paths_see_through_a_mutant_that_swallows_the_step_limit(tree: Bench) -> None:
    lines = ["try:", "    while True: pass", "except BaseException:", "    pass"]
    told = tree.both("self.size -= 1", f"\n{' ' * 8}".join(lines))
    assert told.reason is KillReason.STEP_LIMIT
    assert told.steps is not None


def test_both_paths_meet_the_recursion_limit_after_the_same_steps(piles: Bench) -> None:
    # depth(400) has a budget beyond the recursion limit; depth(10**6) ends the original itself by RecursionError.
    told = piles.both("left - 1", "left")
    assert (told.reason, told.phase) == (KillReason.EXCEPTION, Phase.CALL)
    survivor = piles.both("left <= 0", "left <= -0")
    assert (survivor.verdict, survivor.steps) == (Verdict.SURVIVED, piles.original_steps)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("other.items.clear()", "pass", "state"),
        ("for item in others:", "others.append(1)\n        for item in others[:-1]:", "state"),
        ("return self\n", "return joined\n", "output"),
        ("return joined", "return self", "output"),
        ("self.items + other.items", "other.items + self.items", None),
        ("self.items + other.items", "[*self.items, 'x']", "output"),
        ("return dropped", "return True if dropped == 1 else dropped", "output"),
        ("raise ValueError(most)", "raise IndexError(most)", "exception"),
        ("most < 0", "False", "exception"),
    ],
)
def test_both_paths_compare_arguments_and_returned_structures_alike(
    piles: Bench, old: str, new: str, reason: str | None
) -> None:
    told = piles.both(old, new)
    assert (told.reason and told.reason.value) == reason


@pytest.mark.parametrize(
    "new",
    [
        "self.size -= 1 + 0",
        "self.size += 1",
        "self.size -= 1; info == 1 and 1 // 0",
        "while True: pass",
        "import os; os.abort()",
        "self.size -= 1 + (info == 2); import os; info == 1 and os.abort()",
    ],
)
def test_both_paths_fill_the_same_row_of_the_kill_matrix(tree: Bench, new: str) -> None:
    tree.both("self.size -= 1", new, matrix=True)


@pytest.mark.slow
@pytest.mark.parametrize("new", ["sum(range(10**12))", "import time; time.sleep(1000)"], ids=["computes", "sleeps"])
def test_a_mutant_that_stays_within_a_step_meets_the_wall_limit_on_both_paths(tree: Bench, new: str) -> None:
    mutant = tree.mutant("self.size -= 1", new)
    fast, naive = tree.fast(mutant).result, tree.naive(mutant).result
    assert fast.reason is naive.reason is KillReason.WALL_LIMIT
    assert agree(fast, naive)


def test_a_mutant_that_does_not_compile_is_stillborn(tree: Bench) -> None:
    assert tree.naive(tree.mutant("self.size -= 1", "self.size -=")).result.verdict is Verdict.STILLBORN


def test_a_mutant_of_another_source_is_nobodys_kill(tree: Bench) -> None:
    told = tree.naive(replace(tree.mutant("self.size -= 1", "pass"), original="self.size -= 2")).result
    assert told.verdict is Verdict.INCONCLUSIVE
    assert "does not have 'self.size -= 2'" in told.detail


PIECES = ["self.items", "other.items", "others", "most", "dropped", "item", "joined", "left", "0", "1", "self", "other"]
SIGNS = [" < ", " > ", " <= ", " + ", " - ", " += ", " = ", "not ", "while ", "if ", "return ", ".pop", ".append"]


@given(st.data())
@settings(derandomize=True, max_examples=25, deadline=None)
def test_both_paths_tell_the_same_of_random_mutants(piles: Bench, data: st.DataObject) -> None:
    source = piles.subject.source
    group = data.draw(st.sampled_from([PIECES, SIGNS]))
    sites = [(at, piece) for piece in group for at in range(len(source)) if source.startswith(piece, at)]
    start, old = data.draw(st.sampled_from(sites))
    new = data.draw(st.sampled_from([*(piece for piece in group if piece != old), ""]))
    mutant = piles.mutant_at(start, old, new)
    try:
        compile(mutated_source(source, mutant), "impl.py", "exec")
    except SyntaxError:
        assert piles.naive(mutant).result.verdict is Verdict.STILLBORN
        return
    matrix = data.draw(st.booleans())
    fast, naive = piles.fast(mutant, matrix), piles.naive(mutant, matrix)
    assert replace(fast.result, detail="", executed=None) == replace(naive.result, detail="", executed=None)
    assert fast.kill_row == naive.kill_row


# -- a stored run --------------------------------------------------------------------------------

CHANGES = [
    ("self.size -= 1", "self.size += 1"),
    ("self.size -= 1", "self.size -= 1 + 0"),
    ("return True", "return 1"),
    ("self.size -= 1", "import os; os.abort()"),
]


def store_run(folder: Path, bench: Bench, mode: ExecutionMode, **changes: object) -> StoredTrial:
    """A finished trial of CHANGES, as a run stores it."""
    matrix = mode is ExecutionMode.MATRIX
    mutants = [bench.mutant(old, new) for old, new in CHANGES]
    suite_header = ensure_suite(bench.subject, Trial(bench.subject.name, "korat", bench.scope)).header
    fields: dict[str, object] = {
        "subject": bench.subject.name, "title": bench.subject.title, "generator": "korat",
        "generator_version": suite_header.generator_version, "scope": bench.scope, "seed": 0,
        "subject_hash": bench.subject.content_hash, "source_hash": bench.subject.source_hash,
        "suite_digest": suite_header.digest, "inputs": bench.inputs, "states": suite_header.states,
        "explored": suite_header.explored, "inputs_by_target": suite_header.inputs_by_target,
        "operator_set": "ferastrau",
        "mutant_set": mutant_set_hash(mutants), "mode": mode, "approach": Approach.SEPARATE, "concrete": False,
        "original_steps": 1, "original_raised": 0,
    }  # fmt: skip
    trial = StoredTrial(**(fields | changes))  # type: ignore[arg-type]
    with RunStore.open(folder) as store:
        store.add_mutants(mutants)
        key = store.add_trial(trial)
        for mutant in mutants:
            found = bench.fast(mutant, matrix)
            store.add_result(key, found.result, kill_row=found.kill_row)
        store.finish_trial(key)
    return trial


def doctor(folder: Path, statement: str, *values: object) -> None:
    """Falsifies a stored fact behind the store's back."""
    with sqlite3.connect(folder / "run.sqlite") as connection:
        for (trigger,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {trigger}")
        assert connection.execute(statement, values).rowcount == 1
    connection.close()


@pytest.mark.parametrize("mode", [ExecutionMode.FIRST_KILL, ExecutionMode.MATRIX], ids=lambda mode: mode.value)
def test_a_true_store_is_confirmed_whole(tmp_path: Path, tree: Bench, mode: ExecutionMode) -> None:
    store_run(tmp_path, tree, mode)
    shown: list[tuple[int, int]] = []
    found = verify(tmp_path, suite_of=lambda _: tree.suite, jobs=2, progress=lambda *at: shown.append(at))
    assert (found.checked, found.disagreements) == (len(CHANGES), ())
    assert shown == [(number, len(CHANGES)) for number in range(1, len(CHANGES) + 1)]


@pytest.mark.parametrize(
    ("column", "value", "change"),
    [
        ("input", 7, 0),
        ("steps", 1, 0),
        ("phase", "call", 0),
        ("inputs_run", 3, 0),
        ("reason", "state", 2),
        ("steps", 1, 1),
    ],
)
def test_a_falsified_fact_is_a_disagreement(
    tmp_path: Path, tree: Bench, column: str, value: object, change: int
) -> None:
    trial = store_run(tmp_path, tree, ExecutionMode.FIRST_KILL)
    mutant = tree.mutant(*CHANGES[change]).id
    doctor(tmp_path, f"UPDATE mutant_result SET {column} = ? WHERE mutant = ?", value, mutant)
    (found,) = verify(tmp_path, suite_of=lambda _: tree.suite).disagreements
    assert (found.trial, found.mutant) == (str(trial), mutant)
    assert str(value) in found.stored
    assert found.stored != found.witnessed
    assert mutant in str(found)


def test_a_false_verdict_is_a_disagreement_with_both_sides(tmp_path: Path, tree: Bench) -> None:
    store_run(tmp_path, tree, ExecutionMode.FIRST_KILL)
    doctor(
        tmp_path,
        "UPDATE mutant_result SET verdict = 'survived', reason = NULL, phase = NULL, input = NULL WHERE mutant = ?",
        tree.mutant(*CHANGES[2]).id,
    )
    (found,) = verify(tmp_path, suite_of=lambda _: tree.suite).disagreements
    assert found.stored.startswith("survived after")
    assert found.witnessed.startswith("killed by output in call on input")


@pytest.mark.parametrize(("change", "statement"), [
    (0, "UPDATE kill_row SET bits = zeroblob(length(bits)) WHERE mutant = ?"),
    (1, "DELETE FROM kill_row WHERE mutant = ?"),
])  # fmt: skip
def test_a_false_kill_row_is_a_disagreement(tmp_path: Path, tree: Bench, change: int, statement: str) -> None:
    store_run(tmp_path, tree, ExecutionMode.MATRIX)
    doctor(tmp_path, statement, tree.mutant(*CHANGES[change]).id)
    (found,) = verify(tmp_path, suite_of=lambda _: tree.suite).disagreements
    assert ("0 inputs kill" if change == 0 else "no kill row") in found.stored


def test_what_could_not_be_re_executed_is_neither_confirmed_nor_a_disagreement(
    tmp_path: Path, tree: Bench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store_run(tmp_path, tree, ExecutionMode.FIRST_KILL)
    prepared = Witness._prepared

    def without_judge(witness: Witness, first: int, last: int) -> Any:
        assert witness._judge is not None
        witness._judge._end()
        return prepared(witness, first, last)

    monkeypatch.setattr(Witness, "_prepared", without_judge)
    assert main(["verify", str(tmp_path), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["checked"], found["disagreements"]) == (0, [])
    assert len(found["unchecked"]) == len(CHANGES)
    assert "a process that re-executes has died twice: ended by SIGKILL" in found["unchecked"][0]


def test_a_sample_is_drawn_by_its_seed(tmp_path: Path, tree: Bench) -> None:
    store_run(tmp_path, tree, ExecutionMode.FIRST_KILL)
    with sqlite3.connect(tmp_path / "run.sqlite") as connection:
        for (trigger,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {trigger}")
        connection.execute("UPDATE mutant_result SET inputs_run = 99")
    connection.close()

    def drawn(seed: int) -> list[str]:
        found = verify(tmp_path, suite_of=lambda _: tree.suite, sample=2, seed=seed)
        assert found.checked == 2
        return [disagreement.mutant for disagreement in found.disagreements]

    assert drawn(1) == drawn(1)
    assert len({tuple(drawn(seed)) for seed in range(10)}) > 1


def test_what_cannot_be_checked_is_refused(tmp_path: Path, tree: Bench, piles: Bench) -> None:
    with RunStore.open(tmp_path / "empty"):
        pass
    with pytest.raises(StoreError, match="no verdict is stored yet"):
        verify(tmp_path / "empty", suite_of=lambda _: tree.suite)
    with pytest.raises(UsageError, match="nothing would be checked"):
        verify(tmp_path / "empty", suite_of=lambda _: tree.suite, sample=0)
    store_run(tmp_path / "run", tree, ExecutionMode.FIRST_KILL)
    with pytest.raises(StoreError, match="was run on another suite"):
        verify(tmp_path / "run", suite_of=lambda _: piles.suite)
    store_run(tmp_path / "stale", tree, ExecutionMode.FIRST_KILL, subject_hash="0" * 64)
    with pytest.raises(StoreError, match="another version of the subject"):
        verify(tmp_path / "stale", suite_of=lambda _: tree.suite)


def test_steps_are_compared_only_where_both_know_them() -> None:
    killed = MutantResult("m", Verdict.KILLED, 3, 17, KillReason.OUTPUT, Phase.CALL, 2)
    assert agree(killed, replace(killed, detail="other words"))
    assert not agree(killed, replace(killed, steps=18))
    assert agree(killed, replace(killed, steps=None))
    by_call = replace(killed, detail="call 2 of 3, Box.put: returned another value")
    assert agree(by_call, replace(killed, detail="box = Box(); box.put(1): call 2 of 3, Box.put: other words"))
    assert not agree(by_call, replace(killed, detail="call 3 of 3, Box.put: returned another value"))
    lost = MutantResult("m", Verdict.KILLED, 0, None, KillReason.CRASH, Phase.CALL, None)
    assert agree(lost, replace(lost, inputs_run=3, input=2))
    assert not agree(lost, replace(killed, reason=KillReason.WALL_LIMIT))


def test_a_mutant_that_does_not_load_is_killed_by_every_input(tree: Bench) -> None:
    mutant = tree.mutant("class SearchTree", "nothing\nclass SearchTree")
    for told in (tree.naive(mutant, matrix=True), tree.fast(mutant, matrix=True)):
        assert told.result.phase is Phase.LOAD
        assert told.kill_row == KillRow.of_kills(mutant.id, tree.inputs, range(tree.inputs))
    assert isinstance(tree.naive(tree.mutant("return True", "return 1"), matrix=True).kill_row, KillRow)
