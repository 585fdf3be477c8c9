"""Puts the limit of recursion back, which judging sets."""

import sys

import pytest


@pytest.fixture(autouse=True)
def recursion_limit():
    limit = sys.getrecursionlimit()
    yield
    sys.setrecursionlimit(limit)
