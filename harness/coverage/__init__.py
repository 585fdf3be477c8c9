"""Statement and branch coverage: of a program while a suite runs, of a predicate while Korat searches."""
