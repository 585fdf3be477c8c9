"""Search for the states that satisfy a predicate, by three engines that find the same states."""
