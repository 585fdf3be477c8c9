"""The process in which an API, or a declarative invariant, is compared with rep_ok."""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from harness.difference.result import (
    FURTHER,
    WITNESSES,
    Difference,
    DifferenceRequest,
    InvariantDifference,
    InvariantRequest,
    LargerScope,
    OfApi,
    OfRepOk,
)
from harness.errors import SpecError
from harness.generators.policies.beapi import Beapi
from harness.generators.policies.field_exhaustive import algorithm_1
from harness.generators.protocol import SequenceTask, Task
from harness.generators.sampled import STATE_SAMPLE
from harness.generators.sat.pairs import Pair, field_names, pairs_of
from harness.generators.sat.production import opened
from harness.generators.sat.solver import DEFAULT
from harness.generators.sequences.exploration import SequenceExploration
from harness.generators.sequences.replay import is_counted, reachable
from harness.generators.states.canonical_form import renumbered, smallest_first
from harness.generators.states.read_only_check import Unchanged
from harness.generators.states.reference.search import KoratSearch
from harness.kernel.inputs.describe import show_sequence
from harness.kernel.inputs.state_space import Decoder, StateSpace
from harness.kernel.inputs.suites import Call
from harness.kernel.objects.equality import NotCanonical, concrete
from harness.kernel.objects.reading import stored_fields
from harness.kernel.process.talk import Headway, answer
from harness.kernel.program.loader import SubjectRequest, execute, limit_recursion, loading
from harness.kernel.specs.spec import Spec, always, load_spec
from harness.model.finitization import DomainKind


@dataclass(frozen=True)
class _ApiStructure:
    """A structure of the API: what call `result` of the calls gave, after all of them."""

    calls: list[Call]
    result: int


