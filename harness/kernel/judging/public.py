"""The public oracle: a mutant is told by what its calls return or raise, as a test without a look inside tells it.

It is the differential oracle that looks at no state: neither rep_ok nor abstraction is asked what a call leaves.
Results are compared and steps are limited as there, so an input on which it kills kills under the differential oracle.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from harness.kernel.judging.oracle import Oracle
from harness.kernel.judging.prepared import Prepared
from harness.kernel.judging.sequence_oracle import SequenceOracle


class _LooksAtNoState:
    """All states are valid, and the same."""

    def _holds(self, prepared: Prepared) -> Any:
        return True

    def _state(self, prepared: Prepared, check: Callable[[Any], None] | None = None) -> bytes:
        return b""


class PublicOracle(_LooksAtNoState, Oracle):
    """Observes executions of state inputs."""


class PublicSequenceOracle(_LooksAtNoState, SequenceOracle):
    """Observes executions of sequences."""
