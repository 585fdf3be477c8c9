"""Suites to be made by generators that a test runs in its own process."""

from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from harness.generators.generation import Generation
from harness.kernel.program.loader import ModuleText
from harness.kernel.specs.spec import Spec

NO_TEXT = ModuleText("impl", "", "impl.py")


def generation(spec: Spec, module: ModuleType, text: ModuleText, folder: Path, **options: Any) -> Generation:
    """Return the generation of a suite in this folder, with seed 0 unless options say otherwise.

    The text gets the name of the module.
    """
    text = replace(text, name=module.__name__)
    options = {"subject": "own", "subject_hash": "", "seed": 0, **options}
    return Generation(spec=spec, module=module, text=text, folder=folder, **options)
