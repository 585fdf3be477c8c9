"""Processes that code under test runs in, seen from outside: started, spoken to, and always ended."""
