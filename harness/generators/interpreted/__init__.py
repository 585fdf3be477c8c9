"""Korat's search in C around a predicate in Python: the interpreted engine."""
