"""A run for people and for other tools: an HTML page, and reports in the mutation-testing schema."""
