"""A spec as plain data: what crosses from the process that executes it to the orchestrator, which never does."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from inspect import unwrap
from types import FunctionType
from typing import Any

from harness.errors import SpecError
from harness.kernel.specs.spec import SPEC_MODULE, Spec
from harness.model.finitization import (
    CallKind,
    ClassDomain,
    DomainKind,
    DomainValue,
    Finitization,
    Plain,
    Reference,
    Structures,
    Target,
)
from harness.model.interface import Called, Interface
from harness.model.routines import RoutineKind
from harness.model.targets import StateBounds

Data = dict[str, Any]


@dataclass(frozen=True)
class SpecConstants:
    """The constants of a spec. `origin` is the source file of an installed module, where there is one.

    Without `has_finitization` the spec has sequences only.
    """

    title: str | None
    implementation: str
    blocked: tuple[str, ...]
    helpers: tuple[str, ...] | None
    origin: str | None = None
    has_finitization: bool = True
    driver: str | None = None
    profile_scope: int | None = None

    @classmethod
    def of(cls, spec: Spec, origin: str | None) -> SpecConstants:
        """Those of `spec`."""
        return cls(
            spec.title,
            spec.implementation,
            spec.blocked,
            spec.helpers,
            origin,
            spec.finitization_of is not None,
            spec.driver,
            spec.profile_scope,
        )

    def as_data(self) -> Data:
        """For JSON."""
        return asdict(self)

    @classmethod
    def of_data(cls, data: object) -> SpecConstants:
        """The inverse of `as_data`.

        Raises:
            ValueError: the data are something else.
        """
        title, implementation, blocked, helpers, origin, has_finitization, driver, profile_scope = _fields(
            data,
            *("title", "implementation", "blocked", "helpers", "origin", "has_finitization", "driver", "profile_scope"),
        )
        return cls(
            None if title is None else _is(str, title),
            _is(str, implementation),
            tuple(_is(str, name) for name in _is(list, blocked)),
            None if helpers is None else tuple(_is(str, name) for name in _is(list, helpers)),
            None if origin is None else _is(str, origin),
            _is(bool, has_finitization),
            None if driver is None else _is(str, driver),
            None if profile_scope is None else _is(int, profile_scope),
        )


@dataclass(frozen=True)
class NotHere:
    """Stands for a function of the spec, `name` in spec.py (empty: a lambda, or from elsewhere)."""

    name: str

    def __call__(self, *_arguments: object) -> Any:
        """Raises SpecError: what a spec defines is executed in the sandbox only."""
        raise SpecError(f"{self.name or 'a function of the spec'} is not to be called outside of the sandbox")


def preconditions(finitization: StateBounds) -> list[str]:
    """Names of the functions in spec.py that some target of a described finitization requires."""
    required = (target.requires for target in finitization.targets)
    return [function.name for function in required if isinstance(function, NotHere) and function.name]


def finitization_as_data(finitization: StateBounds) -> Data:
    """For JSON: everything but the functions, of which the names are kept."""
    return {
        "domains": [
            [
                *(domain.class_name, domain.size, domain.kind.value, list(domain.lengths), _values(domain.elements)),
                *(_values(domain.keys), domain.own, domain.compared, domain.maxlen),
                None if domain.factory is None else _name_in_spec(domain.factory),
            ]
            for domain in finitization.domains
        ],
        "fields": [
            [domain.number, name, _values(values)]
            for domain in finitization.domains
            if domain.kind is DomainKind.OBJECT
            for name, values in finitization.fields_of(domain)
        ],
        "targets": [
            [
                target.name,
                target.kind.value,
                [_parameter(parameter) for parameter in target.parameters],
                None if target.requires is None else _name_in_spec(unwrap(target.requires)),
                list(target.keywords),
            ]
            for target in finitization.targets
        ],
    }


def finitization_of_data(data: object) -> Finitization:
    """The inverse of `finitization_as_data`, with `NotHere` in the place of functions.

    Raises:
        ValueError: the data are something else.
    """
    domains, fields, targets = _fields(data, "domains", "fields", "targets")
    made = [_domain_of(number, entry) for number, entry in enumerate(_is(list, domains))]
    if not made:
        raise ValueError("a finitization without a root")

    def values(entries: object) -> tuple[DomainValue, ...]:
        return tuple(_value_of(entry, made) for entry in _is(list, entries))

    with_elements = [
        replace(d, elements=values(entry[4]), keys=tuple(map(_plain_of, _is(list, entry[5]))))
        for d, entry in zip(made, domains, strict=True)
    ]
    given: dict[tuple[int, str], tuple[DomainValue, ...]] = {}
    for entry in _is(list, fields):
        number, name, domain = _row(entry, 3)
        if not 0 <= _is(int, number) < len(made):
            raise ValueError(f"a field of class domain {number}")
        given[number, _is(str, name)] = values(domain)
    return Finitization.of_parts(with_elements, given, [_target_of(entry, values) for entry in _is(list, targets)])


def interface_as_data(interface: Interface) -> Data:
    """For JSON."""
    called = [[called.name, called.kind.value, called.restricted] for called in interface.called]
    return {"root": interface.root, "called": called, "has_state": interface.has_state}


def interface_of_data(data: object) -> Interface:
    """The inverse of `interface_as_data`.

    Raises:
        ValueError: the data are something else.
    """
    root, called, has_state = _fields(data, "root", "called", "has_state")
    rows = [_row(entry, 3) for entry in _is(list, called)]
    return Interface(
        _is(str, root),
        tuple(Called(_is(str, name), RoutineKind(kind), _is(bool, restricted)) for name, kind, restricted in rows),
        _is(bool, has_state),
    )


def _values(values: Iterable[DomainValue]) -> list[Any]:
    return [[value.domain, value.index] if isinstance(value, Reference) else _as_data(value) for value in values]


def _as_data(value: Any) -> Any:
    return {"tuple": [_as_data(item) for item in value]} if isinstance(value, tuple) else value


def _parameter(parameter: tuple[DomainValue, ...] | Structures) -> Any:
    if isinstance(parameter, Structures):
        return {"structures": finitization_as_data(parameter.finitization), "rep_ok": _name_in_spec(parameter.rep_ok)}
    return _values(parameter)


def _name_in_spec(function: Callable[..., Any]) -> str:
    known = isinstance(function, FunctionType) and function.__module__ == SPEC_MODULE
    return function.__qualname__ if known and "<" not in function.__qualname__ else ""


# -- reading, strictly: what says it may have been written by anybody --------------------------------


def _is(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise ValueError(f"a {type(value).__name__} instead of a {kind.__name__}")
    return value


def _fields(data: object, *names: str) -> list[Any]:
    found: Data = _is(dict, data)
    if set(found) != set(names):
        raise ValueError(f"fields {', '.join(sorted(set(found) ^ set(names)))}")
    return [found[name] for name in names]


def _row(entry: object, length: int) -> list[Any]:
    found: list[Any] = _is(list, entry)
    if len(found) != length:
        raise ValueError(f"{len(found)} parts instead of {length}")
    return found


def _domain_of(number: int, entry: object) -> ClassDomain:
    class_name, size, kind, lengths, _, _, own, compared, maxlen, factory = _row(entry, 10)
    if _is(int, size) < 0:
        raise ValueError(f"{size} objects")
    return ClassDomain(
        number,
        _is(str, class_name),
        size,
        DomainKind(kind),
        tuple(_is(int, length) for length in _is(list, lengths)),
        own=_is(bool, own),
        compared=_is(bool, compared),
        maxlen=None if maxlen is None else _is(int, maxlen),
        factory=None if factory is None else NotHere(_is(str, factory)),
    )


def _value_of(entry: Any, domains: list[ClassDomain]) -> DomainValue:
    if type(entry) is list:
        domain, index = _row(entry, 2)
        if not (0 <= _is(int, domain) < len(domains) and 0 <= _is(int, index) < domains[domain].size):
            raise ValueError(f"no object {index} of class domain {domain}")
        return Reference(domain, index)
    return _plain_of(entry)


def _plain_of(entry: Any) -> Plain:
    if type(entry) is dict:
        (items,) = _fields(entry, "tuple")
        return tuple(map(_plain_of, _is(list, items)))
    if entry is not None and type(entry) not in (bool, int, float, str):
        raise ValueError(f"a {type(entry).__name__} as a value")
    value: Plain = entry
    return value


def _target_of(entry: object, values: Callable[[object], tuple[DomainValue, ...]]) -> Target:
    name, kind, parameters, required, keywords = _row(entry, 5)
    given: list[tuple[DomainValue, ...] | Structures] = []
    for parameter in _is(list, parameters):
        if type(parameter) is dict:
            structures, rep_ok = _fields(parameter, "structures", "rep_ok")
            given.append(Structures(finitization_of_data(structures), NotHere(_is(str, rep_ok))))
        else:
            given.append(values(parameter))
    requires = None if required is None else NotHere(_is(str, required))
    names = tuple(_is(str, keyword) for keyword in _is(list, keywords))
    return Target(_is(str, name), CallKind(kind), tuple(given), requires, names)
