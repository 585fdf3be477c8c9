"""Generators on Hypothesis: drawn states, and rules of its state machines."""
