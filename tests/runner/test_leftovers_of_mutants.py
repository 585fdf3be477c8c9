"""No input finds the state that a mutant, or the original, leaks into its module, for all filters of inputs."""

from pathlib import Path

import pytest
from support.both_paths import mutant_at
from support.own_subject import write_subject
from support.subjects import load_subject

from harness.model.experiment import Approach, ExecutionMode, Experiment, Trial
from harness.model.interface import Interface
from harness.runner.mutant_results import ProbedFacts
from harness.runner.mutant_stages import FIRST_LOOK, Execution, Filter
from harness.runner.suites import ensure_suite
from harness.runner.zygotes import zygote_executor

CLEARING = FIRST_LOOK + 2
"""How many inputs call `clear`, which comes first."""
FACTS = ("reason", "phase", "detail", "input", "input_text", "inputs_run", "steps", "bits")

LEAKY = """
import functools

LOG = []
CALLS = []


def _keeper():
    kept = []
    def keep():
        return kept
    return keep


@functools.cache
def cached():
    return []


def marked():
    pass


keep = _keeper()
marked.kept = []


class Box:
    SHARED = []

    def __init__(self):
        self.items = []

    def clear(self, by):
        fresh = []
        self.items = fresh
        self.items[:] = [by]

    def spare(self, more=[]):
        return more

    def size(self, by):
        return by + sum(map(len, (LOG, Box.SHARED, cached(), keep(), marked.kept, self.spare())))
"""
COUNTING = LEAKY.replace("        fresh = []\n", "        fresh = []\n        CALLS.append(by)\n")

SPEC = f"""
from harness.spec import Finitization

def rep_ok(box):
    return len(box.items) >= 0

def finitization(scope):
    f = Finitization("Box")
    f.set("Box.items", f.lists(1, lengths=[1], elements=[1]))
    f.method("clear", range({CLEARING}))
    f.method("size", range(2))
    return f
"""
PLACES = ("LOG", "Box.SHARED", "cached()", "keep()", "marked.kept", "self.spare()")


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "cache"))


def facts_of(
    source: str, changes: list[tuple[str, str]], approach: Approach, folder: Path
) -> dict[str, dict[str, ProbedFacts]]:
    """Return the facts by mode, filter and replacement."""
    subject, spec = load_subject(write_subject(folder, source, SPEC))
    suite = ensure_suite(subject, Trial(str(folder), "korat", 2))
    mutants = [
        mutant_at(source, source.index(old), old, new, function="Box.size" if "return" in old else "Box.clear")
        for old, new in changes
    ]
    interface = Interface.of_finitization(spec.finitization(2))
    all_facts: dict[str, dict[str, ProbedFacts]] = {}

    def executed(mode: ExecutionMode, chosen: Filter) -> Execution:
        experiment = Experiment("test", (), mode=mode, approach=approach)
        return Execution(subject, interface, suite, mutants, experiment, folder, chosen)

    first = executed(ExecutionMode.FIRST_KILL, Filter.NONE)
    with zygote_executor(first.write_job(), 1) as executor:
        first.observe_original(executor)
        for mode in (ExecutionMode.FIRST_KILL, ExecutionMode.MATRIX):
            for chosen in (Filter.NONE, Filter.STAGED):
                run_facts = executed(mode, chosen).run(executor, mutants)
                all_facts[f"{mode.value} {chosen.name}"] = {facts.id: facts for facts in run_facts}
    return all_facts


def assert_all_alike(all_facts: dict[str, dict[str, ProbedFacts]]) -> None:
    for name, facts in all_facts.items():
        naive = all_facts[f"{name.split()[0]} NONE"]
        for number, expected in naive.items():
            actual = facts[number]
            found_facts, expected_facts = ([getattr(facts, fact) for fact in FACTS] for facts in (actual, expected))
            assert found_facts == expected_facts, (name, number)


@pytest.mark.slow
@pytest.mark.parametrize("approach", list(Approach))
def test_a_mutant_that_shares_what_a_module_holds_is_not_killed_by_inputs_that_do_not_reach_it(approach, tmp_path):
    changes = [("self.items = fresh", f"self.items = {place}") for place in PLACES]
    all_facts = facts_of(LEAKY, [*changes, ("= [by]", "= [by * 1]")], approach, tmp_path / "box")
    assert_all_alike(all_facts)
    first = all_facts[f"{ExecutionMode.FIRST_KILL.value} STAGED"]
    kills = [facts for name, facts in first.items() if "self.items" in name]
    assert len(kills) == len(PLACES)
    assert {facts.reason for facts in kills} == {None}


def test_what_the_original_counts_is_gone_for_a_mutant_that_tells_it(tmp_path):
    changes = [("return by", f"return len(CALLS) // {CLEARING} + by"), ("= [by]", "= [by * 1]")]
    all_facts = facts_of(COUNTING, changes, Approach.SEPARATE, tmp_path / "box")
    assert_all_alike(all_facts)
    clearing, counting = all_facts[f"{ExecutionMode.FIRST_KILL.value} STAGED"].values()
    assert (clearing.reason, counting.reason) == (None, None)
