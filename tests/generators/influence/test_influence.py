"""Influence between routines is found on classes made by hand, and predicts what executions show."""

from dataclasses import replace

import pytest
from candidate_classes import HEAPS, TEMPERATURE_MONITOR, heaps, temperature_monitor
from support.sequence_suites import bounds_of, task_of

from harness.generators.influence.candidate import PartialOrder
from harness.generators.influence.effects import ANYTHING, ELEMENTS
from harness.generators.influence.enumeration import CandidateEnumeration
from harness.generators.influence.influence import Influence, influence_of
from harness.generators.policies.css.options import Options
from harness.generators.policies.css.production import Production
from harness.kernel.program.loader import ModuleText
from harness.model.sequence import SequenceScope
from harness.runner.subjects import load_subject


def influenced_names(influence: Influence) -> dict[str, set[str]]:
    names = [facts.name for facts in influence.facts]
    return {name: {names[later] for later in influence.direct[number]} for number, name in enumerate(names)}


def methods(*names: str, root: str = "Thing") -> SequenceScope:
    return bounds_of(root, **dict.fromkeys(names, ()))


def of_methods(text: str, *names: str, root: str = "Thing") -> dict[str, set[str]]:
    return influenced_names(influence_of([("thing", text)], methods(*names, root=root)))


def test_the_temperature_monitor_has_the_facts_of_table_4_3():
    facts = influence_of([("monitor", TEMPERATURE_MONITOR)], temperature_monitor()).facts
    both = {"enabled", "temperature"}
    assert [(one.name, set(one.effects.writes), set(one.effects.reads)) for one in facts] == [
        ("TemperatureMonitor", both, set()),
        ("set_enabled", {"enabled"}, set()),
        ("update_temperature", {"temperature"}, {"enabled"}),
        ("get_temperature", set(), {"temperature"}),
        ("warning", set(), {"temperature"}),
    ]
    assert [one.takes for one in facts] == [(), *[(("TemperatureMonitor",),)] * 4]
    assert [set(one.makes) for one in facts[:3]] == [{"TemperatureMonitor"}, set(), set()]


def test_elements_of_collections_are_one_location():
    influence = influence_of([("heaps", HEAPS)], heaps())
    insert = influence.facts[1].effects
    assert insert.writes == {ELEMENTS}
    assert influenced_names(influence)["insert"] == {"insert", "union", "smallest"}
    assert influenced_names(influence)["smallest"] == set()


def test_what_helpers_do_counts_through_any_number_of_calls():
    text = """
class Thing:
    def outer(self): self._middle()
    def _middle(self): inner(self)
    def looks(self): return self.x

def inner(thing): thing.x = 1
"""
    assert of_methods(text, "outer", "looks")["outer"] == {"looks"}


def test_a_call_on_another_object_may_run_each_method_of_that_name():
    text = """
class Thing:
    def __init__(self, shape): self.shape = shape
    def turn(self): self.shape.turned()
    def looks(self): return self.shape.angle

class Square:
    def turned(self): self.angle = 0

class Circle:
    def turned(self): self.radius = 1
"""
    influenced = of_methods(text, "turn", "looks")
    assert influenced["turn"] == {"looks"}


def test_a_static_method_has_no_receiver_and_one_before_a_slash_is_one():
    text = """
class Base:
    def step(self): self.x = 1

class Thing(Base):
    @staticmethod
    def go(other): other.step()
    def runs(this, /): this.step()
    def looks_at_x(self): return self.x
    def looks_at_y(self): return self.y

class Other:
    def step(self): self.y = 1
"""
    influenced = of_methods(text, "go", "runs", "looks_at_x", "looks_at_y")
    assert influenced["go"] == {"looks_at_x", "looks_at_y"}
    assert influenced["runs"] == {"looks_at_x"}


