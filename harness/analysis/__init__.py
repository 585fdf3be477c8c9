"""From a stored run to frames, scores, kill matrices and plots; pure functions behind one checked border."""
