"""Runs a suite on the original, and reports the class of each input by several criteria."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable
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
    classings: dict[str, Classing] = {**of_states, BRANCHES: partial(_branches, of_program)}
    classes: dict[str, dict[Hashable, int]] = {name: {} for name in classings}  # numbered in order of appearance
    numbers = {name: array("I") for name in classings}
    for number in headway.each(range(len(loaded.suite))):
        prepared = loaded.inputs.prepare(number)
        for name, classing in classings.items():
            numbers[name].append(classes[name].setdefault(classing(prepared), len(classes[name])))
    for name, found in numbers.items():
        (Path(job.folder) / name).write_bytes(found.tobytes())
    names: dict[str, Callable[[Any], str]] = {EQ_CLASS: class_name, CONDITIONS: outcome_name, BRANCHES: outcome_name}
    return ClassNames(
        names={name: tuple(map(names[name], met)) for name, met in classes.items()},
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
        criteria[EQ_CLASS] = lambda prepared: _called(lambda: eq_class(prepared.root), f"{filename}: {EQ_CLASS}")

    def conditions(prepared: PreparedInput) -> int:
        outcomes.begin()
        if not prepared.any_state:
            _called(lambda: bool(spec.rep_ok(prepared.root)), f"{filename}: rep_ok")
        if (requires := prepared.requires) is not None:
            label = f"{filename}: a target's precondition"
            _called(lambda: bool(requires(prepared.root, *prepared.arguments)), label)
        return outcomes.seen

    criteria[CONDITIONS] = conditions
    return criteria


def _branches(outcomes: ConditionOutcomes, prepared: PreparedInput) -> int:
    prepared.lead_up()
    outcomes.begin()
    outcome_of(prepared.invoke)
    return outcomes.seen


def _called(function: Callable[[], Hashable], label: str) -> Hashable:
    """Return the value that a function of the spec returns for an input.

    Raises:
        SpecError: it raises, or what it returns has no hash.
    """
    try:
        value = function()
        hash(value)
    except Exception as error:
        raise SpecError(f"{label} raised {exception_summary(error)} on an input of the suite; correct it") from None
    return value
