"""Makes and compares the structures of an API and of an invariant, in the process that executes both."""

from __future__ import annotations

import marshal
from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from harness.difference.result import (
    FURTHER,
    WITNESSES,
    Difference,
    DifferenceRequest,
    LargerScope,
    OfApi,
    OfRepOk,
)
from harness.errors import SpecError
from harness.generators.policies.beapi import Beapi
from harness.generators.protocol import SequenceTask
from harness.generators.sampled import STATE_SAMPLE
from harness.generators.sequences.exploration import SequenceExploration
from harness.generators.sequences.matching import is_counted, reachable
from harness.generators.states.read_only_check import Unchanged
from harness.generators.states.reference.search import KoratSearch
from harness.kernel.inputs.describe import show_sequence
from harness.kernel.inputs.routines import Routines
from harness.kernel.inputs.state_space import Decoder, StateSpace
from harness.kernel.inputs.suites import Call
from harness.kernel.objects.equality import NotCanonical, concrete
from harness.kernel.objects.module_state import state_of
from harness.kernel.objects.reading import stored_fields
from harness.kernel.specs.spec import Spec, always
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
        sequences_of, by_api, set_by_calls = self._api_structures()
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
            explored_by_api=by_api,
            explored_by_rep_ok=by_rep_ok,
            larger=tuple(larger),
            only_set_by_api=tuple(sorted(set_by_calls - named) if described else []),
            only_in_finitization=tuple(sorted(named - set_by_calls)),
            left_out=self._bounds.left_out,
            of_api=tuple(self._shortest(api_only)),
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

    def _api_structures(self) -> tuple[dict[bytes, _ApiStructure], int, set[str]]:
        """Return the forms of the structures of the API with their first sequences, the number of sequences, and the
        fields used.
        """
        exploration = self._exploration(self._request.scope)
        sequence_of: dict[bytes, _ApiStructure] = {}
        fields: set[str] = set()
        for one, root in self._roots(exploration):
            fields |= self._fields(root)
            sequence_of.setdefault(self._form(root), one)
        return sequence_of, exploration.explored, fields

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
        bounds = exploration.task.bounds
        routines = Routines(self._module, bounds, state_of(self._module))
        for structure in exploration:
            if bounds.root in structure.names:
                calls = exploration.rows.sequence(structure.state)
                yield _ApiStructure(calls, structure.result), _results(routines, calls)[structure.result]

    def _shortest(self, structures: list[_ApiStructure]) -> list[OfApi]:
        routines = Routines(self._module, self._bounds, state_of(self._module))
        structures.sort(key=lambda one: len(one.calls))
        return [
            OfApi(
                show_sequence(self._bounds, one.calls),
                len(self._objects(_results(routines, one.calls)[one.result])),
            )
            for one in structures[:WITNESSES]
        ]

    def _smallest(self, missing: dict[bytes, tuple[int, ...]]) -> list[OfRepOk]:
        decoder = Decoder(StateSpace(self._spec.finitization(self._request.scope)), self._module)
        sized = [OfRepOk(vector, len(self._objects(decoder.decode(vector).root))) for vector in missing.values()]
        return sorted(sized, key=lambda one: one.objects)[:WITNESSES]


def _results(routines: Routines, calls: list[Call]) -> list[Any]:
    results: list[Any] = []
    for call in calls:
        ready = routines.ready(call, results)
        results.append(ready.function(*ready.passed))
    return results


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
