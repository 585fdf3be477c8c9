"""Runs next to mutants: decodes candidates, rebuilds pre-states, judges, counts steps; standard library only."""
