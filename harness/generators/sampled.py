"""The samples that generators check by a second, slower implementation."""

from __future__ import annotations

from harness.model.sampled import Sample

SEQUENCE_SAMPLE = Sample(first=32, every=1024)
"""The sample of all generators of call sequences."""
STATE_SAMPLE = Sample(first=64)
"""The sample of valid states on which rep_ok must not change anything."""
