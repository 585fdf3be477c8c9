"""The common basis of the generators of call sequences; each generator is a small policy on it."""
