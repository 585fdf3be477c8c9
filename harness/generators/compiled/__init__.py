"""The compiled engine: rep_ok translated from Python to C, with Korat's search around it."""
