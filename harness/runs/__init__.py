"""A stored run as one looks at it: its frames, tables and figures."""
