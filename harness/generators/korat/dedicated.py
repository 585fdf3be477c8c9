"""The `korat-dedicated` generator: Korat over the predicate that a spec offers with dedicated generators."""

from __future__ import annotations

from dataclasses import replace

from harness.errors import SpecError
from harness.generators.korat.generator import KoratProduction
from harness.generators.protocol import Task

PREDICATE = "rep_ok_dedicated"


class KoratDedicated:
    """The same states and inputs as `korat`, found with `rep_ok_dedicated` (exhaustive2003, section 5).

    Their order is the same, too, where that predicate reads fields in the order of rep_ok. Targets
    with a precondition of their own, and structures as arguments, are searched as by `korat`.
    """

    name = "korat-dedicated"
    version = "1"

    def produce(self, task: Task) -> KoratProduction:
        """A streaming run; the seed has no influence.

        Raises:
            SpecError: the spec offers no such predicate.
        """
        predicate = vars(task.spec.module).get(PREDICATE)
        if not callable(predicate):
            raise SpecError(
                f"{task.spec.module.__file__} has no function {PREDICATE}, which {self.name} searches by; "
                f"write it with harness.spec's dedicated generators, or choose --generator korat"
            )
        # Without a workshop: narrowing is the reference engine's.
        return KoratProduction(replace(task, spec=replace(task.spec, rep_ok=predicate), workshop=None))
