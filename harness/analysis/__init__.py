"""Turns a stored run into frames, scores, kill matrices and plots by pure functions, which trust checked frames."""
