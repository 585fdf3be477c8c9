"""Suites as files of pytest: each input with the outcome that the original had."""
