"""The process that makes a suite imports what its generator needs."""

from __future__ import annotations

import subprocess
import sys

STATES = ("harness.generators.generate", "harness.generators.states.engine", "harness.generators.policies.own")


def test_a_process_that_makes_sequences_does_not_import_the_engines_of_states() -> None:
    code = "import harness.generators.process, sys; print(*sys.modules, sep='\\n')"
    imported = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, encoding="utf-8").stdout
    assert "harness.generators.registry" in imported.split()
    assert not set(STATES) & set(imported.split())
