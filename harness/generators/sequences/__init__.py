"""Generators of sequences of calls: one substrate, on which each is a small policy."""
