"""Generators of suites: plug-ins that make inputs for a spec and a scope. They need only the standard library."""
