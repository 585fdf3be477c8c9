"""A process from within: confined, watched, telling how far it has come."""
