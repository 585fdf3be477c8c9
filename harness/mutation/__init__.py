"""Mutants: operators, types and reach; metamutants; filters, samples and pinned sets (exhaustive2003, section 7.1)."""
