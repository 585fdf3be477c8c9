"""What a subject's API makes beside what its invariant describes (beapi2023, section 4.3)."""
