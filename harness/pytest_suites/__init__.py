"""What runs in the sandbox where a suite of pytest is judged; needs pytest and the standard library."""
