"""The `korat-dedicated` generator: Korat with a predicate of the spec that uses dedicated generators."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from harness.errors import SpecError
from harness.generators.policies.korat.agreement import BUDGET, SUFFIX, Agreement, written
from harness.generators.policies.korat.production import KoratProduction
from harness.generators.processor_time import SEARCH, WRITE, ProcessorTime
from harness.generators.protocol import GeneratorBase, StateCheck, Task
from harness.generators.states.engine import StateSearch
from harness.generators.states.packing import Recipe
from harness.kernel.inputs.suites import SuiteWriter

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
