"""C code that is compiled once and run in child processes."""
