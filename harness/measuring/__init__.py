"""Measure statement and branch coverage, condition outcomes and classes of inputs, each in a sandboxed process."""
