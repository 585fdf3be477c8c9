"""The built-in generators; each is a policy for a search of states, sequences, formulas or symbolic values."""
