"""Run suites on originals to observe them, in a sandboxed process."""
