"""A run for people and for other tools: an HTML page, mutation-testing reports, suites as pytest files."""
