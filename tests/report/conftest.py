"""Tests of the page in a browser are there where a browser is."""

from __future__ import annotations

from support.chromium import browser

IN_A_BROWSER = "test_page_in_chromium.py"
collect_ignore = [] if browser() else [IN_A_BROWSER]


def pytest_report_header() -> str:
    """Says which browser looks at the page, or that none does."""
    return f"report page: {browser() or f'no Chromium is installed, so {IN_A_BROWSER} is left out'}"
