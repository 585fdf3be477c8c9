"""Whether a mutant can be told from the original: equality, state keys, the oracle."""
