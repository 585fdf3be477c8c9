"""The states of a suite as text and as pictures: graphs of objects, extensions of fields, differences of invariants."""
