"""The naive witness of verdicts: executed in one process, judged in another that never runs a mutant."""
