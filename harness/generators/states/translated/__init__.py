"""The engine that translates rep_ok from Python to C, with Korat's search around it."""
