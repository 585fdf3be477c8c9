"""Baseline and self-checks, scheduling, executors: from trials to facts in the store."""
