"""What a subject's spec.py imports: the vocabulary of finitizations, standard library only."""

from harness.model.finitization import ClassDomain, Finitization, Structures

__all__ = ["ClassDomain", "Finitization", "Structures"]
