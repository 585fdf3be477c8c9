"""Formats assertions as source, and selects those that distinguish objects."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from harness.report.written_tests.layout import laid_out
from harness.report.written_tests.observations import NOT_PLAIN, ObjectObservations
from harness.report.written_tests.observers import Observer
from harness.report.written_tests.plain import plain_source
from harness.report.written_tests.probes import Probe
from harness.report.written_tests.recording import Record

_SINGLETONS = ("None", "True", "False")


def equals(expression: str, source: str, is_same: bool = False) -> str:
    tree = ast.parse(expression, mode="eval").body
    if isinstance(tree, ast.Compare) and isinstance(tree.ops[0], ast.Is):
        return f"assert {expression}"
    if isinstance(tree, ast.Compare):
        left, right = (ast.get_source_segment(expression, side) for side in (tree.left, tree.comparators[0]))
        return f"assert {left} {'in' if source == 'True' else 'not in'} {right}"
    return f"assert {expression} {'is' if is_same or source in _SINGLETONS else '=='} {source}"


def answered(observer: Observer, variable: str, answers: dict[str, str], used_names: Collection[str]) -> list[str]:
    """Return assertions on an observer's answers about values: one each for up to two values, else one list for all."""
    if len(answers) > 2:
        value = unused_name("value", used_names)
        question = observer.template.format(object=variable, value=value)
        true = [text for text, answer in answers.items() if answer == "True"]
        values, true_values = f"({', '.join(answers)})", f"[{', '.join(true)}]"
        line = f"assert [{value} for {value} in {values} if {question}] == {true_values}"
        if len(laid_out(line)) == 1:
            return [line]
        several = unused_name("values", used_names)
        return [f"{several} = {values}", f"assert [{value} for {value} in {several} if {question}] == {true_values}"]
    questions = [observer.template.format(object=variable, value=text) for text in answers]
    return [equals(question, answer) for question, answer in zip(questions, answers.values(), strict=True)]


def probed(probe: Probe, variable: str, used_names: Collection[str]) -> list[str]:
    """Return assertions on the answers of a routine that is called last: with each value in turn, or repeatedly."""
    call = f"{variable}.{probe.routine}"
    if not probe.arguments:
        if len(probe.answers) == 1:
            return [equals(f"{call}()", probe.answers[0])]
        return [f"assert [{call}() for _ in range({len(probe.answers)})] == [{', '.join(probe.answers)}]"]
    if {"True", "False"}.issuperset(probe.answers):
        question = Observer(f"{{object}}.{probe.routine}({{value}})", len)
        return answered(question, variable, dict(zip(probe.arguments, probe.answers, strict=True)), used_names)
    if len(probe.arguments) <= 2:
        return [
            equals(f"{call}({value})", answer) for value, answer in zip(probe.arguments, probe.answers, strict=True)
        ]
    value = unused_name("value", used_names)
    return [f"assert [{call}({value}) for {value} in ({', '.join(probe.arguments)})] == [{', '.join(probe.answers)}]"]


@dataclass
class _Worth:
    """The information that the probes of one routine reveal in all tests.

    Attributes:
        more: how many probes reveal a fact that no observer shows.
        drains: whether the routine takes no argument and so removes values in their order.
        distinct_answers: all answers.
        left: how many bytes of the objects remain after the calls.
    """

    more: int = 0
    drains: bool = False
    distinct_answers: set[str] = field(default_factory=set)
    left: int = 0
    answers: dict[tuple[object, ...], set[tuple[str, ...]]] = field(default_factory=dict)

    def add(self, record: Record, probe: Probe, observers: Sequence[Observer]) -> None:
        observations = record.observations[0]
        values = (observations.values.get(observer) for observer in observers)
        questions = (tuple(observations.answers.get(observer, {}).items()) for observer in observers)
        known_answers = self.answers.setdefault((observations.class_name, probe.arguments, *values, *questions), set())
        hidden = _held(record) - _observed_sources(observations, observers)
        self.more += bool(hidden.intersection(probe.named)) + (
            bool(known_answers) and probe.answers not in known_answers
        )
        known_answers.add(probe.answers)
        self.drains = not probe.arguments
        self.distinct_answers.update(probe.answers)
        self.left += probe.left


def best_probe(records: Sequence[Record], observers: Sequence[Observer], unsteady: Collection[str]) -> str:
    """Return the routine that reveals most beyond the observers if it is called last; empty if none reveals more.

    A routine reveals more if it names a value that the object holds and no observer shows. It also does if two objects
    with the same observations answer differently. Of routines that reveal as much, one that removes the values in their
    order comes first, then the one that leaves the least of the object.
    """
    worths: dict[str, _Worth] = {}
    for record in records:
        for name, probe in record.probes.items() if record.observations else ():
            worths.setdefault(name, _Worth()).add(record, probe, observers)
    ranking = [
        (-worth.more, not worth.drains, worth.left, name)
        for name, worth in worths.items()
        if worth.more and name not in unsteady and (worth.drains or len(worth.distinct_answers) > 1)
    ]
    return min(ranking)[-1] if ranking else ""


def _held(record: Record) -> set[str]:
    """Return the known sources of the values that the receiver holds."""
    values = () if record.after is None else record.after.values or ()
    return {source for value in values if (source := plain_source(value, {})) is not None}


def _observed_sources(observations: ObjectObservations, observers: Sequence[Observer]) -> set[str]:
    """Return the sources of values that an observer shows, as items of a collection or by answering True about them."""
    sources: set[str] = set()
    for observer in observers:
        source = observations.values.get(observer, "None")
        tree = ast.parse(source, mode="eval").body
        if isinstance(tree, (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Call)):
            sources |= {
                ast.get_source_segment(source, one) or "" for one in ast.walk(tree) if isinstance(one, ast.expr)
            }
        sources |= {text for text, answer in observations.answers.get(observer, {}).items() if answer == "True"}
    return sources


def distinguishing_observers(records: Sequence[Record], changing: Collection[Observer]) -> list[Observer]:
    """Return the observers whose values distinguish objects, in the order of their first use."""
    sources_of: dict[Observer, set[str]] = {}
    for observations in (one for record in records for one in record.observations):
        for observer, source in observations.values.items():
            sources_of.setdefault(observer, set()).add(source)
        for observer, answers in observations.answers.items():
            sources_of.setdefault(observer, set()).update(answers.values())
    selected = [
        observer
        for observer, sources in sources_of.items()
        if observer not in changing
        and NOT_PLAIN not in sources
        and (observer.always or len(sources) > 1 or len(records) == 1)
    ]
    first = [observer for observer in selected if not observer.last]
    return [*first, *(one for one in selected if one.last and not _is_redundant(first, one, records))]


def _is_redundant(other_observers: Sequence[Observer], last: Observer, records: Sequence[Record]) -> bool:
    """Return whether the other observers make the last one redundant, or its values contain addresses."""
    last_values: dict[tuple[object, ...], set[str]] = {}
    for observations in (one for record in records for one in record.observations if last in one.values):
        key = (observations.class_name, *(observations.values.get(other) for other in other_observers))
        last_values.setdefault(key, set()).add(observations.values[last])
    sources = set().union(*last_values.values())
    return any(" at 0x" in source for source in sources) or all(len(values) == 1 for values in last_values.values())


def unused_name(name: str, used_names: Collection[str]) -> str:
    while name in used_names or name in dir(builtins):
        name += "_"
    return name
