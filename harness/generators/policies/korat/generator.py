"""The generators that search states: all valid states with all arguments, up to isomorphism, or some of them.

The search is imported for a run only, because code that only names a generator does not need it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.errors import SpecError
from harness.generators.protocol import GeneratorBase

if TYPE_CHECKING:
    from harness.generators.policies.korat.production import KoratProduction
    from harness.generators.protocol import Task


def _production(task: Task, **how: Any) -> KoratProduction:
    from harness.generators.policies.korat.production import KoratProduction

    return KoratProduction(task, **how)


class Korat(GeneratorBase):
    """Bounded-exhaustive generation by search (exhaustive2003, sections 3 and 6.1)."""

    name = "korat"
    version = "1"
    imports: tuple[str, ...] = ("harness.generators.policies.korat.production",)

    def produce(self, task: Task) -> KoratProduction:
        """Start a streaming run; the seed has no influence."""
        return _production(task)


class KoratOutcome(Korat):
    """The same states and inputs in the same order from fewer executions of rep_ok, by outcome pruning.

    A value is skipped if rep_ok would refuse it as it refused an earlier one, because all its questions about the
    value have the same answers. So `explored` is less than Korat's; it depends on the compiled engine.
    """

    name = "korat-outcome"

    def produce(self, task: Task) -> KoratProduction:
        """Start a streaming run; the seed has no influence."""
        return _production(task, outcomes=True)


class KoratPlus(Korat):
    """The states that Korat finds, without some whose class `eq_class` is known to be covered.

    They come in Korat's order, with all arguments (criteria_pruning2011, section 3). The criterion classifies
    pre-states: if a target has its own precondition, the search runs for each tuple of arguments.
    """

    name = "korat-plus"
    first_only = False

    def produce(self, task: Task) -> KoratProduction:
        """Start a streaming run; the seed has no influence.

        Raises:
            SpecError: the spec has no eq_class.
        """
        from harness.generators.states.reference.plus_search import NAME, Pruning

        if task.spec.eq_class is None:
            raise SpecError(
                f"{task.spec.module.__file__} has no function {NAME}, by which {self.name} tells classes of inputs "
                f"apart; write def {NAME}(state), or choose --generator korat"
            )
        return _production(task, pruning=Pruning(task.spec.eq_class, self.first_only))


class OnePerClass(KoratPlus):
    """The first state of each class in Korat's suite, with all arguments (criteria_pruning2011, section 4.1).

    A target with its own precondition gets its first input of each class. Korat+ finds them: it prunes only states
    that follow another state of the same class.
    """

    name = "one-per-class"
    first_only = True
