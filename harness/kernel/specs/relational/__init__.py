"""The relational language of invariants: what spec authors write, as trees, and what it means on one instance."""
