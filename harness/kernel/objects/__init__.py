"""Objects in memory: read past the program's own methods, walked, made, and written as bytes."""
