"""Executors answer orders: the local one by forked workers on this machine."""
