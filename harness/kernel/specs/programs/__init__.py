"""Programs as test inputs: which there are within a scope, and whether a tool has kept what they do."""
