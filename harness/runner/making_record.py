"""Tell where and when a suite is made: its seconds depend on that."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from harness.kernel.inputs.suites import SuiteHeader
from harness.runner.provenance import processor

NOT_RECORDED = "a machine and a time that are not recorded"


@dataclass(frozen=True)
class MakingRecord:
    """A machine and the moment (UTC, ISO 8601) at which something begins to be made there."""

    machine: str
    began: str

    @classmethod
    def now(cls) -> MakingRecord:
        """Return the present moment on this machine."""
        return cls(processor(), datetime.now(UTC).isoformat(timespec="microseconds"))

    def origin_of(self, header: SuiteHeader) -> str | None:
        """Return where, how and when a suite was made; None if that was here, and since then."""
        if header.machine == self.machine and header.began >= self.began:
            return None
        if not header.began:
            return NOT_RECORDED
        engines = f"{' and '.join(header.engines)} engine{'s' * (len(header.engines) > 1)}" if header.engines else ""
        return ", ".join(filter(None, (header.machine, engines, header.began.partition("T")[0])))
