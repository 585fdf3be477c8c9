"""Candidate sequence search: all paths of sequences in which each call may influence the last one (chapter 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.generators.policies.css.options import Options
from harness.generators.protocol import GeneratorWithOptions, SequenceTask
from harness.generators.symbolic import formulas
from harness.kernel.inputs.suites import InputKind

if TYPE_CHECKING:
    from harness.generators.influence.enumeration import CandidateEnumeration
    from harness.generators.policies.css.production import Production


class CandidateSequenceSearch(GeneratorWithOptions):
    """`css`, or with other options `css:partial_order=no,paths=50`.

    Each routine is a target. A path of a target is a test if all calls before it have influenced it, directly or
    through others. A sequence has `scope` calls after the constructor's, unless the spec bounds its length.
    """

    kind, options_class = "css", Options
    input_kind = InputKind.SEQUENCES
    imports: tuple[str, ...] = (
        "harness.generators.influence.enumeration",
        "harness.generators.influence.influence",
        "harness.generators.policies.css.production",
    )

    @property
    def version(self) -> str:
        """The version, which includes the version of z3, because the values that z3 finds depend on it."""
        return f"2 {formulas.version()}"

    def explore(self, task: SequenceTask) -> Production:
        """Start a run; see `SequenceGenerator.explore`."""
        from harness.generators.influence.enumeration import CandidateEnumeration
        from harness.generators.influence.influence import influence_of
        from harness.generators.policies.css.production import Production

        text = task.text
        sources = [] if text is None else [(one.name, one.source) for one in (text, *text.companions)]
        influence = influence_of(sources, task.bounds)
        most_calls = self._options.length or task.bounds.most_calls or task.scope + 1

        def candidates(target: int) -> CandidateEnumeration:
            return CandidateEnumeration(influence, task.bounds.routines, target, most_calls, self._options.switches())

        return Production(task, self._options, candidates)
