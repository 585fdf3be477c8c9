"""One strict codec of dataclasses to JSON and back."""
