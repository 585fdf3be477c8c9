"""Finds out which calls can influence which: the static half of candidate sequence search (jtestcraft2010)."""
