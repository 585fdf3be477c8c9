"""The process in which properties of a subject are checked."""

from __future__ import annotations

from itertools import islice

from harness.checking.inputs import CheckedInputs, Input, Vectors
from harness.checking.judge import CallChecker
from harness.checking.modes import MODES, Bench, Finding
from harness.checking.result import Checked, CheckRequest, ComparedPredicate, Counterexample, PropertyResult
from harness.checking.sequences import Sequences, find_constructions
from harness.checking.source import CounterexampleSource
from harness.errors import SpecError
from harness.generators.policies.korat.dedicated import PREDICATE, KoratDedicated
from harness.generators.protocol import Task
from harness.generators.sampled import STATE_SAMPLE
from harness.generators.states.read_only_check import Unchanged
from harness.generators.states.reference.search import KoratSearch
from harness.generators.targets import check_classes
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.inputs.suites import Call
from harness.kernel.process.talk import FactWriter, Headway, answer
from harness.kernel.program.loader import execute_with_ticks, limit_recursion, loading, step_counter
from harness.kernel.specs.contracts import properties
from harness.kernel.specs.spec import load_spec
from harness.model.finitization import DomainKind, Finitization
from harness.model.sequence import SequenceScope


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
