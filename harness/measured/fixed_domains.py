"""Finds domains that inputs of one kind vary and inputs of the other kind fix, from a spec and its implementation.

Generators of states take the fields and arguments of a finitization, generators of sequences take the arguments of a
`SequenceScope` (decision 093).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.analysis.compared import SubjectComparison
from harness.errors import MutascopeError
from harness.kernel.specs.constructors import DeclaredConstruction, making_of_class
from harness.model.domains import DomainValue, Reference
from harness.model.finitization import Finitization, Structures
from harness.model.routines import ArgumentDomain
from harness.model.sequence import SequenceScope
from harness.runner.logs import LOGGER
from harness.runner.subjects import finitization_of, load_subject, sequences_of


def fixed_domains(compared: SubjectComparison) -> list[str]:
    """Return one line for each domain that some of the generators vary and others fix; empty if none is known.

    A warning reports bounds that cannot be described any more because the subject was changed.
    """
    kinds: dict[bool, list[str]] = {False: [], True: []}
    for name, suites in compared.suites.items():
        kinds[suites[0].trial.sequences is not None].append(name)
    if not (kinds[False] and kinds[True]):
        return []
    where = f"{compared.title}, scope {compared.scope}"
    try:
        subject = load_subject(compared.subject)
        states, sequences = finitization_of(subject, compared.scope), sequences_of(subject, compared.scope)
        making = making_of_class(subject.source, sequences.root)
    except MutascopeError as error:
        LOGGER.warning("%s: which domains its generators fix is not known: %s", where, error)
        return []
    return [
        f"{where}: inputs of {', '.join(kinds[one.fixed_by_sequences])} only ever {one.fixed}; "
        f"those of {', '.join(kinds[not one.fixed_by_sequences])} {one.varied}."
        for one in different_domains(states, sequences, making)
    ]


@dataclass(frozen=True)
class DomainDifference:
    """A domain that one kind of inputs fixes, and what the other kind does; both as a verb with its object."""

    fixed_by_sequences: bool
    fixed: str
    varied: str


def different_domains(
    states: Finitization, sequences: SequenceScope, making: DeclaredConstruction | None
) -> Iterator[DomainDifference]:
    """Compare the bounds of states with those of sequences.

    Args:
        making: how the implementation makes an object of the root's class; None if its text does not say.
    """
    if making is not None:
        yield from _of_constructor(states, sequences, making)
    targets = {target.name: target.parameters for target in states.targets}
    routines = {routine.name: routine.parameters for routine in sequences.routines if routine.has_receiver}
    for name in (*targets, *(name for name in routines if name not in targets)):
        if name not in routines or name not in targets:
            yield DomainDifference(name not in routines, f"leave out {name}", f"call {name}")
            continue
        for number, (of_states, of_sequences) in enumerate(zip(targets[name], routines[name], strict=False), start=1):
            one, other = _values(of_states), _arguments(of_sequences)
            if (one is None) != (other is None):
                parameter = f"parameter {number} of {name}"
                yield DomainDifference(other is not None, f"pass {one or other} as {parameter}", f"vary {parameter}")


def _of_constructor(
    states: Finitization, sequences: SequenceScope, making: DeclaredConstruction
) -> Iterator[DomainDifference]:
    passed: dict[str, set[str]] = {name: set() for name in making.defaults}
    for routine in sequences.routines:
        if routine.has_receiver or routine.name != sequences.root:
            continue
        split = len(routine.parameters) - len(routine.keywords)
        domains = dict(zip(making.defaults, routine.parameters[:split], strict=False))
        domains |= dict(zip(routine.keywords, routine.parameters[split:], strict=True))
        for name, default in making.defaults.items():
            domain = domains.get(name)
            passed[name] |= {default or ""} if domain is None else _value_texts(domain)
    fields = dict(states.fields_of(states.domains[0]))
    for name, values in passed.items():
        made_fields = [field for field in making.fields[name] if field in fields]
        varied = [field for field in made_fields if _is_varied(states, fields[field])]
        if len(values) == 1 and varied:
            fixed = f"construct {sequences.root} with {name}={min(values)}"
            yield DomainDifference(True, fixed, f"vary {' and '.join(varied)}, which the constructor makes of it")
        elif len(values) > 1 and made_fields and not varied:
            yield DomainDifference(
                False, f"have one {' and '.join(made_fields)}", f"vary {name}, of which the constructor makes it"
            )


def _is_varied(bounds: Finitization, values: Sequence[DomainValue], seen: frozenset[int] = frozenset()) -> bool:
    """Return whether a field takes several values, or an object whose fields do."""
    if len(values) > 1:
        return True
    for value in values:
        if isinstance(value, Reference) and value.domain not in seen:
            fields = bounds.fields_of(bounds.domains[value.domain])
            return any(_is_varied(bounds, inner, seen | {value.domain}) for _, inner in fields)
    return False


def _values(parameter: Sequence[DomainValue] | Structures) -> str | None:
    """Return the only value of a target's parameter as text; None where there are several."""
    if isinstance(parameter, Structures) or len(parameter) != 1 or isinstance(parameter[0], Reference):
        return None
    return repr(parameter[0])


def _arguments(domain: ArgumentDomain) -> str | None:
    """Return the only value of a routine's parameter as text; None if there are several."""
    texts = _value_texts(domain)
    return None if domain.earlier or len(texts) != 1 else min(texts)


def _value_texts(domain: ArgumentDomain) -> set[str]:
    """Return the values as text, and the classes whose objects are passed."""
    return {*map(repr, domain.values), *(f"an earlier {name}" for name in domain.earlier)}
