"""Generators and suites of users: a function in a file of their own, or a file with one list of calls in each line."""
