"""Rules that generators of other packages keep, as tests that one derives a class from."""

from harness.conformance.generator_rules import GeneratorConformance

__all__ = ["GeneratorConformance"]
