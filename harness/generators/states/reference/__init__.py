"""Korat's search in Python (exhaustive2003, sections 3 and 4): what the other engines are held against."""
