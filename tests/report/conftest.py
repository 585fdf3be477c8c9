"""Tests of the page in a browser exist only where a browser is; tests that export suites have a cache of their own."""

import pytest
from support.chromium import browser

IN_A_BROWSER = "pages/test_page_in_chromium.py"
collect_ignore = [] if browser() else [IN_A_BROWSER]


def pytest_report_header() -> str:
    """Says which browser looks at the page, or that none does."""
    return f"report page: {browser() or f'no Chromium is installed, so {IN_A_BROWSER} is left out'}"


@pytest.fixture
def cache_of_these_tests(tmp_path_factory, monkeypatch):
    """Suites are made once for all tests that export them, and never taken from elsewhere."""
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path_factory.getbasetemp() / "suites"))
