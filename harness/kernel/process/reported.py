"""An error of the user's making, as a process reports it to its parent."""

from __future__ import annotations

from dataclasses import dataclass

from harness import errors
from harness.errors import MutascopeError

_LONGEST_MESSAGE = 4000


@dataclass(frozen=True)
class ReportedError:
    """The name of a class of harness.errors, and a message. The process that reports it may have run anything."""

    name: str
    message: str

    @classmethod
    def of(cls, error: MutascopeError) -> ReportedError:
        """Make the report of an error."""
        return cls(nearest_class(error).__name__, str(error))

    def error(self) -> MutascopeError:
        """Return the error to be raised, with a message of one line."""
        kind = vars(errors).get(self.name)
        if not (isinstance(kind, type) and issubclass(kind, MutascopeError)):
            kind = MutascopeError
        return kind(" ".join(self.message[:_LONGEST_MESSAGE].split()))


def nearest_class(error: MutascopeError) -> type[MutascopeError]:
    """Return the nearest class of harness.errors: plug-ins may derive others, which the parent does not know."""
    classes = (cls for cls in type(error).__mro__ if vars(errors).get(cls.__name__) is cls)
    return next((cls for cls in classes if issubclass(cls, MutascopeError)), MutascopeError)
