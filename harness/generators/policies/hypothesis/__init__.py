"""Generators based on Hypothesis: drawn states, and call sequences of its state machines."""
