"""The `korat` generator: all valid states, with all arguments, up to isomorphism.

What searches is imported by `produce`: whoever only names a generator has no use for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.generators.policies.korat.production import KoratProduction
    from harness.generators.protocol import Task


class Korat:
    """Bounded-exhaustive generation by search (exhaustive2003, sections 3 and 6.1)."""

    name = "korat"
    version = "1"

    def produce(self, task: Task) -> KoratProduction:
        """A streaming run; the seed has no influence."""
        from harness.generators.policies.korat.production import KoratProduction

        return KoratProduction(task)


class KoratOutcome:
    """The same states and inputs in the same order from fewer executions of rep_ok, by outcome pruning.

    A value on which rep_ok would answer no just as it did, every question it asks about it having
    the same answer, is skipped. So `explored` is less than Korat's; it hangs on the compiled engine.
    """

    name = "korat-outcome"
    version = "1"

    def produce(self, task: Task) -> KoratProduction:
        """A streaming run; the seed has no influence."""
        from harness.generators.policies.korat.production import KoratProduction

        return KoratProduction(task, outcomes=True)
