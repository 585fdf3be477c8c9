"""Arguments for the equivalence of a run's mutants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness import resources
from harness.errors import UsageError
from harness.model.mutant import EquivalenceArgument
from harness.model.pytest_suite import PYTEST
from harness.mutation.equivalence import FILE_NAME
from harness.runner.subjects import load_subject

if TYPE_CHECKING:
    import pandas as pd


def arguments_of(trials: pd.DataFrame) -> dict[str, dict[str, EquivalenceArgument]]:
    """Return by subject and mutant why it is held to be equivalent on the inputs that the spec allows.

    There is none for a source changed since the run, and none for the module of a pytest suite.
    """
    hashes = trials[trials["generator"] != PYTEST].groupby("subject")["source_hash"]
    return {str(name): found for name, group in hashes if (found := _of_subject(str(name), set(group)))}


def _of_subject(name: str, source_hashes: set[str]) -> dict[str, EquivalenceArgument]:
    from harness.mutation.operator_sets import OPERATOR_SETS
    from harness.runner import mutant_set

    try:
        subject = load_subject(name)
    except UsageError:
        return {}  # a subject of elsewhere: its run can be looked at nevertheless
    if source_hashes != {subject.source_hash}:
        return {}
    if not any((folder / FILE_NAME).exists() for folder in resources.mutants_folders(subject)):
        return {}
    if not any(mutant_set.mutant_set(subject, operators).pinned for operators in OPERATOR_SETS):
        return {}  # another version of an installed module: its mutants have other ids
    return {argument.mutant: argument for argument in mutant_set.equivalence_arguments(subject)}
