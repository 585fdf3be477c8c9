"""Tables and figures of a run of one's own, paper or no paper."""
