"""The process in which properties of a subject are checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from types import ModuleType
from typing import Any

from harness.checking.inputs import CheckedInputs, Input, Vectors
from harness.checking.judge import CallChecker
from harness.checking.result import Checked, CheckRequest, ComparedPredicate, Counterexample, PropertyResult
from harness.checking.sequences import Sequences, find_constructions
from harness.checking.source import CounterexampleSource
from harness.errors import SpecError
from harness.generators.policies.korat.dedicated import PREDICATE, KoratDedicated
from harness.generators.policies.korat.generator import Korat
from harness.generators.protocol import Task
from harness.generators.sampled import STATE_SAMPLE
from harness.generators.states.inputs import structure_parameters
from harness.generators.states.read_only_check import Unchanged
from harness.generators.states.reference.search import KoratSearch
from harness.generators.targets import check_classes
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.inputs.suites import Call, structure_key
from harness.kernel.judging.prepared import structure_maker
from harness.kernel.process.talk import FactWriter, Headway, answer
from harness.kernel.program.loader import execute_with_ticks, limit_recursion, loading, step_counter
from harness.kernel.specs.contracts import Property, properties
from harness.kernel.specs.spec import Spec, load_spec
from harness.model.finitization import DomainKind, Finitization, Reference, Structures
from harness.model.sequence import SequenceScope


@dataclass
class Finding:
    """The results of checking a property so far, with the smallest failing input."""

    checked: Property
    result: PropertyResult
    smallest: Input | None = None
    violation: str = ""

    @classmethod
    def of(cls, checked: Property, finitization: Finitization) -> Finding:
        """Return the finding of a property that is not checked yet."""
        kind = "axiom" if checked.axiom else "postcondition" if checked.postcondition else "rep_ok"
        return cls(checked, PropertyResult(checked.name, finitization.targets[checked.target].name, kind))

    def fail(self, failing_input: Input, violation: str) -> None:
        """Record a failing input."""
        self.result.failing += 1
        if self.smallest is None or failing_input < self.smallest:
            self.smallest, self.violation = failing_input, violation


@dataclass
class Bench:
    """Everything that checking needs: the program, its spec for searching, and its judge; and how far it has come."""

    spec: Spec
    module: ModuleType
    finitization: Finitization
    judge: CallChecker
    progress: int = 0
    """The number of inputs, and of candidates of all searches before the current one."""
    search: Any = None
    """The current search, which counts what it has `explored`."""

    def reached(self) -> int:
        """Return the progress: the number of inputs, and of candidates of all searches."""
        return self.progress + (0 if self.search is None else self.search.explored)

    def searches(self, search: Any) -> None:
        """Begin another search."""
        self.progress, self.search = self.reached(), search


def black_box(bench: Bench, checked: list[Property]) -> tuple[list[Finding], Vectors]:
    """Generate all inputs, and make every call on fresh objects."""
    inputs = CheckedInputs(bench.finitization, bench.module)
    findings = [Finding.of(each, bench.finitization) for each in checked]
    production = Korat().produce(Task(bench.spec, bench.module, bench.finitization, 0))
    bench.searches(production)
    for vector, calls in production:
        for call in calls:
            for finding in findings:
                if finding.checked.target != call.target:
                    continue
                bench.progress += 1
                this, arguments = inputs.make(vector, call, production.structures)
                finding.result.calls += 1
                target = bench.finitization.targets[call.target]
                judgement = bench.judge.check(finding.checked, target, this, arguments)
                finding.result.refused += judgement.refused
                if judgement.violation is not None:
                    finding.fail(inputs.input(vector, call, production.structures), judgement.violation)
    for finding in findings:
        finding.result.candidates = production.explored
    return findings, production.structures


def white_box(bench: Bench, checked: list[Property]) -> tuple[list[Finding], Vectors]:
    """Search for failing inputs with the target as part of the predicate, so that its reads direct the search.

    The search undoes the writes of the call. Inputs share one execution if they differ only in fields that neither the
    precondition nor the call has read.
    """
    structures = {key: _structures(bench, one) for key, one in structure_parameters(bench.finitization).items()}
    return [_Failure(bench, each, structures).search() for each in checked], structures


def _structures(bench: Bench, parameter: Structures) -> list[tuple[int, ...]]:
    search = KoratSearch(StateSpace(parameter.finitization), bench.module, parameter.rep_ok)
    bench.searches(search)
    return list(search)


MODES = {"black-box": black_box, "white-box": white_box}


class _Failure:
    """The paper's removeFail (Figure 8): a class of pre-state and arguments, with a predicate that is true for
    failures.

    The arguments are read after rep_ok has accepted the pre-state, so rep_ok is searched once for all arguments.
    """

    def __init__(self, bench: Bench, checked: Property, structures: Vectors) -> None:
        finitization = bench.finitization
        self._finding = Finding.of(checked, finitization)
        self._violation = ""
        self._bench = bench
        self._structures = structures
        self._target = finitization.targets[checked.target]
        self._decoders: list[Callable[[int], Any] | None] = []
        fields: dict[str, Any] = {"this": (Reference(0, 0),)}
        for position, parameter in enumerate(self._target.parameters):
            name = f"argument{position + 1}"
            if isinstance(parameter, Structures):
                vectors = structures[structure_key(checked.target, position)]
                self._decoders.append(structure_maker(parameter.finitization, bench.module, vectors))
                fields[name] = tuple(range(len(vectors)))
            else:
                self._decoders.append(None)
                fields[name] = parameter
        self._names = list(fields)[1:]
        root = f"Input of {self._target.name}"  # no identifier, so no class of the module has this name
        module = ModuleType(bench.module.__name__)
        module.__dict__.update(vars(bench.module), **{root: type(root, (), {})})
        self._has_inputs = all(fields.values())
        self._search = KoratSearch(StateSpace(finitization.behind(root, fields)), module, self._fails)

    def search(self) -> Finding:
        """Return the failures."""
        finding, width = self._finding, len(self._names) + 1
        inputs = CheckedInputs(self._bench.finitization, self._bench.module)
        for vector in self._search if self._has_inputs else ():
            call = Call(finding.checked.target, vector[1:width])
            finding.fail(inputs.input(vector[width:], call, self._structures), self._violation)
        finding.result.candidates = self._search.explored
        return finding

    def _fails(self, record: Any) -> bool:
        self._bench.progress += 1
        target = self._target
        if not (target.any_state or self._bench.spec.rep_ok(record.this)):
            return False
        arguments = self._arguments(record)
        if target.requires is not None and not target.requires(record.this, *arguments):
            return False
        self._finding.result.calls += 1
        judgement = self._bench.judge.check(self._finding.checked, self._target, record.this, arguments)
        self._finding.result.refused += judgement.refused
        self._violation = judgement.violation or ""
        return judgement.violation is not None

    def _arguments(self, record: Any) -> list[Any]:
        values = [getattr(record, name) for name in self._names]
        return [
            value if decode is None else decode(value) for value, decode in zip(values, self._decoders, strict=True)
        ]


class Checking:
    """Carries out a request."""

    def __init__(self, job: CheckRequest, teller: FactWriter) -> None:
        counter = step_counter()
        counter.start(1 << 62)
        self._job = job
        self._teller = teller
        teller.begins(f"loading {job.implementation.filename}")
        with loading(job.implementation):
            module = execute_with_ticks(job.implementation, counter)
        teller.begins(f"loading {job.spec_filename}")
        spec = load_spec(job.spec_source, job.spec_filename)
        teller.begins(f"executing finitization({job.scope}) of {job.spec_filename}", is_brief=True)
        finitization = spec.finitization(job.scope)
        check_classes(finitization, module)
        self._judging = load_spec(job.spec_source, job.spec_filename, counter)
        self._has_state = finitization.domains[0].kind is not DomainKind.NOTHING
        judge = CallChecker(self._judging, module, counter, self._has_state, self._judging.misuses(job.scope))
        self.bench = Bench(spec, module, finitization, judge)

    def compare(self) -> list[ComparedPredicate]:
        """Compare each predicate that `korat-dedicated` searches by.

        `rep_ok_dedicated` is compared even if all targets have preconditions of their own, so that no search uses it.

        Raises:
            SpecError: it does not accept the same states as the predicate that it replaces, or changes a state.
        """
        compared: list[ComparedPredicate] = []
        if PREDICATE not in vars(self.bench.spec.module):
            return compared
        self._teller.begins(f"executing the predicates of {self._job.spec_filename}")
        for finitization in self._compared_finitizations():
            production = KoratDedicated().produce(Task(self.bench.spec, self.bench.module, finitization, 0))
            self.bench.searches(production)
            for agreement in production.agreements():
                if agreement.dedicated_name in [one.name for one in compared]:
                    continue
                self.bench.searches(agreement)
                try:
                    accepted = agreement.compare()
                except SpecError as error:
                    where = "" if self._job.spec_filename in str(error) else f"{self._job.spec_filename}: "
                    raise SpecError(f"{where}{error}") from None
                compared.append(ComparedPredicate(agreement.dedicated_name, agreement.name, accepted))
        return compared

    def _compared_finitizations(self) -> list[Finitization]:
        """Return the bounds whose searches use all dedicated predicates."""
        targets = self.bench.finitization.targets
        if targets and all(target.requires is not None for target in targets):
            return [self.bench.finitization.without_targets(), self.bench.finitization]
        return [self.bench.finitization]

    def run(self) -> list[PropertyResult]:
        """Check each property."""
        self._teller.begins(f"executing what {self._job.spec_filename} checks of {self._job.implementation.filename}")
        if self._has_state:
            self._look_at_states()
        checked = properties(self._judging.module, self.bench.finitization)
        findings, structures = MODES[self._job.mode](self.bench, checked)
        for finding in findings:
            if finding.smallest is not None:
                finding.result.counterexample = self._counterexample(finding, finding.smallest, structures)
        return [finding.result for finding in findings]

    def _look_at_states(self) -> None:
        """Check that rep_ok only looks at the first valid states."""
        space = StateSpace(self.bench.finitization)
        unchanged = Unchanged(space, self.bench.module, self.bench.spec.rep_ok)
        for vector in [*islice(KoratSearch(space, self.bench.module, self.bench.spec.rep_ok), STATE_SAMPLE.first)]:
            unchanged.look(vector)

    def _counterexample(self, finding: Finding, smallest: Input, structures: Vectors) -> Counterexample:
        checked = finding.checked
        target = self.bench.finitization.targets[checked.target]
        inputs = CheckedInputs(self.bench.finitization, self.bench.module)
        call = Call(checked.target, smallest.arguments)
        this, arguments = inputs.make(smallest.vector, call, structures)

        program = CounterexampleSource(self._job, self._judging)
        program.build([this, *arguments])
        program.check(checked, target, this, arguments)

        sequence = None
        bounds = self._sequences() if self._has_state else None
        if bounds is not None and self._judging.rep_ok(this):
            sequences = Sequences(self._judging, self.bench.module, bounds, self.bench.judge)
            constructions = find_constructions(sequences, this, arguments)
            if constructions is not None:
                replay = CounterexampleSource(self._job, self._judging)
                for construction in constructions:
                    replay.construct(construction.steps, construction.returned_objects)
                replay.check(checked, target, this, arguments)
                sequence = replay.text()
        return Counterexample(finding.violation, smallest.objects, program.text(), sequence)

    def _sequences(self) -> SequenceScope | None:
        """Return the bounds of sequences, or None if they cannot be derived of any target of the finitization."""
        try:
            return self._judging.sequences(self._job.scope, self._job.implementation.source)
        except SpecError:
            if self._judging.sequences_of is not None:
                raise
            return None


def check(request: CheckRequest, headway: Headway) -> Checked:
    """Compare the predicates of dedicated generators with the plain ones, then check all properties.

    Raises:
        MutascopeError: as `Checking`.
    """
    limit_recursion()
    checking = Checking(request, headway.teller)
    headway.beats.reached = checking.bench.reached
    predicates = tuple(checking.compare())
    return Checked(tuple(checking.run()), predicates)


def main(arguments: list[str]) -> int:
    """Answer the question; see `harness.kernel.process.talk`."""
    return answer(arguments, check)
