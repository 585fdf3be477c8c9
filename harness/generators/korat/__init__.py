"""Korat: bounded-exhaustive search for the states that satisfy a predicate (exhaustive2003, sections 3 and 4)."""
