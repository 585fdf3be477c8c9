"""Objects in memory: read past the program's own methods, made, and written as canonical bytes."""
