"""The engine that searches in C and calls rep_ok in Python."""
