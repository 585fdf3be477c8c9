"""Checking that methods do what a spec says, on all inputs within a scope (exhaustive2003, section 6)."""
