"""Measures that need executions beyond a stored run, such as coverage of parts of suites; each is cached."""
