"""Generators on an incremental SAT solver: field-exhaustive suites, and full enumeration (field_exhaustive2016)."""
