"""The generator `random`: random call sequences, directed by feedback."""
