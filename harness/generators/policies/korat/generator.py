"""The `korat` generator: all valid states, with all arguments, up to isomorphism.

The search is imported for a run only, because code that only names a generator does not need it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.generators.generator_base import GeneratorBase

if TYPE_CHECKING:
    from harness.generators.policies.korat.production import KoratProduction
    from harness.generators.protocol import Task


class Korat(GeneratorBase):
    """Bounded-exhaustive generation by search (exhaustive2003, sections 3 and 6.1)."""

    name = "korat"
    version = "1"
    imports: tuple[str, ...] = ("harness.generators.policies.korat.production",)

    def produce(self, task: Task) -> KoratProduction:
        """Start a streaming run; the seed has no influence."""
        from harness.generators.policies.korat.production import KoratProduction

        return KoratProduction(task)


class KoratOutcome(GeneratorBase):
    """The same states and inputs in the same order from fewer executions of rep_ok, by outcome pruning.

    A value is skipped if rep_ok would refuse it as it refused an earlier one, because all its questions about the
    value have the same answers. So `explored` is less than Korat's; it depends on the compiled engine.
    """

    name = "korat-outcome"
    version = "1"
    imports: tuple[str, ...] = ("harness.generators.policies.korat.production",)

    def produce(self, task: Task) -> KoratProduction:
        """Start a streaming run; the seed has no influence."""
        from harness.generators.policies.korat.production import KoratProduction

        return KoratProduction(task, outcomes=True)