def test_a_method_that_a_derived_class_replaces_counts_as_both():
    text = """
class Thing:
    def go(self): self.x = 1
    def looks_at_x(self): return self.x
    def looks_at_y(self): return self.y

class Derived(Thing):
    def go(self): self.y = 1
"""
    assert of_methods(text, "go", "looks_at_x", "looks_at_y")["go"] == {"looks_at_x", "looks_at_y"}


def test_properties_and_operators_run_what_the_program_defines_for_them():
    text = """
class Thing:
    @property
    def width(self): return self.w
    @width.setter
    def width(self, value): self.w = value
    def widen(self): self.width = 3
    def __len__(self): return self.count
    def grow(self): self.count = 1
    def is_wide(self): return self.width > 2
    def is_full(self): return True if self else False
"""
    influenced = of_methods(text, "widen", "grow", "is_wide", "is_full")
    assert "is_wide" in influenced["widen"]
    assert influenced["grow"] == {"is_full"}


def test_a_variable_of_the_module_carries_influence_without_an_object():
    text = """
total = 0

class Thing:
    def add(self):
        global total
        total = total + 1
    def looks(self): return total
"""
    influence = influence_of([("thing", text)], methods("add", "looks"))
    assert influenced_names(influence)["add"] == {"add", "looks"}
    assert influence.facts[1].effects.shares(influence.facts[2].effects)


def test_a_field_of_the_class_is_shared_and_one_of_an_object_is_not():
    text = """
class Thing:
    made = 0
    def __init__(self): Thing.made += 1
    def looks(self): return self.made
    def sets(self): self.own = 1
    def gets(self): return self.own
"""
    constructor, looks, sets, gets = influence_of([("thing", text)], methods("looks", "sets", "gets")).facts
    assert constructor.effects.shares(looks.effects)
    assert not sets.effects.shares(gets.effects)


@pytest.mark.parametrize(
    ("before", "keeps", "looks"),
    [
        ("from helpers import registry", "registry.append(1)", "return len(registry)"),
        ("from elsewhere import registry", "registry[1] = 2", "return registry[1]"),
        ("", "Thing.go.calls = 1", "return Thing.go.calls"),
        ("def step(thing, done=[]): done.append(1); return len(done)", "step(self)", "return step(self)"),
    ],
)
def test_what_all_calls_have_in_common_is_shared(before, keeps, looks):
    text = f"""
{before}
class Thing:
    def go(self): {keeps}
    def looks(self) -> int: {looks}
"""
    sources = [("thing", text), ("helpers", "registry = []")]
    _, go, other = influence_of(sources, methods("go", "looks")).facts
    assert go.effects.feeds(other.effects)
    assert go.effects.shares(other.effects)


def test_what_the_text_does_not_tell_influences_and_is_influenced():
    text = """
import elsewhere

class Thing:
    def far(self): elsewhere.work(self)
    def near(self) -> int: return self.x
    def sets(self): self.x = 1
"""
    influenced = of_methods(text, "far", "near", "sets")
    assert influenced["far"] == {"far", "near"}
    assert influenced["sets"] == {"far", "near"}
    assert influenced["near"] == set()


def test_a_method_kept_in_a_local_name_is_known():
    text = """
class Thing:
    def go(self):
        step = self._step
        step()
    def _step(self): self.x = 1
    def looks_at_x(self): return self.x
    def looks_at_y(self): return self.y
"""
    assert of_methods(text, "go", "looks_at_x", "looks_at_y")["go"] == {"looks_at_x"}


def test_generated_methods_of_a_dataclass_read_its_fields():
    text = """
from dataclasses import dataclass

@dataclass
class Part:
    size: int

class Thing:
    def __init__(self): self.part = Part(1)
    def grow(self): self.part.size = 2
    def is_like(self, other): return self.part == other
"""
    influenced = of_methods(text, "grow", "is_like")
    assert influenced["grow"] == {"is_like"}
    assert influenced["Thing"] == {"grow", "is_like"}


