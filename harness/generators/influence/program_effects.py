"""Finds the effects of a program's functions, including those of functions that they may run.

If the source leaves effects open, more are assumed, never fewer.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from harness.generators.influence import effects as known
from harness.generators.influence.effects import ANY_EFFECTS, ELEMENTS, NO_EFFECTS, Effects
from harness.generators.influence.findings import Function, Mention, MentionReach, Names, Reading
from harness.generators.influence.program_text import ClassText, ProgramText
from harness.generators.influence.reading import read_function
from harness.kernel.program.builtin_effects import is_exception

_ELEMENTS = Effects(frozenset({ELEMENTS}), frozenset({ELEMENTS}))
_GENERATED = known.COMPARING | known.SHOWING


class _Unit(NamedTuple):
    """A function of the program; `function` is None if the source does not show it."""

    owner: str
    name: str
    function: Function | None
    names: Names


class ProgramEffects:
    """The effects of a program's definitions.

    A name may mean every function that has it. A method that is called on an object of unknown class may be that of
    each class, which covers polymorphism. A method that is called on `self` is searched in the class's family.
    """

    def __init__(self, program: ProgramText) -> None:
        self.program = program
        self._readings: dict[Function, Reading] = {}
        self._functions = [
            _Unit("", name, function, names) for name, found in program.functions.items() for function, names in found
        ]
        self._methods = [
            _Unit(cls.name, name, function, cls.names)
            for cls in self._classes()
            for name, found in cls.methods.items()
            for function in found
        ]
        self._has_mixins = any(known.MIXINS.intersection(cls.bases) for cls in self._classes())
        self._generators: list[_Unit] = []
        self._shared = frozenset(name for cls in self._classes() for name in cls.shared)
        self._shared |= {name for reading in self.readings() for name in reading.shared}
        called = {mention.name for reading in self.readings() for mention in reading.mentions}
        units = [*self._functions, *self._methods]
        self._generators = [unit for unit in units if unit.name in called and _yields(unit.function)]

    def readings(self) -> list[Reading]:
        """Return the reading of each function, without the functions that it runs."""
        return [self._reading(unit) for unit in (*self._functions, *self._methods) if unit.function is not None]

    def of_function(self, name: str) -> Effects:
        """Return the effects of a function of a module, or of one that is imported."""
        return self._whole([unit for unit in self._functions if unit.name == name]) or ANY_EFFECTS

    def of_method(self, class_name: str, name: str) -> Effects:
        """Return the effects of a method called on an object of a class or of one derived from it."""
        family = self.program.family(class_name)
        units = [unit for unit in self._methods if unit.name == name and unit.owner in family]
        whole = self._whole(units)
        if whole is not None:
            return whole
        does = known.of_method(name)
        return _ELEMENTS if does is not known.CallEffect.ANYTHING and family & known.CONTAINERS else ANY_EFFECTS

    def of_class(self, name: str) -> Effects:
        """Return the effects of making an object of a class."""
        if name not in self.program.classes:
            return NO_EFFECTS if name in known.CONTAINERS else ANY_EFFECTS
        units, generated = self._creation(name)
        return (self._whole(units) or NO_EFFECTS) | generated

    # -- what a mention means --------------------------------------------------------------------

    def _units_of_mention(self, mention: Mention) -> tuple[list[_Unit], Effects]:
        name = mention.name
        if mention.reach is MentionReach.GENERATORS:
            return self._generators, NO_EFFECTS
        if mention.reach is MentionReach.NAMED:
            units, generated = self._creation(name) if name in self.program.classes else ([], NO_EFFECTS)
            return [*units, *(unit for unit in self._functions if unit.name == name)], generated
        named = [unit for unit in self._methods if unit.name == name]
        if mention.reach is MentionReach.OWN:
            family = self.program.family(mention.owner)
            return [unit for unit in named if unit.owner in family] or named, self._generated(name)
        if mention.reach is MentionReach.ABOVE:
            above = self.program.above(mention.owner)[1:]
            return [unit for unit in named if unit.owner in above], NO_EFFECTS
        if name.startswith("__") and self._has_mixins and name not in known.CREATING:
            named = [unit for unit in self._methods if _is_special(unit.name)]
        return named, self._generated(name)

    def _creation(self, name: str) -> tuple[list[_Unit], Effects]:
        above = self.program.above(name)
        units = [unit for unit in self._methods if unit.owner in above and unit.name in known.CREATING]
        texts = [cls for one in above for cls in self.program.classes.get(one, ())]
        written = frozenset(field for cls in texts if cls.is_dataclass for field in cls.fields)
        known_bases = known.SILENT_BASES | known.CONTAINERS | known.MIXINS
        is_known = all(cls.is_plain for cls in texts) and all(
            one in self.program.classes or one in known_bases or is_exception(one) for one in above
        )
        return units, Effects(writes=written) if is_known else ANY_EFFECTS

    def _generated(self, name: str) -> Effects:
        """Return the effects of methods that dataclasses have without source."""
        if name not in _GENERATED:
            return NO_EFFECTS
        return Effects(reads=frozenset(field for cls in self._classes() if cls.is_dataclass for field in cls.fields))

    # -- closing ---------------------------------------------------------------------------------

    def _whole(self, units: Iterable[_Unit]) -> Effects | None:
        """Return the effects of functions and of all functions that they may run, or None for no functions."""
        pending = list(units)
        if not pending:
            return None
        seen = {unit.function for unit in pending}
        total = NO_EFFECTS
        while pending:
            unit = pending.pop()
            if unit.function is None:
                return ANY_EFFECTS
            reading = self._reading(unit)
            total |= reading.effects
            for mention in reading.mentions:
                mentioned, effects = self._units_of_mention(mention)
                total |= effects
                new = [one for one in mentioned if one.function not in seen]
                seen.update(one.function for one in new)
                pending += new
        shared = total.shared | (self._shared & (total.reads | total.writes))
        return Effects(total.writes, total.reads, shared)

    def _reading(self, unit: _Unit) -> Reading:
        assert unit.function is not None
        if unit.function not in self._readings:
            self._readings[unit.function] = read_function(unit.function, unit.names, unit.owner)
        return self._readings[unit.function]

    def _classes(self) -> Iterator[ClassText]:
        for texts in self.program.classes.values():
            yield from texts


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and name not in known.CREATING


def _yields(function: Function | None) -> bool:
    return function is not None and any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function))
