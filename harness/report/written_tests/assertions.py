"""Assertions as source, and which of them say something."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from harness.report.written_tests.last_questions import Probe
from harness.report.written_tests.layout import laid_out
from harness.report.written_tests.observers import Observer
from harness.report.written_tests.plain import plain_source
from harness.report.written_tests.recording import Record
from harness.report.written_tests.telling import NOT_PLAIN, Told

_SINGLETONS = ("None", "True", "False")


def equals(asked: str, source: str, is_same: bool = False) -> str:
    tree = ast.parse(asked, mode="eval").body
    if isinstance(tree, ast.Compare) and isinstance(tree.ops[0], ast.Is):
        return f"assert {asked}"
    if isinstance(tree, ast.Compare):
        left, right = (ast.get_source_segment(asked, side) for side in (tree.left, tree.comparators[0]))
        return f"assert {left} {'in' if source == 'True' else 'not in'} {right}"
    return f"assert {asked} {'is' if is_same or source in _SINGLETONS else '=='} {source}"


def answered(observer: Observer, variable: str, answers: dict[str, str], taken: Collection[str]) -> list[str]:
    """What is answered about values: of one or two, each; of more, those of which it is true."""
    if len(answers) > 2:
        value = free("value", taken)
        question = observer.template.format(object=variable, value=value)
        true = [text for text, answer in answers.items() if answer == "True"]
        values, found = f"({', '.join(answers)})", f"[{', '.join(true)}]"
        line = f"assert [{value} for {value} in {values} if {question}] == {found}"
        if len(laid_out(line)) == 1:
            return [line]
        several = free("values", taken)
        return [f"{several} = {values}", f"assert [{value} for {value} in {several} if {question}] == {found}"]
    asked = [observer.template.format(object=variable, value=text) for text in answers]
    return [equals(question, answer) for question, answer in zip(asked, answers.values(), strict=True)]


def probed(probe: Probe, variable: str, taken: Collection[str]) -> list[str]:
    """What a routine gives that is called as the last thing: for each value in turn, or again and again."""
    call = f"{variable}.{probe.routine}"
    if not probe.asked:
        if len(probe.answers) == 1:
            return [equals(f"{call}()", probe.answers[0])]
        return [f"assert [{call}() for _ in range({len(probe.answers)})] == [{', '.join(probe.answers)}]"]
    if {"True", "False"}.issuperset(probe.answers):
        question = Observer(f"{{object}}.{probe.routine}({{value}})", len)
        return answered(question, variable, dict(zip(probe.asked, probe.answers, strict=True)), taken)
    if len(probe.asked) <= 2:
        return [equals(f"{call}({value})", told) for value, told in zip(probe.asked, probe.answers, strict=True)]
    value = free("value", taken)
    return [f"assert [{call}({value}) for {value} in ({', '.join(probe.asked)})] == [{', '.join(probe.answers)}]"]


@dataclass
class _Worth:
    """What the probes of one routine tell, of all tests.

    Attributes:
        more: how much no observer tells.
        drains: whether they give the values in their order.
        given: all answers.
        left: how much they leave.
    """

    more: int = 0
    drains: bool = False
    given: set[str] = field(default_factory=set)
    left: int = 0
    answers: dict[tuple[object, ...], set[tuple[str, ...]]] = field(default_factory=dict)

    def add(self, record: Record, probe: Probe, observers: Sequence[Observer]) -> None:
        told = record.told[0]
        values = (told.values.get(observer) for observer in observers)
        asked = (tuple(told.answers.get(observer, {}).items()) for observer in observers)
        alike = self.answers.setdefault((told.class_name, probe.asked, *values, *asked), set())
        hidden = _held(record) - _shown(told, observers)
        self.more += bool(hidden.intersection(probe.named)) + (bool(alike) and probe.answers not in alike)
        alike.add(probe.answers)
        self.drains = not probe.asked
        self.given.update(probe.answers)
        self.left += probe.left


def best_probe(records: Sequence[Record], observers: Sequence[Observer], unsteady: Collection[str]) -> str:
    """The routine that, called as the last thing, tells most of what the observers leave open; empty where none does.

    It tells something if it names a value that the object holds and that no observer shows, or if two objects of which
    all else is the same answer differently. Of routines that tell as much, one that gives the values in their order
    is taken, then the one that leaves least, as it has to do with most of the object.
    """
    found: dict[str, _Worth] = {}
    for record in records:
        for name, probe in record.probes.items() if record.told else ():
            found.setdefault(name, _Worth()).add(record, probe, observers)
    telling = [
        (-worth.more, not worth.drains, worth.left, name)
        for name, worth in found.items()
        if worth.more and name not in unsteady and (worth.drains or len(worth.given) > 1)
    ]
    return min(telling)[-1] if telling else ""


def _held(record: Record) -> set[str]:
    """The sources of the values that the receiver holds, as far as they are known."""
    values = () if record.after is None else record.after.values or ()
    return {source for value in values if (source := plain_source(value, {})) is not None}


def _shown(told: Told, observers: Sequence[Observer]) -> set[str]:
    """The sources of values that some observer shows: within a collection, or by saying yes to them."""
    found: set[str] = set()
    for observer in observers:
        source = told.values.get(observer, "None")
        tree = ast.parse(source, mode="eval").body
        if isinstance(tree, (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Call)):
            found |= {ast.get_source_segment(source, one) or "" for one in ast.walk(tree) if isinstance(one, ast.expr)}
        found |= {text for text, answer in told.answers.get(observer, {}).items() if answer == "True"}
    return found


def saying(records: Sequence[Record], changing: Collection[Observer]) -> list[Observer]:
    """The observers that say something, in the order in which they are met."""
    found: dict[Observer, set[str]] = {}
    for told in (one for record in records for one in record.told):
        for observer, source in told.values.items():
            found.setdefault(observer, set()).add(source)
        for observer, answers in told.answers.items():
            found.setdefault(observer, set()).update(answers.values())
    saying = [
        observer
        for observer, sources in found.items()
        if observer not in changing
        and NOT_PLAIN not in sources
        and (observer.always or len(sources) > 1 or len(records) == 1)
    ]
    first = [observer for observer in saying if not observer.last]
    return [*first, *(one for one in saying if one.last and not _is_told_by(first, one, records))]


def _is_told_by(others: Sequence[Observer], last: Observer, records: Sequence[Record]) -> bool:
    """Whether wherever the others tell the same, it does, too; or it tells addresses."""
    by_others: dict[tuple[object, ...], set[str]] = {}
    for told in (one for record in records for one in record.told if last in one.values):
        key = (told.class_name, *(told.values.get(other) for other in others))
        by_others.setdefault(key, set()).add(told.values[last])
    sources = set().union(*by_others.values())
    return any(" at 0x" in source for source in sources) or all(len(found) == 1 for found in by_others.values())


def free(name: str, taken: Collection[str]) -> str:
    while name in taken or name in dir(builtins):
        name += "_"
    return name
