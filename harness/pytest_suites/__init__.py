"""Runs in the sandbox in which a pytest suite is judged; needs pytest and the standard library."""
