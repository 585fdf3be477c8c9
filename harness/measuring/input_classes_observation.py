"""Runs a suite on the original, and reports the class of each input by several criteria."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import CodeType
from typing import Any

from harness.errors import SpecError
from harness.generators.states.reference.plus_search import class_name
from harness.kernel.judging.prepared import PreparedInput, outcome_of
from harness.kernel.process.talk import Headway
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.running.loaded_suite import observed_suite
from harness.kernel.specs.spec import SPEC_MODULE, Spec, exception_summary, load_spec
from harness.measuring.input_classes import BRANCHES, CONDITIONS, EQ_CLASS, outcome_name
from harness.measuring.job import ClassNames, CoverageRequest, InputClassesRequest
from harness.measuring.outcomes import ConditionOutcomes, telling_branches, telling_conditions

Classing = Callable[[PreparedInput], Hashable]


class ClassNumbering:
    """The classes of one criterion, numbered in order of appearance, and each input's number."""

    def __init__(self) -> None:
        self.classes: dict[Hashable, int] = {}
        self._inputs = array("I")

    def add(self, value: Hashable) -> None:
        """Add the class of the next input."""
        self._inputs.append(self.classes.setdefault(value, len(self.classes)))

    def write(self, path: Path) -> None:
        """Write the inputs' numbers, as unsigned numbers of this machine."""
        path.write_bytes(self._inputs.tobytes())


def input_classes(job: InputClassesRequest, headway: Headway) -> ClassNames:
    """Write the class numbers to the job's folder; return the names of the classes and their places, by criterion.

    Raises:
        MutascopeError: spec, implementation or suite is unusable, or eq_class or rep_ok raises.
    """
    of_spec, of_program = ConditionOutcomes(), ConditionOutcomes()
    code, branches = telling_branches(job.implementation.source, job.implementation.filename)
    spec_code, conditions = telling_conditions(job.spec_source, job.spec_filename)
    loaded = observed_suite(
        job,
        headway,
        spec=lambda: _telling_spec(job, spec_code, of_spec),
        executed=lambda text: execute(text, code, of_program.presets()),
    )
    of_states = {} if loaded.suite.holds_sequences else _of_states(loaded.spec, of_spec, job.spec_filename)
    numberings = {name: ClassNumbering() for name in (*of_states, BRANCHES)}
    for number in headway.each(range(len(loaded.suite))):
        prepared = loaded.inputs.prepare(number)
        for name, classing in of_states.items():
            numberings[name].add(classing(prepared))
        numberings[BRANCHES].add(_branches(prepared, of_program))
    names: dict[str, Callable[[Any], str]] = {EQ_CLASS: class_name, CONDITIONS: outcome_name, BRANCHES: outcome_name}
    for name, numbering in numberings.items():
        numbering.write(Path(job.folder) / name)
    return ClassNames(
        names={name: tuple(names[name](value) for value in found.classes) for name, found in numberings.items()},
        places={CONDITIONS: tuple(conditions), BRANCHES: tuple(branches)},
    )


def _telling_spec(job: CoverageRequest, code: CodeType, outcomes: ConditionOutcomes) -> Spec:
    """Return the spec with functions that report the outcomes of their conditions."""
    spec = load_spec(job.spec_source, job.spec_filename)
    text = ModuleText(SPEC_MODULE, job.spec_source, job.spec_filename)
    names = vars(execute(text, code, outcomes.presets()))
    return replace(
        spec,
        rep_ok=names.get("rep_ok", spec.rep_ok),
        eq_class=names.get(EQ_CLASS),
        finitization_of=names.get("finitization"),
        sequences_of=names.get("sequences"),
    )


def _of_states(spec: Spec, outcomes: ConditionOutcomes, filename: str) -> dict[str, Classing]:
    """Return the criteria for pre-states that the spec has."""
    criteria: dict[str, Classing] = {}
    if spec.eq_class is not None:
        eq_class = spec.eq_class
        criteria[EQ_CLASS] = lambda prepared: _called(eq_class, (prepared.root,), f"{filename}: {EQ_CLASS}")

    def conditions(prepared: PreparedInput) -> int:
        outcomes.begin()
        if not prepared.any_state:
            _called(partial(_truth, spec.rep_ok), (prepared.root,), f"{filename}: rep_ok")
        if prepared.requires is not None:
            holds = partial(_truth, prepared.requires)
            _called(holds, (prepared.root, *prepared.arguments), f"{filename}: a target's precondition")
        return outcomes.seen

    criteria[CONDITIONS] = conditions
    return criteria


def _branches(prepared: PreparedInput, outcomes: ConditionOutcomes) -> int:
    prepared.lead_up()
    outcomes.begin()
    outcome_of(prepared.invoke)
    return outcomes.seen


def _truth(predicate: Callable[..., Any], *arguments: Any) -> bool:
    """Return whether a predicate holds; it may return any value."""
    return bool(predicate(*arguments))


def _called(function: Callable[..., Any], arguments: Sequence[Any], label: str) -> Any:
    """Return the value that a function of the spec returns for an input.

    Raises:
        SpecError: it raises, or what it returns has no hash.
    """
    try:
        value = function(*arguments)
        hash(value)
    except Exception as error:
        raise SpecError(f"{label} raised {exception_summary(error)} on an input of the suite; correct it") from None
    return value
