"""The generator `symstra`: sequences of calls with symbolic arguments."""
