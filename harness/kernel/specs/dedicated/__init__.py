"""Dedicated generators: checks that, while Korat searches, narrow the values it tries (exhaustive2003, section 5)."""
