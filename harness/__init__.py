"""Mutascope: how good is this way of making tests? (import package ``harness``)."""

__version__ = "0.2.0"
