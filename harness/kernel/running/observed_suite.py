"""Loads the suite that a process observes."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from harness.errors import UsageError
from harness.kernel.process.headway import Headway
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.program.recursion import limit_recursion
from harness.kernel.running.loaded_suite import LoadedSuite, LoadedSuiteRequest
from harness.kernel.specs.spec import Spec


def observed_suite(
    request: LoadedSuiteRequest,
    headway: Headway,
    spec: Callable[[], Spec] | None = None,
    executed: Callable[[ModuleText], ModuleType] = execute,
) -> LoadedSuite:
    """Load a suite and the original that runs it, as `LoadedSuite.of`, and limit how deep the original may call itself.

    Raises:
        MutascopeError: spec, implementation or suite is unusable; the suite has no inputs.
    """
    loaded = LoadedSuite.of(request, headway.begins, spec, executed)
    if not len(loaded.suite):
        raise UsageError(f"{request.suite}: a suite of zero inputs tells nothing; generate one at a larger scope")
    headway.begins(f"executing {request.implementation.filename} on its suite")
    limit_recursion()
    return loaded
