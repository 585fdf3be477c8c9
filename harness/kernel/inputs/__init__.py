"""Test inputs: state spaces, suites on disk, and the objects that candidate vectors stand for."""
