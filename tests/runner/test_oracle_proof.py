"""An oracle that tells nothing is refused in one line; those of all subjects are proven at every scope."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.own_subject import write_subject
from support.subjects import UNLIKE

from harness import api
from harness.errors import MutascopeError, SpecError
from harness.model.experiment import Trial
from harness.resources import subject_folders
from harness.runner.logs import logging_to
from harness.runner.mutant_stages import Execution
from harness.runner.run import run_experiment
from harness.runner.trial import prepare
from harness.runner.zygotes import mutant_facts, zygote_executor
from harness.store import RunStore

IMPLEMENTATION = """\
class Pile:
    def __init__(self):
        self.items = []
        self.pushed = 0

    def push(self, item):
        self.items.append(item)
        self.pushed += 1
        return len(self.items)

    def top(self):
        return self.items[-1]
"""

SPEC = """\
from harness.spec import Finitization

def rep_ok(pile):
    return 0 <= pile.pushed

def abstraction(pile):
    return tuple(pile.items)

def finitization(scope):
    f = Finitization("Pile")
    f.set("Pile.items", f.lists(1, lengths=range(scope + 1), elements=range(scope)))
    f.set("Pile.pushed", range(2))
    f.method("push", range(scope))
    f.method("top")
    return f
"""

HONEST = "    return 0 <= pile.pushed"
ITEMS = "    return tuple(pile.items)"


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "cache"))


def proven(folder: Path, name: str, scope: int, metamutants: bool = False) -> str:
    """Return the text of run.log about the oracle, after only the original and the controls have been run."""
    trial = Trial(name, "korat", scope)
    prepared = prepare(trial)
    experiment = api.subject_experiment(name, "korat", [scope], metamutants=metamutants)
    (folder / "work").mkdir(parents=True)
    execution = Execution(
        prepared.subject, prepared.interface, prepared.suite, prepared.mutants[:3], experiment, folder / "work"
    )
    with logging_to(folder), zygote_executor(execution.write_job(), 1) as executor:
        execution.prove(executor, execution.observe_original(executor))
    (words,) = re.findall("the .*oracle: .*", (folder / "run.log").read_text())
    return str(words)


def subject(folder: Path, spec: str, implementation: str = IMPLEMENTATION) -> str:
    return write_subject(folder, implementation, spec)


NOTHING_CHANGES = {("disj_set", 1), *((f"disj_set_{kind}", scope) for kind in ("fast", "checked") for scope in (1, 2))}
"""Subjects at scopes where no call changes what an abstraction tells of the state."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "scope"), [*((name, 2) for name in subject_folders()), *((name, 1) for name in (*UNLIKE, "binary_heap"))]
)
def test_the_oracles_of_all_subjects_are_proven(name, scope, tmp_path):
    words = proven(tmp_path / "run", name, scope, metamutants=scope == 2)
    if (name, scope) == ("binary_heap", 1):  # it has room for nothing
        assert words.startswith("the oracle: as every input raises, results are not proven; a foreign state is told; ")
        return
    assert words.startswith("the oracle: another result is told; a foreign state is told; ")
    if (name, scope) not in NOTHING_CHANGES:
        assert words.endswith(("a state put back is told", "another input's state is told"))


@pytest.mark.slow
@pytest.mark.parametrize("metamutants", [False, True])
@pytest.mark.parametrize(
    ("rep_ok", "abstraction", "says"),
    [
        (HONEST, "    return (1, [lambda: pile.items])", "what abstraction returned holds a function"),
        (HONEST, "    return (item for item in pile.items)", "what abstraction returned holds a generator"),
        (HONEST, "    return {1: pile.push}", "what abstraction returned holds a method"),
        (HONEST, "    return type(pile)", "abstraction returns one value for all states"),
        (
            "    return (0 <= pile.pushed for _ in range(1))",
            ITEMS,
            "returned a generator, which is true of every state",
        ),
        ("    return pile.top", ITEMS, "returned a method, which is true of every state"),
        ("    return map(bool, pile.items)", ITEMS, "returned a map, which is true of every state"),
        (
            "    return True",
            "    return 0",
            "rep_ok and abstraction read nothing of the state, or no target takes the object",
        ),
    ],
)
def test_a_vacuous_oracle_is_refused(rep_ok, abstraction, says, metamutants, tmp_path):
    name = subject(tmp_path / "pile", SPEC.replace(HONEST, rep_ok).replace(ITEMS, abstraction))
    with pytest.raises(SpecError) as caught:
        run_experiment(api.subject_experiment(name, "korat", [2], metamutants=metamutants), tmp_path / "run", 1)
    assert says in str(caught.value)
    assert "spec.py" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changed", "says"),
    [
        (SPEC, "a foreign state is told; another input's state is told"),
        (SPEC.replace(HONEST, "    return 1"), "a foreign state is told; another input's state is told"),
        (SPEC.replace(HONEST, "    return pile.items is not None and [0]"), "another input's state is told"),
        (SPEC.replace(f"def abstraction(pile):\n{ITEMS}\n", ""), "another input's state is told"),
        (SPEC.replace('    f.method("push", range(scope))\n', ""), "another input's state is told"),
    ],
)
def test_a_sound_oracle_is_not_refused(changed, says, tmp_path):
    assert says in proven(tmp_path / "run", subject(tmp_path / "pile", changed), 2)


