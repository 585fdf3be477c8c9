"""The generators `korat-plus` and `one-per-class`: fewer inputs that cover the same classes of a test criterion."""

from __future__ import annotations

from harness.errors import SpecError
from harness.generators.generator_base import GeneratorBase
from harness.generators.policies.korat.production import KoratProduction
from harness.generators.protocol import Task
from harness.generators.states.reference.plus_search import NAME, EqClass, Pruning


class KoratPlus(GeneratorBase):
    """The states that Korat finds, without some whose class `eq_class` is known to be covered.

    They come in Korat's order, with all arguments (criteria_pruning2011, section 3). The criterion classifies
    pre-states: if a target has its own precondition, the search runs for each tuple of arguments.
    """

    name = "korat-plus"
    version = "1"

    def produce(self, task: Task) -> KoratProduction:
        """Start a streaming run; the seed has no influence.

        Raises:
            SpecError: the spec has no eq_class.
        """
        return KoratProduction(task, pruning=Pruning(_criterion(task, self.name)))


class OnePerClass(GeneratorBase):
    """The first state of each class in Korat's suite, with all arguments (criteria_pruning2011, section 4.1).

    A target with its own precondition gets its first input of each class. Korat+ finds them: it prunes only states
    that follow another state of the same class.
    """

    name = "one-per-class"
    version = "1"

    def produce(self, task: Task) -> KoratProduction:
        """Start a streaming run; the seed has no influence.

        Raises:
            SpecError: the spec has no eq_class.
        """
        return KoratProduction(task, pruning=Pruning(_criterion(task, self.name), first_only=True))


def _criterion(task: Task, generator: str) -> EqClass:
    if task.spec.eq_class is None:
        raise SpecError(
            f"{task.spec.module.__file__} has no function {NAME}, by which {generator} tells classes of inputs apart; "
            f"write def {NAME}(state), or choose --generator korat"
        )
    return task.spec.eq_class
