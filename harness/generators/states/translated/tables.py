"""Encodes a state space as the tables that compiled searches read."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from harness.generators.states.native.untranslatable import Untranslatable
from harness.generators.states.reference.stack import run_ends
from harness.generators.states.translated.program import LARGEST_INT, SMALLEST_INT, class_attribute
from harness.kernel.inputs.state_space import PLAIN, FieldDomain, StateSpace
from harness.kernel.program.loader import resolve
from harness.kernel.specs.tokens import Token
from harness.model.finitization import ABSENT, ClassDomain, DomainKind

_INT, _NONE, _BOOL, _OBJECT, _STRING, _ARRAY = 0, 1, 2, 3, 4, 9
_NO_RANGE = -(1 << 63)
_LARGEST_DOMAIN = 1 << 16
_MOST_FIELDS = (1 << 15) - 1


class _Domain(ctypes.Structure):
    _fields_ = [
        ("n", ctypes.c_int32),
        ("run_count", ctypes.c_int32),
        ("words", ctypes.c_void_p),
        ("classes", ctypes.c_void_p),
        ("indices", ctypes.c_void_p),
        ("ends", ctypes.c_void_p),
        ("objects", ctypes.c_void_p),
        ("runs", ctypes.c_void_p),
        ("lowest", ctypes.c_int64),
    ]


class SpaceTables(ctypes.Structure):
    """The structure `Space` of values.h."""

    _fields_ = [
        *((name, ctypes.c_int32) for name in ("width", "objects", "domains", "names")),
        *((name, ctypes.c_void_p) for name in ("first", "count", "is_list", "type", "owner")),
        *((name, ctypes.c_void_p) for name in ("field_of", "domain_of", "field_domains", "compares")),
    ]


def classes_of(space: StateSpace, module: ModuleType) -> list[type]:
    """Return the classes with objects in the state space, each once; Token is last if there are tokens.

    Raises:
        SpecError: a class is missing.
    """
    domains = space.finitization.domains
    classes = {resolve(module, domain.class_name): None for domain in domains if domain.kind is DomainKind.OBJECT}
    if any(domain.kind is DomainKind.TOKEN for domain in domains):
        classes[Token] = None
    return list(classes)


class Tables:
    """The tables of one search; they live as long as this object.

    Raises:
        Untranslatable: a field domain holds floats, or the space is too large for the tables.
    """

    def __init__(
        self,
        space: StateSpace,
        module: ModuleType,
        classes: Sequence[type],
        strings: dict[str, int],
    ) -> None:
        self._buffers: list[Any] = []
        self._space = space
        self._strings = dict(strings)
        if space.width > _MOST_FIELDS or len(classes) > 64:
            raise Untranslatable(f"a state space of {space.width} fields")
        for cls in classes:
            if "__new__" in {name for base in cls.__mro__[:-1] for name in vars(base)}:
                raise Untranslatable(f"{cls.__name__}.__new__")
        by_domain: dict[int, int] = {}
        rows: list[_Domain] = []
        for field in space.fields:
            if id(field.domain) not in by_domain:
                by_domain[id(field.domain)] = len(rows)
                rows.append(self._domain(field.domain))
        numbers = {cls: number for number, cls in enumerate(classes)}
        objects = space.objects
        self.structure = SpaceTables(
            width=space.width,
            objects=len(objects),
            domains=len(space.finitization.domains),
            names=len(strings),
            first=self._ints([o.first for o in objects]),
            count=self._ints([len(o.names) for o in objects]),
            is_list=self._ints([o.is_sequence for o in objects]),
            type=self._ints([self._class_number(o.domain, module, numbers) for o in objects]),
            owner=self._ints([field.owner for field in space.fields]),
            field_of=self._field_of(strings),
            domain_of=self._ints([by_domain[id(field.domain)] for field in space.fields]),
            field_domains=self._keep((_Domain * max(1, len(rows)))(*rows)),
            compares=self._keep((ctypes.c_uint8 * max(1, len(classes)))(*map(_compares, classes))),
        )

    def _class_number(self, domain: ClassDomain, module: ModuleType, numbers: dict[type, int]) -> int:
        if domain.kind is DomainKind.LIST and not domain.own:
            return 0
        if domain.kind not in (DomainKind.OBJECT, DomainKind.TOKEN):
            raise Untranslatable(f"a {domain.kind.value} in the state space")
        return numbers[Token if domain.kind is DomainKind.TOKEN else resolve(module, domain.class_name)]

    def _field_of(self, strings: dict[str, int]) -> int:
        count = len(self._space.objects)
        table = [-1] * (count * max(1, len(strings)))
        for field in self._space.fields:
            number = strings.get(field.name)
            if number is not None and self._space.objects[field.owner].domain.kind is DomainKind.OBJECT:
                table[number * count + field.owner] = field.number
        return self._keep((ctypes.c_int16 * len(table))(*table))

    def _domain(self, domain: FieldDomain) -> _Domain:
        if len(domain) > _LARGEST_DOMAIN:
            raise Untranslatable(f"a field domain of {len(domain)} values")
        words = [self._word(plain, number) for plain, number in zip(domain.plain, domain.objects, strict=True)]
        ints = [value for value in domain.plain if type(value) is int]
        consecutive = len(ints) == len(domain) and ints == list(range(ints[0], ints[0] + len(ints)))
        runs = _runs(domain)
        return _Domain(
            n=len(domain),
            run_count=len(runs) // 3,
            words=self._keep((ctypes.c_int64 * len(words))(*words)),
            classes=self._ints(domain.classes),
            indices=self._ints(domain.indices),
            ends=self._ints(run_ends(domain)),
            objects=self._ints(domain.objects),
            runs=self._ints(runs),
            lowest=ints[0] if consecutive else _NO_RANGE,
        )

    def _word(self, plain: object, number: int) -> int:
        if number != PLAIN:
            return number << 4 | (_ARRAY if self._space.objects[number].domain.kind is DomainKind.LIST else _OBJECT)
        if plain is None:
            return _NONE
        if plain is ABSENT:
            raise Untranslatable("a dict in the state space")
        if isinstance(plain, bool):
            return plain << 4 | _BOOL
        if isinstance(plain, str):
            return self._strings.setdefault(plain, len(self._strings)) << 4 | _STRING
        if type(plain) is int and SMALLEST_INT <= plain <= LARGEST_INT:
            return plain << 4
        raise Untranslatable(f"the value {plain!r} of a field domain")

    def _ints(self, values: Sequence[int]) -> int:
        return self._keep((ctypes.c_int32 * max(1, len(values)))(*values))

    def _keep(self, array: Any) -> int:
        self._buffers.append(array)
        return ctypes.addressof(array)


def _runs(domain: FieldDomain) -> list[int]:
    """Return class domain, first position and length of each run of one class domain's objects."""
    runs: list[int] = []
    for position, number in enumerate(domain.classes):
        if number == PLAIN:
            continue
        if runs and domain.classes[position - 1] == number and position:
            runs[-1] += 1
        else:
            runs += [number, position, 1]
    return runs


def _compares(cls: type) -> bool:
    return any(
        class_attribute(cls, name) is not class_attribute(object, name)
        for name in ("__eq__", "__ne__", "__hash__", "__bool__")
    )
