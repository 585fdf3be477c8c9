"""One exception class per cause that the user can act on; each prints as one line."""

from pathlib import Path


class MutascopeError(Exception):
    """Base of everything the command line reports in one line.

    The message says what happened, where, and what to do. `exit_status` is 2 for wrong use
    and 1 for a finding that fails a check.
    """

    exit_status = 2


class UsageError(MutascopeError):
    """The request cannot be carried out as it stands: unknown name, scope below 1, bad option."""


class FailedTrialsError(UsageError):
    """Trials of a run failed, whose other trials are stored in `folder` by these keys."""

    def __init__(self, message: str, folder: Path, keys: tuple[str, ...]) -> None:
        super().__init__(message)
        self.folder = folder
        self.keys = keys


class SpecError(MutascopeError):
    """A subject's spec.py is unusable: missing parts, a raising or endless rep_ok, a forgotten field."""


class EndlessSpecError(SpecError):
    """Code of a spec did not return within its time, which a busy machine may make too short."""


class SourceError(MutascopeError):
    """A subject's implementation cannot be found, read or compiled, or ends the process that it is executed in."""


class ManifestError(MutascopeError):
    """A pinned mutant set is stale, foreign or unreadable."""


class StoreError(MutascopeError):
    """A run's folder is unwritable, or its store is corrupt, foreign or of another schema."""


class IncompleteRowsError(StoreError):
    """A mutant's row of kills is missing or ends too early: it died too often to be run on."""


class BaselineError(MutascopeError):
    """The original program fails its own inputs, or is not deterministic: nothing can be scored."""

    exit_status = 1


class InvariantError(MutascopeError):
    """A spec's declarative invariant allows a state that its rep_ok refuses."""

    exit_status = 1


class InstrumentError(MutascopeError):
    """The harness failed its own proof: the planted mutant survived, or the no-op mutant died."""

    exit_status = 1


OF_SUBJECT = (BaselineError, SpecError, SourceError)
"""The errors that a subject causes: its trial fails, and the other trials of a run go on."""
