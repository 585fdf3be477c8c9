"""Decides whether a mutant can be distinguished from the original: equality, state keys, the oracle."""
