"""Runs of suites that people have: the project found and copied, mutants made, and judged by pytest in sandboxes."""
