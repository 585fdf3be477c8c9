"""Executes the specs of subjects, and describes them as data."""
