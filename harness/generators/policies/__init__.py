"""The built-in generators: each is a policy on a search of states, sequences, formulas or symbolic values."""
