"""Symbolic integers: constraints on them, values that decide by branching, and the paths of calls."""
