"""Chooses trials of a run by their subjects and generators."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from harness.did_you_mean import suggestion
from harness.errors import UsageError


@dataclass(frozen=True)
class TrialFilter:
    """The names of subjects and generators whose trials are taken; all of them where none is named."""

    subjects: tuple[str, ...] = ()
    generators: tuple[str, ...] = ()

    def takes(self, subject: str, generator: str) -> bool:
        """Return whether a trial of this subject and generator is taken."""
        return (not self.subjects or subject in self.subjects) and (not self.generators or generator in self.generators)

    def check(self, trials: Iterable[tuple[str, str]]) -> None:
        """Check that a run has trials of each name.

        Args:
            trials: the subject and the generator of each trial of the run.

        Raises:
            UsageError: the run has no trial of a name, or none of the names together.
        """
        pairs = list(trials)
        for noun, names, used in (
            ("subject", self.subjects, dict.fromkeys(subject for subject, _ in pairs)),
            ("generator", self.generators, dict.fromkeys(generator for _, generator in pairs)),
        ):
            for name in names:
                if name not in used:
                    raise UsageError(f"the run has no trial of the {noun} {name!r}; {suggestion(name, used)}")
        if pairs and not any(self.takes(*pair) for pair in pairs):
            generators, subjects = ", ".join(self.generators), ", ".join(self.subjects)
            raise UsageError(f"the run has no trial of {generators} on {subjects}; leave --subject or --generator out")


EVERY_TRIAL = TrialFilter()
"""Takes all trials of a run."""
