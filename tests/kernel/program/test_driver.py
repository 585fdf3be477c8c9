"""An installed module that is called through a driver."""

import sys
from dataclasses import replace

import pytest

from harness.kernel.program.loader import DRIVER, ModuleText, execute

CALLED = ModuleText("xml.sax.saxutils", "def escape(text):\n    return text + '!'\n", "saxutils.py")
CALLER = ModuleText(DRIVER, "from xml.sax.saxutils import escape\n\ndef call():\n    return escape('a')\n", "driver.py")


@pytest.fixture(autouse=True)
def _modules_as_before(monkeypatch):
    import xml.sax.saxutils as own

    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.setattr(sys, "modules", sys.modules)
    monkeypatch.setitem(sys.modules, "xml.sax.saxutils", own)
    monkeypatch.setattr(sys.modules["xml.sax"], "saxutils", own)


def test_the_driver_is_what_is_loaded_and_calls_the_text_at_hand():
    text = replace(CALLED, companions=(CALLER,))
    assert execute(text).call() == "a!"
    assert execute(replace(text, source=text.source.replace("!", "?"))).call() == "a?"


def test_without_a_driver_the_module_itself_is_loaded():
    assert execute(CALLED).escape("a") == "a!"