class ApiComparison:
    """Compares a spec's API with its rep_ok at one scope."""

    def __init__(self, spec: Spec, module: ModuleType, request: DifferenceRequest) -> None:
        self._spec = spec
        self._module = module
        self._request = request
        self._at: list[KoratSearch | SequenceExploration] = []
        self._formed = 0
        self._bounds = spec.sequences(request.scope, request.implementation.source)
        self._omits = self._bounds.omission()

    @property
    def reached(self) -> int:
        """The progress so far: candidates, sequences, and structures that were compared."""
        return self._formed + sum(search.explored for search in self._at)

    def run(self) -> Difference:
        """Make the structures of both, and compare them.

        Raises:
            SpecError: there is no rep_ok or no state to compare, a call fails, or the executed code does not end.
        """
        if self._spec.rep_ok is always:
            raise SpecError(
                f"{self._spec.module.__file__} has no function rep_ok, with which calls could be compared; define it, "
                "and a finitization (docs/tutorial.md shows how)"
            )
        described, by_rep_ok, named = self._described()
        exploration = self._exploration(self._request.scope)
        sequences_of, set_by_calls = self._api_structures(exploration)
        api_only = [found for form, found in sequences_of.items() if form not in described]
        missing = {form: vector for form, vector in described.items() if form not in sequences_of}
        larger, unexplained = self._larger(dict(missing))
        return Difference(
            subject=self._request.subject,
            scope=self._request.scope,
            api=len(sequences_of),
            rep_ok=len(described),
            api_only=len(api_only),
            rep_ok_only=len(missing),
            explored_by_api=exploration.explored,
            explored_by_rep_ok=by_rep_ok,
            larger=tuple(larger),
            only_set_by_api=tuple(sorted(set_by_calls - named) if described else []),
            only_in_finitization=tuple(sorted(named - set_by_calls)),
            left_out=self._bounds.left_out,
            of_api=tuple(self._shortest(exploration, api_only)),
            of_rep_ok=tuple(self._smallest(unexplained or missing)),
        )

    def _described(self) -> tuple[dict[bytes, tuple[int, ...]], int, set[str]]:
        """Return the forms of the structures of rep_ok with their vectors, the number of candidates, and the fields
        used.
        """
        finitization = self._spec.finitization(self._request.scope)
        root, of_calls = finitization.domains[0], self._bounds.root
        if root.kind is DomainKind.NOTHING:
            raise SpecError(f"{self._spec.module.__file__}: its targets have no pre-state, so there is none to compare")
        if root.class_name != of_calls:
            raise SpecError(
                f"{self._spec.module.__file__}: finitization is about {root.class_name}, and sequences about "
                f"{of_calls}, so there is nothing to compare; give both the same root"
            )
        space = StateSpace(finitization)
        decoder = Decoder(space, self._module)
        search = KoratSearch(space, self._module, self._spec.rep_ok)
        self._at.append(search)
        vectors = list(search)  # objects are made afterwards: the search observes all of the module's classes
        vector_of: dict[bytes, tuple[int, ...]] = {}
        fields: set[str] = set()
        look = Unchanged(space, self._module, self._spec.rep_ok).look
        for vector in vectors[: STATE_SAMPLE.first]:
            look(vector)
        for vector in vectors:
            root = decoder.decode(vector).root
            fields |= self._fields(root)
            vector_of.setdefault(self._form(root), tuple(vector))
        return vector_of, search.explored, fields

    def _api_structures(self, exploration: SequenceExploration) -> tuple[dict[bytes, _ApiStructure], set[str]]:
        """Return the forms of the structures of the API with their first sequences, and the fields used."""
        sequence_of: dict[bytes, _ApiStructure] = {}
        fields: set[str] = set()
        for one, root in self._roots(exploration):
            fields |= self._fields(root)
            sequence_of.setdefault(self._form(root), one)
        return sequence_of, fields

    def _form(self, root: Any) -> bytes:
        """Return a form that is equal for two structures exactly if they are isomorphic; tokens are interchangeable.

        Raises:
            SpecError: it has none.
        """
        self._formed += 1
        try:
            return _renumbered(concrete(root, omits=self._omits))
        except (NotCanonical, RecursionError) as error:
            raise SpecError(
                f"a {type(root).__qualname__} has a state that cannot be compared with others ({error}); leave out "
                "what does not tell states apart by s.omit(field) in sequences"
            ) from None

    def _objects(self, root: Any) -> list[Any]:
        """Return the objects with fields in a structure, including the root."""
        return list(filter(is_counted, reachable(root, self._omits)))

    def _fields(self, root: Any) -> set[str]:
        """Return the names of the fields of a structure's objects, as `Class.field`, without omitted ones."""
        return {
            f"{type(value).__qualname__}.{name}"
            for value in self._objects(root)
            for name in stored_fields(value, self._omits)
        }

    def _larger(self, missing: dict[bytes, tuple[int, ...]]) -> tuple[list[LargerScope], dict[bytes, tuple[int, ...]]]:
        """Explore larger scopes while structures are missing; return the scopes and the structures still missing."""
        explored_scopes: list[LargerScope] = []
        for scope in range(self._request.scope + 1, self._request.scope + 1 + FURTHER):
            if not missing:
                break
            exploration = self._exploration(scope, self._request.attempts)
            whole = self._takes_away(missing, exploration)
            explored_scopes.append(
                LargerScope(scope, exploration.structures, exploration.explored, len(missing), whole)
            )
        return explored_scopes, missing

    def _takes_away(self, missing: dict[bytes, tuple[int, ...]], exploration: SequenceExploration) -> bool:
        """Remove the structures of the exploration from `missing`; return False if the limit of attempts ended it."""
        most = exploration.task.bounds.most_attempts
        try:
            for _, root in self._roots(exploration):
                missing.pop(self._form(root), None)
                if not missing:
                    return True
        except SpecError:
            if exploration.explored <= most:
                raise
            return False
        return True

    def _exploration(self, scope: int, attempts: int | None = None) -> SequenceExploration:
        bounds = self._spec.sequences(scope, self._request.implementation.source)
        if attempts is not None:
            bounds.attempts(min(attempts, bounds.most_attempts))
        spec = replace(self._spec, rep_ok=always)  # what it rejects is not to end the exploration: it is compared
        task = SequenceTask(spec, self._module, bounds, scope, seed=0)
        exploration = SequenceExploration(task, Beapi().policy(task))
        self._at.append(exploration)
        return exploration

    def _roots(self, exploration: SequenceExploration) -> Iterator[tuple[_ApiStructure, Any]]:
        """Yield the structures of the root's class, each made by executing its sequence."""
        for structure in exploration:
            if exploration.task.bounds.root in structure.names:
                calls = exploration.rows.sequence(structure.state)
                yield _ApiStructure(calls, structure.result), exploration.path.execute(calls)[structure.result]

    def _shortest(self, exploration: SequenceExploration, structures: list[_ApiStructure]) -> list[OfApi]:
        structures.sort(key=lambda one: len(one.calls))
        return [
            OfApi(
                show_sequence(self._bounds, one.calls),
                len(self._objects(exploration.path.execute(one.calls)[one.result])),
            )
            for one in structures[:WITNESSES]
        ]

    def _smallest(self, missing: dict[bytes, tuple[int, ...]]) -> list[OfRepOk]:
        decoder = Decoder(StateSpace(self._spec.finitization(self._request.scope)), self._module)
        sized = [OfRepOk(vector, len(self._objects(decoder.decode(vector).root))) for vector in missing.values()]
        return sorted(sized, key=lambda one: one.objects)[:WITNESSES]


def _renumbered(form: bytes) -> bytes:
    """Return the form with tokens, which are interchangeable, numbered in the order of their first occurrence."""
    if b"token" not in form:
        return form
    numbers: dict[tuple[str, int], int] = {}
    used: dict[str, int] = {}

    def walk(tree: Any) -> Any:
        if type(tree) is not tuple:
            return tree
        if len(tree) == 3 and tree[0] == "token":
            _, domain, index = tree
            if (domain, index) not in numbers:
                numbers[domain, index] = used[domain] = used.get(domain, -1) + 1
            return ("token", domain, numbers[domain, index])
        return tuple(map(walk, tree))

    return marshal.dumps(walk(marshal.loads(form)), 2)  # noqa: S302 (`concrete` writes it so)


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
        of_invariant, of_rep_ok = [*declared - operational], [*operational - declared]
        extension, expected = self._extension(), self._pairs(operational)
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

    def _forms(self, vectors: Iterable[Vector]) -> set[Vector]:
        """Return the states numbered breadth-first: one of each isomorphism class."""
        return {renumbered(self._space, vector) for vector in vectors}

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
