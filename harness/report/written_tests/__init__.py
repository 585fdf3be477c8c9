"""Sequences of calls as the tests that a person would write: chosen, recorded on the original, named and laid out."""
