"""The process that runs suites on the original and on mutants, and what it is told and tells."""
