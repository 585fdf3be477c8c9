"""Generators of suites: plug-ins that turn a spec and a scope into inputs; standard library only."""
