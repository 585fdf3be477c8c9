"""Sequences of calls made by stateful testing with Hypothesis."""
