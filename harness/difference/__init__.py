"""Compares the structures of a subject's API with those that its invariant describes (beapi2023, section 4.3)."""
