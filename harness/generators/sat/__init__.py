"""Instances of declarative invariants by incremental SAT (field_exhaustive2016, section 5)."""
