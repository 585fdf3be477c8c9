"""Programs that change objects by other ways than assigning fields are found, and left to the general path."""

import abc
import collections
import enum
import typing

import pytest
from support.exploring import explored
from support.sequence_suites import task_of_text

from harness.generators.sequences.exploration import Policy
from harness.generators.sequences.namespaces import NotCompilable, check_module
from harness.generators.sequences.replay import ReplayExecutor
from harness.generators.sequences.snapshot_execution import SnapshotExecutor
from harness.kernel.program.loader import ModuleText, execute
from harness.model.sequence import SequenceScope

PROGRAM = """
from dataclasses import dataclass
from typing import Any
class Root:
    def __init__(self): self.v = None
    def a(self, x): {a}
    def b(self, x): {b}
class Other(Root):
    def b(self, x): self.v = x + 10
@dataclass(frozen=True)
class Cell:
    v: int
    next: Any
class Own(Root):
    def __setattr__(self, name, value):
        vars(self)[name] = value
    def a(self, x): self.v = x
"""


def _explored(a: str, b: str, root: str = "Root") -> tuple[int, type]:
    bounds = SequenceScope(root)
    bounds.method("a", range(2))
    bounds.method("b", range(2))
    bounds.objects(3)
    task = task_of_text(PROGRAM.format(a=a, b=b), bounds)
    fast, general = explored(task, Policy(most_calls=5)), explored(task, Policy(most_calls=5, restores=False))
    assert fast[:3] == general[:3]
    return fast[2:]


@pytest.mark.parametrize(
    ("a", "structures"),
    [
        ("object.__setattr__(self, '__dict__', {'v': x + 3})", 5),
        ("setattr(self, '__class__', Other)", 8),
        ("self.__dict__ = {'v': x + 3}", 5),
    ],
)
def test_objects_whose_dict_or_class_is_assigned_are_left_to_the_general_path(a, structures):
    assert _explored(a, "self.v = x") == (structures, ReplayExecutor)


def test_objects_of_frozen_dataclasses_are_restored():
    assert _explored("self.v = Cell(x, self.v)", "self.v = None") == (15, SnapshotExecutor)


def test_an_assignment_that_the_program_defines_itself_is_not_executed_when_states_are_restored():
    assert _explored("pass", "self.v = (self.v or 0) + 1 if (self.v or 0) < 3 else 0", "Own") == (5, SnapshotExecutor)


@pytest.mark.parametrize(
    "text",
    [
        "def f(one): setattr(one, '__class__', int)",
        "class Outer:\n    class Inner:\n        def f(self): self.__dict__ = {}",
        "def f():\n    def g(one): object.__setattr__(one, '__dict__', {})",
        "class C:\n    @property\n    def p(self): delattr(self, '__dict__')",
    ],
)
def test_what_changes_objects_unseen_is_refused(text):
    with pytest.raises(NotCompilable, match=r"assigns __(class|dict)__"):
        check_module(execute(ModuleText("program", text, "program.py")))


def test_what_only_reads_them_is_not():
    text = """
class C:
    def f(self, other):
        self.__dict__.update(vars(other))
        setattr(self, "v", other.__class__)
    def g(self): return "__dict__" in dir(self)
"""
    for module in (execute(ModuleText("program", text, "program.py")), enum, typing, abc, collections):
        check_module(module)
