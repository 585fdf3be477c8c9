"""What authors of subjects write, executed, and told as data."""