@pytest.mark.slow
def test_calls_that_change_only_what_an_abstraction_leaves_out_are_no_reason_to_refuse(tmp_path):
    counting = IMPLEMENTATION.replace("        return self.items", "        self.pushed = 1\n        return self.items")
    name = subject(tmp_path / "pile", SPEC.replace('    f.method("push", range(scope))\n', ""), counting)
    assert "another input's state is told" in proven(tmp_path / "run", name, 2)


@pytest.mark.slow
def test_few_inputs_prove_the_equality_of_states_that_no_call_changes(tmp_path, monkeypatch):
    inputs_run: dict[str, int] = {}

    def noted_facts(*arguments: Any) -> Iterator[Any]:
        for facts in mutant_facts(*arguments):
            inputs_run[facts.id] = facts.inputs_run
            yield facts

    monkeypatch.setattr("harness.runner.instrument.mutant_facts", noted_facts)
    name = subject(tmp_path / "pile", SPEC.replace('    f.method("push", range(scope))\n', ""))
    assert "another input's state is told" in proven(tmp_path / "run", name, 4)
    assert list(inputs_run)[2:] == ["result", "foreign state", "first state"]
    assert max(list(inputs_run.values())[2:]) < 10


@pytest.mark.slow
def test_objects_with_slots_properties_and_static_methods_are_proven(tmp_path):
    implementation = """\
class Base:
    __slots__ = ("_value",)

class Slotted(Base):
    __slots__ = ("__count",)

    def __init__(self):
        self._value = 0
        self.__count = 0

    @property
    def value(self):
        return self._value

    def add(self, more):
        self._value += more
        self.__count += 1
        return self if more else None

    @staticmethod
    def double(number):
        return 2 * number

    @classmethod
    def named(cls, number):
        return cls.__name__ * number

def reset(slotted):
    slotted._value = 0
"""
    spec = """\
from harness.spec import Finitization

def rep_ok(slotted):
    return slotted.value >= 0

def abstraction(slotted):
    return slotted.value

def finitization(scope):
    f = Finitization("Slotted")
    f.set("Slotted._value", range(scope + 1))
    f.set("Slotted._Slotted__count", range(scope + 1))
    f.method("double", range(scope))
    f.method("named", range(scope))
    f.method("add", range(scope))
    f.function("reset")
    return f
"""
    name = subject(tmp_path / "slotted", spec, implementation)
    assert proven(tmp_path / "run", name, 2).endswith("a foreign state is told; another input's state is told")
    blind = subject(tmp_path / "blind", spec.replace("return slotted.value\n", "return 7\n"), implementation)
    with pytest.raises(SpecError, match="abstraction returns one value for all states"):
        proven(tmp_path / "run2", blind, 2)


@pytest.mark.slow
def test_what_no_input_can_show_is_said_to_be_unproven(tmp_path):
    implementation = "class Stateless:\n    def fail(self):\n        raise KeyError(1 + 1)\n"
    spec = """\
from harness.spec import Finitization

def rep_ok(stateless):
    return True

def finitization(scope):
    f = Finitization("Stateless")
    f.method("fail")
    return f
"""
    name = subject(tmp_path / "stateless", spec, implementation)
    words = proven(tmp_path / "run", name, 1)
    assert words == "the oracle: as every input raises, results are not proven; there is no state to change"


@pytest.mark.slow
def test_a_return_value_that_tells_nothing_is_refused(tmp_path):
    implementation = IMPLEMENTATION.replace("return self.items[-1]", "return object()")
    name = subject(tmp_path / "pile", SPEC, implementation)
    with pytest.raises(MutascopeError, match="its return value cannot be compared: a object tells nothing"):
        proven(tmp_path / "run", name, 1)


SLOTTED = """\
class Deque:
    __slots__ = ("right",)

    def __init__(self):
        self.right = None

    def __repr__(self):
        return f"Deque({self.right.reverse()})"

    def push(self, item):
        before = self.right
        self.right = item
        return before
"""
SLOTTED_SPEC = """\
from harness.spec import Finitization

def rep_ok(deque):
    return True

def finitization(scope):
    f = Finitization("Deque")
    f.set("Deque.right", [None, *range(scope)])
    f.method("push", range(scope))
    return f
"""


@pytest.mark.slow
def test_a_planted_mutant_that_dies_of_an_input_whose_repr_raises_does_not_refuse_the_run(tmp_path):
    name = subject(tmp_path / "deque", SLOTTED_SPEC, SLOTTED)
    run_experiment(api.subject_experiment(name, "korat", [2]), tmp_path / "run", 1)
    with RunStore.open_existing(tmp_path / "run") as store:
        details = [result.detail for trial in store.trials.all() for result in store.results.of(trial.key)]
    call_text = "Deque(right=None).push(0): "
    assert any(detail.startswith(call_text) for detail in details)
