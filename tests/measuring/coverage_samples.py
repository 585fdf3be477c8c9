"""Suites and subjects as tests of coverage need them."""

import itertools
from pathlib import Path
from typing import Any

from support.own_subject import write_subject

from harness.generators.states.reference.search import KoratSearch
from harness.kernel.inputs.state_space import StateSpace, item_size
from harness.kernel.inputs.suites import Call, SuiteHeader, SuiteReader, SuiteWriter, structure_key
from harness.kernel.judging.prepared import StateInputs
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.spec import Spec, load_spec
from harness.measuring.measurement import code_measurement, coverage_by_function
from harness.model.finitization import Structures
from harness.model.interface import Interface
from harness.model.subject import Subject
from harness.mutation.reach import reachable, target_names
from harness.store.facts import CoverageKind, FunctionCoverage

NAMES = ("search_tree", "heap_array", "binomial_heap", "heapq")


def small_subject(folder: Path, implementation: str, spec: str) -> tuple[Subject, Spec]:
    """Write a subject of two texts below `folder`, and load it."""
    write_subject(folder, implementation, spec)
    loaded = load_spec(spec, str(folder / "spec.py"))
    subject = Subject(
        "small", "Small", "impl", folder / "impl.py", implementation, folder / "spec.py", spec, loaded.blocked
    )
    return subject, loaded


def loaded_inputs(subject: Subject, spec: Spec, scope: int, suite: SuiteReader, code: Any = None) -> StateInputs:
    """Load the inputs of a suite into this process, on the subject's code or on that given."""
    module = execute(ModuleText.of(subject), code)
    return StateInputs(module, spec, StateSpace(spec.finitization(scope)), suite)


def spans(subject: Subject, spec: Spec, scope: int) -> dict[str, tuple[int, int]]:
    """Lines of targets and helpers, as a trial covers them."""
    targets = target_names(Interface.of_finitization(spec.finitization(scope)))
    extents = reachable(subject.source, targets, subject.helpers)
    return {name: (extent.first_line, extent.last_line) for name, extent in extents.items()}


def code_coverage(
    subject: Subject, suite: Path, scope: int, functions: dict[str, tuple[int, int]]
) -> list[FunctionCoverage]:
    """Return what a suite covers of functions, measured in a sandboxed process."""
    return coverage_by_function({CoverageKind.CODE: code_measurement(subject, suite, scope, functions)})


def korat_suite(subject: Subject, spec: Spec, scope: int, folder: Path, states: int | None = None) -> Path:
    """All calls on all valid states (or the first so many), as a suite below `folder`."""
    finitization = spec.finitization(scope)
    space = StateSpace(finitization)
    module = execute(ModuleText.of(subject))
    header = SuiteHeader(
        subject.name, subject.content_hash, "test", "1", scope, 0, space.width, item_size(space),
        [target.name for target in finitization.targets],
    )  # fmt: skip
    calls: list[Call] = []
    for number, target in enumerate(finitization.targets):
        counts: list[int] = []
        for position, parameter in enumerate(target.parameters):
            if isinstance(parameter, Structures):
                vectors = list(KoratSearch(StateSpace(parameter.finitization), module, parameter.rep_ok))
                header.structures[structure_key(number, position)] = [list(vector) for vector in vectors]
                counts.append(len(vectors))
            else:
                counts.append(len(parameter))
        calls += [Call(number, indices) for indices in itertools.product(*map(range, counts))]
    suite = folder / f"{subject.name}-{scope}"
    with SuiteWriter(suite, header) as writer:
        for vector in itertools.islice(KoratSearch(space, module, spec.rep_ok), states):
            state = writer.add_state(vector)
            for call in calls:
                writer.add_input(state, call)
        writer.close()
    return suite
