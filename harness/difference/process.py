"""The process in which an API, or a declarative invariant, is compared with rep_ok."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType

from harness.difference.comparing import ApiComparison
from harness.difference.result import WITNESSES, Difference, DifferenceRequest, InvariantDifference, InvariantRequest
from harness.errors import SpecError
from harness.generators.policies.field_exhaustive import algorithm_1
from harness.generators.protocol import Task
from harness.generators.sat.pairs import Pair, field_names, pairs_of, renumbered
from harness.generators.sat.production import opened
from harness.generators.sat.rep_ok_check import smallest_first
from harness.generators.sat.solver import DEFAULT
from harness.generators.states.canonical_form import canonical_form
from harness.generators.states.reference.search import KoratSearch
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.process.talk import Headway, answer
from harness.kernel.program.loader import SubjectRequest, execute, limit_recursion, loading
from harness.kernel.specs.spec import Spec, always, load_spec
from harness.model.finitization import DomainKind

Vector = tuple[int, ...]


class InvariantComparison:
    """Compares a spec's `invariant` with its rep_ok at one scope: all instances with all states, and the extensions."""

    def __init__(self, spec: Spec, module: ModuleType, request: InvariantRequest) -> None:
        finitization = spec.finitization(request.scope)
        if spec.rep_ok is always or finitization.domains[0].kind is DomainKind.NOTHING:
            raise SpecError(
                f"{spec.module.__file__}: there is no rep_ok of states to compare invariant with; define it"
            )
        self._task = Task(spec, module, finitization, seed=0)
        self._request = request
        self._space = StateSpace(finitization)
        self._search = KoratSearch(self._space, module, spec.rep_ok)
        self._instance_count = 0

    @property
    def reached(self) -> int:
        """The progress so far: candidates of rep_ok, and instances."""
        return self._search.explored + self._instance_count

    def run(self) -> InvariantDifference:
        """Find all instances and all states, and compare them.

        Raises:
            UsageError: the spec has no invariant, or python-sat is not installed.
            SpecError: invariant or rep_ok cannot be used.
        """
        declared = self._forms(self._instances())
        operational = self._forms(self._search)
        of_invariant = [vector for form, vector in declared.items() if form not in operational]
        of_rep_ok = [vector for form, vector in operational.items() if form not in declared]
        extension, expected = self._extension(), self._pairs(operational.values())
        return InvariantDifference(
            subject=self._request.subject,
            scope=self._request.scope,
            solver=DEFAULT,
            invariant=len(declared),
            rep_ok=len(operational),
            explored=self._search.explored,
            invariant_only=len(of_invariant),
            rep_ok_only=len(of_rep_ok),
            extension_of_invariant=len(extension),
            extension_of_rep_ok=len(expected),
            pairs_of_one_alone=len(extension ^ expected),
            of_invariant=tuple(self._smallest(of_invariant)),
            of_rep_ok=tuple(self._smallest(of_rep_ok)),
        )

    def _instances(self) -> Iterable[Vector]:
        """Yield all instances, blocking each once it is found."""
        instances = opened(self._task, DEFAULT)
        while (found := instances.next()) is not None:
            self._instance_count += 1
            yield found.vector
            instances.block(found)

    def _forms(self, vectors: Iterable[Vector]) -> dict[Vector, Vector]:
        """Return the states numbered breadth-first, by canonical form."""
        return {canonical_form(self._space, vector)[0]: renumbered(self._space, vector) for vector in vectors}

    def _extension(self) -> set[Pair]:
        """Return the extension by Algorithm 1, from a solver that has no blocked instances."""
        instances = opened(self._task, DEFAULT)
        pairs: set[Pair] = set()
        for _, new in algorithm_1(instances, lambda _: True, instances.next):
            self._instance_count += 1
            pairs.update(new)
        return pairs

    def _pairs(self, vectors: Iterable[Vector]) -> set[Pair]:
        names = field_names(self._space)
        return {pair for vector in vectors for pair in pairs_of(self._space, names, vector)}

    def _smallest(self, vectors: list[Vector]) -> list[Vector]:
        return smallest_first(self._space, vectors)[:WITNESSES]


def compare_with_api(request: DifferenceRequest, headway: Headway) -> Difference:
    """Compare the structures that an API makes with those of rep_ok.

    Raises:
        MutascopeError: the program does not load, or as `ApiComparison`.
    """
    limit_recursion()
    spec, module = _loaded(request, headway)
    headway.begins(f"executing sequences({request.scope}) of {request.spec_filename}", is_brief=True)
    comparison = ApiComparison(spec, module, request)
    task = f"executing calls of {request.implementation.filename}, and rep_ok of {request.spec_filename}"
    headway.begins(task, lambda: comparison.reached)
    return comparison.run()


def compare_with_invariant(request: InvariantRequest, headway: Headway) -> InvariantDifference:
    """Compare the instances of an invariant with the states of rep_ok.

    Raises:
        MutascopeError: the program does not load, or as `InvariantComparison`.
    """
    limit_recursion()
    spec, module = _loaded(request, headway)
    headway.begins(f"executing invariant and rep_ok of {request.spec_filename}")
    comparison = InvariantComparison(spec, module, request)
    headway.beats.reached = lambda: comparison.reached
    return comparison.run()


def _loaded(request: SubjectRequest, headway: Headway) -> tuple[Spec, ModuleType]:
    """Return the spec and the implementation, executed.

    Raises:
        SpecError: the spec cannot be used.
        SourceError: the implementation does not load.
    """
    where = request.implementation.filename
    headway.begins(f"loading {where}")
    with loading(request.implementation):
        module = execute(request.implementation)
    headway.begins(f"loading {request.spec_filename}")
    return load_spec(request.spec_source, request.spec_filename), module


def main(arguments: list[str]) -> int:
    """Answer the question; see `harness.kernel.process.talk`."""
    return answer(arguments, compare_with_api, compare_with_invariant)