def test_modules_of_one_program_are_read_together():
    scope = methods("go", "looks")
    main = "from helpers import step\nclass Thing:\n    def go(self): step(self)\n    def looks(self): return self.x\n"
    helpers = "def step(thing): thing.x = 1\n"
    assert influenced_names(influence_of([("thing", main), ("package.helpers", helpers)], scope))["go"] == {"looks"}
    assert ANYTHING in influence_of([("thing", main)], scope).facts[1].effects.writes


def test_without_a_text_each_routine_may_influence_each():
    scope = SequenceScope("list")
    scope.function("push", range(3))
    scope.function("pop")
    influenced = influenced_names(influence_of([], scope))
    assert influenced == {name: {"list", "push", "pop"} for name in ("list", "push", "pop")}


def test_results_are_objects_only_where_they_may_be_some():
    text = """
class Node:
    def __init__(self): self.next = None

class Thing:
    def __init__(self): self.first = Node()
    def declared(self) -> "Node | None": return self.first
    def number(self) -> int: return self.first.size
    def itself(self): return self
    def length(self): return len(self.items)
    def unknown(self): return self.first
"""
    scope = methods("declared", "number", "itself", "length", "unknown")
    makes = [facts.makes for facts in influence_of([("thing", text)], scope).facts[1:]]
    assert makes == [{"Node"}, frozenset(), {"Thing"}, frozenset(), {ANYTHING}]


def test_an_unknown_result_is_no_object_of_a_class_that_never_passes_itself_on():
    text = """
class Thing:
    def __init__(self): self.items = []
    def last(self): return self.items[-1]
"""
    assert "last" not in of_methods(text, "last")["last"]
    for passing in ("def keep(self): self.items.append(self)", "def keep(self, /): self.items.append(self)"):
        assert "last" in of_methods(f"{text}    {passing}\n", "last", "keep")["last"]
    static = "@staticmethod\n    def size(things): return len(things)"
    assert "last" not in of_methods(f"{text}    {static}\n", "last")["last"]


EVERYTHING = Options(data_flow=False, partial_order=PartialOrder.NO, influence=False, paths=20, length=4)


def pairs_seen(name: str) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Return the pairs of routines that influenced each other on paths of all sequences, and those predicted by the
    text.
    """
    text = ModuleText.of(load_subject(name))
    task = replace(task_of(name, 2), text=text)
    seen: set[tuple[int, int]] = set()

    unknown = influence_of([], task.bounds)

    def candidates(target: int) -> CandidateEnumeration:
        return CandidateEnumeration(unknown, task.bounds.routines, target, 4, EVERYTHING.switches())

    exploration = Production(task, EVERYTHING, candidates).exploration
    for target in range(len(task.bounds.routines)):
        enumeration = candidates(target)
        for candidate in enumeration:
            calls, paths = candidate.calls, list(exploration.paths(candidate))
            seen.update((calls[at].target, calls[later].target) for path in paths for at, later in path.influences)
            impassable = None if paths else exploration.impassable()
            if impassable is not None:
                enumeration.leave_out(calls[:impassable])
    influenced_by = influence_of([(text.name, text.source)], task.bounds).direct
    return seen, {(at, later) for at, influenced in enumerate(influenced_by) for later in influenced}


@pytest.mark.parametrize(
    "name",
    ["jtc_int_stack", "jtc_ub_stack", "jtc_bin_search_tree", "jtc_tree_map", "jtc_linked_list", "jtc_binomial_heap"],
)
def test_on_the_classes_of_chapter_6_executions_show_what_the_text_tells_and_no_more(name):
    seen, derived = pairs_seen(name)
    assert seen == derived


@pytest.mark.parametrize("name", ["hash_set", "linked_list", "red_black_tree", "node_caching_list"])
def test_executions_show_no_influence_that_the_text_does_not_tell(name):
    seen, derived = pairs_seen(name)
    assert seen
    assert seen <= derived
