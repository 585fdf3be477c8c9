"""Chooses trials of a run by their subjects and generators."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from harness.did_you_mean import suggestion
from harness.errors import UsageError


@dataclass(frozen=True)
class TrialFilter:
    """The names of subjects and generators whose trials are taken; all of them where none is named.

    A subject is named as an experiment does, such as `ring_buffer`, or by its title in tables, such as `RingBuffer`.
    """

    subjects: tuple[str, ...] = ()
    generators: tuple[str, ...] = ()

    def takes(self, subject: str, title: str, generator: str) -> bool:
        """Return whether a trial of this subject, with its title, and this generator is taken."""
        is_of_subject = not self.subjects or subject in self.subjects or title in self.subjects
        return is_of_subject and (not self.generators or generator in self.generators)

    def check(self, trials: Iterable[tuple[str, str, str]]) -> None:
        """Check that a run has trials of each name.

        Args:
            trials: the subject, its title and the generator of each trial of the run.

        Raises:
            UsageError: the run has no trial of a name, or none of the names together.
        """
        triples = list(trials)
        titles = {title for _, title, _ in triples}
        subjects = dict.fromkeys(subject for subject, _, _ in triples)
        generators = dict.fromkeys(generator for _, _, generator in triples)
        for noun, names, used in (
            ("subject", [name for name in self.subjects if name not in titles], subjects),
            ("generator", self.generators, generators),
        ):
            for name in names:
                if name not in used:
                    raise UsageError(f"the run has no trial of the {noun} {name!r}; {suggestion(name, used)}")
        if triples and not any(self.takes(*triple) for triple in triples):
            pair = f"{', '.join(self.generators)} on {', '.join(self.subjects)}"
            raise UsageError(f"the run has no trial of {pair}; leave --subject or --generator out")


EVERY_TRIAL = TrialFilter()
"""Takes all trials of a run."""
