"""Mutascope: mutation-testing evaluation of test generators and test suites (import package ``harness``)."""

__version__ = "0.2.1"
