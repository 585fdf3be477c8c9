"""The `korat-dedicated` generator: Korat over the predicate that a spec offers with dedicated generators."""

from __future__ import annotations

from dataclasses import replace

from harness.errors import SpecError
from harness.generators.korat.production import KoratProduction
from harness.generators.protocol import Task

SUFFIX = "_dedicated"
PREDICATE = f"rep_ok{SUFFIX}"


class KoratDedicated:
    """The same states and inputs as `korat`, found with `rep_ok_dedicated` (exhaustive2003, section 5).

    Their order is the same, too, where that predicate reads fields in the order of rep_ok. Likewise a
    target's own precondition `name` is searched by `name_dedicated`, where the spec has one. Structures
    as arguments are searched as by `korat`.
    """

    name = "korat-dedicated"
    version = "1"

    def produce(self, task: Task) -> KoratProduction:
        """A streaming run; the seed has no influence.

        Raises:
            SpecError: the spec offers no such predicate.
        """
        names = vars(task.spec.module)
        predicate = names.get(PREDICATE)
        if not callable(predicate):
            raise SpecError(
                f"{task.spec.module.__file__} has no function {PREDICATE}, which {self.name} searches by; "
                f"write it with harness.spec's dedicated generators, or choose --generator korat"
            )
        # Without a workshop: narrowing is the reference engine's.
        finitization = task.finitization.requiring(
            lambda requires: names.get(f"{getattr(requires, '__name__', '')}{SUFFIX}", requires)
        )
        spec = replace(task.spec, rep_ok=predicate)
        return KoratProduction(replace(task, spec=spec, finitization=finitization, workshop=None))
