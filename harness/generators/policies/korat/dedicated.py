"""The `korat-dedicated` generator: Korat with a predicate of the spec that uses dedicated generators.

The dedicated predicate is compared with the plain one that it replaces. It is too strong if it refuses a state that a
plain search finds; its own search would never reach such a state. It is too weak if the plain predicate refuses a state
that the dedicated search finds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import Any

from harness.errors import SpecError
from harness.generators.policies.korat.production import KoratProduction
from harness.generators.processor_time import SEARCH, WRITE, ProcessorTime
from harness.generators.protocol import GeneratorBase, Group, StateCheck, Task
from harness.generators.sampled import STATE_SAMPLE, Sample
from harness.generators.states.describe import describe
from harness.generators.states.engine import StateSearch
from harness.generators.states.packing import Recipe
from harness.generators.states.read_only_check import Unchanged
from harness.generators.states.reference.precondition import Precondition
from harness.generators.states.reference.search import KoratSearch
from harness.generators.states.reference.stack import AccessStack, DrawnStack
from harness.kernel.inputs.state_space import Decoder
from harness.kernel.inputs.suites import SuiteWriter
from harness.kernel.specs.spec import exception_summary

BUDGET = 4_000
"""The cost limit of one sample, in executions of a plain predicate: some hundredths of a second."""
PRICE = 10
"""The cost of one execution of a dedicated predicate, in executions of a plain one."""
FOUND_SAMPLE = Sample(first=512)
"""The sample of the states found by a dedicated predicate on which the plain one is executed."""

SUFFIX = "_dedicated"

Vector = Sequence[int]
Predicate = Callable[[Any], Any]
Groups = Callable[[Sequence[int]], Iterator[Group]]


class Agreement:
    """Both predicates of one search.

    Args:
        dedicated: the search by the dedicated predicate.
        plain: the search of the same states by the predicate that the dedicated one replaces.
    """

    def __init__(self, dedicated: StateSearch, plain: StateSearch) -> None:
        self.name = _name(plain.rep_ok)
        """The name of the plain predicate."""
        self.dedicated_name = f"{self.name}{SUFFIX}"
        self._space, self._module = dedicated.space, dedicated.module
        self._dedicated, self._plain = dedicated.rep_ok, plain.rep_ok
        self._decoder = Decoder(self._space, self._module)
        self._unchanged = Unchanged(self._space, self._module, self._dedicated, predicate_name=self.dedicated_name)
        self._searches: list[tuple[KoratSearch, int]] = []
        self._executed: tuple[str, Vector] | None = None
        self._plain_states: int | None = None
        self._looked_at = self._found_states = 0

    @property
    def explored(self) -> int:
        """The cost so far in executions of a plain predicate, without the executions by `watched`."""
        return sum(price * search.explored for search, price in self._searches) + PRICE * self._looked_at

    @property
    def current(self) -> str:
        """The current candidate."""
        return self._searches[-1][0].current if self._executed is None else describe(self._space, self._executed[1])

    @property
    def executing(self) -> str:
        """The name of the predicate that is executed on the current candidate."""
        return self.name if self._executed is None else self._executed[0]

    def sample(self, budget: int = BUDGET) -> None:
        """Compare the predicates on the first states of the plain search, and on the last ones if these are not all.

        Args:
            budget: the cost limit of each of the two samples, in executions of the plain predicate.

        Raises:
            SpecError: the dedicated predicate refuses a state, or raises; or the plain one raises.
        """
        self._plain_states = self._look_at_plain(KoratSearch, budget)
        if self._plain_states is None:
            self._look_at_plain(_FromTheEnd, budget)

    def watched(self, groups: Groups) -> Groups:
        """Return a function like `groups` that first compares the predicates on its state, found by the dedicated one.

        Raises:
            SpecError: on a call; the dedicated predicate changes the state, or the plain one refuses it.
        """

        def compared(vector: Sequence[int]) -> Iterator[Group]:
            if FOUND_SAMPLE.has(self._found_states):
                self._check_state(vector, STATE_SAMPLE.has(self._found_states))
            self._found_states += 1
            return groups(vector)

        return compared

    def conclude(self) -> None:
        """Compare the numbers of states that both searches have found, if the plain one is complete.

        Raises:
            SpecError: they differ.
        """
        if self._plain_states is not None and self._plain_states != self._found_states:
            raise SpecError(
                f"a search by {self.dedicated_name} finds {self._found_states:,} states and one by {self.name} "
                f"{self._plain_states:,}, though each accepts what the other finds; let both depend on the state alone "
                "(no random, time, set order, identity of objects or state of their own)"
            )

    def compare(self, budget: int = sys.maxsize) -> int:
        """Compare the predicates on all states that either of them accepts. Return the number of these.

        Args:
            budget: the cost limit of each search, in executions of the plain predicate; the rest is left out.

        Raises:
            SpecError: as in `sample`, `watched` and `conclude`.
        """
        self._plain_states = self._look_at_plain(KoratSearch, budget)
        most = max(1, budget // PRICE)
        search = self._begin(KoratSearch(self._space, self._module, self._dedicated, most=most), PRICE)
        with closing(iter(search)) as vectors:
            for vector in vectors:
                if PRICE * (search.explored + self._found_states) >= budget:
                    return self._found_states
                self._check_state(vector, True)
                self._found_states += 1
                self._looked_at += 1
        if search.cut is None:
            self.conclude()
        return self._found_states

    def _look_at_plain(self, kind: type[KoratSearch], budget: int) -> int | None:
        """Check that the dedicated predicate accepts the states of the plain search.

        Return the number of these states, or None if the budget ended the search.
        """
        search = self._begin(kind(self._space, self._module, self._plain, most=budget))
        count = 0
        with closing(iter(search)) as vectors:
            for vector in vectors:
                if search.explored + PRICE * count >= budget:
                    return None
                refusal = self._refusal(self._dedicated, self.dedicated_name, vector, self.name)
                if refusal is not None:
                    raise refusal
                count += 1
                self._looked_at += 1
        return count if search.cut is None else None

    def _check_state(self, vector: Vector, is_write_sought: bool) -> None:
        refusal = self._refusal(self._plain, self.name, vector, self.dedicated_name)
        if is_write_sought or refusal is not None:
            self._unchanged.look(vector)
        if refusal is not None:
            raise refusal

    def _refusal(self, predicate: Predicate, name: str, vector: Vector, other: str) -> SpecError | None:
        """Return the error if the predicate does not accept a state that the other one accepts."""
        self._executed = name, vector
        does = "refuses"
        try:
            is_accepted = bool(predicate(self._decoder.decode(vector).root))
        except Exception as error:
            is_accepted, does = False, f"raises {exception_summary(error)} on"
        self._executed = None  # if the predicate is endless, the message needs it
        if is_accepted:
            return None
        state = describe(self._space, vector)
        return SpecError(f"{name} {does} {state}, which {other} accepts; make both accept the same states")

    def _begin(self, search: KoratSearch, price: int = 1) -> KoratSearch:
        self._searches.append((search, price))
        return search


class _FromTheEnd(KoratSearch):
    """A search that gives each field its values from the last to the first."""

    def _new_stack(self) -> AccessStack:
        return DrawnStack(self.space, lambda count: count - 1)


def written(predicate: Predicate) -> Callable[..., Any]:
    """Return the function of the spec that a predicate executes."""
    return predicate.requires if isinstance(predicate, Precondition) else predicate


def _name(predicate: Predicate) -> str:
    return getattr(predicate.requires, "__name__", "") if isinstance(predicate, Precondition) else "rep_ok"


PREDICATE = f"rep_ok{SUFFIX}"


class KoratDedicated(GeneratorBase):
    """The same states and inputs as `korat`, found with `rep_ok_dedicated` (exhaustive2003, section 5).

    Their order is the same, too, if that predicate reads fields in the order of rep_ok. Likewise, a target's own
    precondition `name` is searched by `name_dedicated`, if the spec has one. Structures as arguments are searched as
    by `korat`. Each dedicated predicate is compared with the one that it replaces.
    """

    name = "korat-dedicated"
    version = "1"

    def produce(self, task: Task) -> DedicatedProduction:
        """Start a streaming run; the seed has no influence.

        Raises:
            SpecError: the spec has no such predicate.
        """
        if not callable(vars(task.spec.module).get(PREDICATE)):
            raise SpecError(
                f"{task.spec.module.__file__} has no function {PREDICATE}, which {self.name} searches by; "
                f"write it with harness.spec's dedicated generators, or choose --generator korat"
            )
        return DedicatedProduction(task)


class DedicatedProduction(KoratProduction):
    """A run of Korat by dedicated predicates, which are compared with the plain ones.

    Plain searches come first: of smaller scopes, as far as they are short, then of the states that are searched next,
    from both ends. A sample of the found states is compared.

    Raises:
        SpecError: on iteration, two predicates do not accept the same states, or a dedicated one changes a state
            that it accepts.
    """

    def __init__(self, task: Task) -> None:
        names = vars(task.spec.module)
        finitization = task.finitization.requiring(
            lambda requires: names.get(f"{getattr(requires, '__name__', '')}{SUFFIX}", requires)
        )
        spec = replace(task.spec, rep_ok=names[PREDICATE])
        # Without a workshop: narrowing is the reference engine's.
        pairs = zip(finitization.targets, task.finitization.targets, strict=True)
        own = [number for number, (target, plain) in enumerate(pairs) if target.requires is not plain.requires]
        super().__init__(replace(task, spec=spec, finitization=finitization, workshop=None), searched=own)
        self._plain_task = replace(task, workshop=None)
        self._plain = KoratProduction(self._plain_task, searched=own)
        self._plain.structures = self.structures  # searched only once
        self._compared: list[Agreement | DedicatedProduction] = []
        self._comparing: Agreement | DedicatedProduction | None = None
        self._time = ProcessorTime()

    @property
    def headway(self) -> int:
        """The number of executions of predicates, with those that only compare."""
        return self.explored + sum(
            each.explored if isinstance(each, Agreement) else each.headway for each in self._compared
        )

    @property
    def current(self) -> str:
        """The current candidate."""
        return super().current if self._comparing is None else self._comparing.current

    @property
    def executing(self) -> str:
        """The name of the function that is executed on the current candidate."""
        return super().executing if self._comparing is None else self._comparing.executing

    def write_states(self, writer: SuiteWriter, check: StateCheck) -> None:
        """Write the groups; the time of comparisons counts as writing, like the checks of samples."""
        super().write_states(writer, check)
        self.cpu_seconds[SEARCH] -= self._time.seconds
        self.cpu_seconds[WRITE] += self._time.seconds

    def agreements(self) -> Iterator[Agreement]:
        """Yield the pairs of predicates; compare each before requesting the next one."""
        for agreement, _, _ in self._pairs():
            if agreement is not None:
                with self._compare(agreement):
                    yield agreement

    def _searches(self) -> Iterator[tuple[StateSearch, Recipe]]:
        self._compare_smaller()
        for agreement, search, recipe in self._pairs():
            if agreement is None:
                yield search, recipe
                continue
            with self._compare(agreement):
                agreement.sample()
            yield search, replace(recipe, groups=agreement.watched(recipe.groups))
            agreement.conclude()

    def _pairs(self) -> Iterator[tuple[Agreement | None, StateSearch, Recipe]]:
        """Yield the searches, each with the comparison of its predicates, or None if it has only one."""
        for (search, recipe), (plain, _) in zip(super()._searches(), self._plain._searches(), strict=True):
            is_one = written(search.rep_ok) is written(plain.rep_ok)
            yield None if is_one else Agreement(search, plain), search, recipe

    def _compare_smaller(self) -> None:
        """Compare the predicates on states of smaller scopes, within the budget."""
        task, left = self._plain_task, BUDGET
        for scope in range(1, task.scope or 1):
            try:
                smaller = DedicatedProduction(replace(task, finitization=task.spec.finitization(scope), scope=scope))
            except SpecError:
                continue  # errors at the requested scope are reported
            with self._compare(smaller):
                for agreement in smaller.agreements():
                    agreement.compare(max(1, left))
                    left -= agreement.explored
            if left <= 0:
                break
        if task.scope is not None:
            task.spec.finitization(task.scope)  # it may store state for rep_ok, which must be of this scope again

    @contextmanager
    def _compare(self, comparing: Agreement | DedicatedProduction) -> Iterator[None]:
        self._compared.append(comparing)
        self._comparing = comparing
        with self._time:
            yield
        self._comparing = None
