"""The generator `random`: sequences of calls that are drawn, with feedback."""
