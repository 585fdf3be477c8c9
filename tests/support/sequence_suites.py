"""Suites of sequences made in this process, for tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from harness.generators.registry import find_generator, makes_sequences
from harness.generators.sequences.generate import generate_sequences
from harness.generators.sequences.protocol import SequenceTask
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.spec import Spec, load_spec
from harness.model.sequence import SequenceScope
from harness.runner.subjects import load_subject


def loaded(name: str) -> tuple[Spec, ModuleType]:
    """The spec and the implementation of a shipped subject."""
    subject = load_subject(name)
    return load_spec(subject.spec_source, str(subject.spec_path)), execute(ModuleText.of(subject))


def task_of(name: str, scope: int, change: Callable[[SequenceScope], object] = lambda bounds: None) -> SequenceTask:
    """What to generate for a shipped subject, its bounds changed."""
    spec, module = loaded(name)
    bounds = spec.sequences(scope, load_subject(name).source)
    change(bounds)
    return SequenceTask(spec, module, bounds, scope, 0)


def task_of_text(implementation: str, bounds: SequenceScope, scope: int = 3) -> SequenceTask:
    """What to generate for a program given as text."""
    module = execute(ModuleText("program", implementation, "program.py"))
    spec = load_spec("def sequences(scope):\n    raise NotImplementedError\n", "spec.py")
    return SequenceTask(spec, module, bounds.checked(), scope, 0)


def suite_of(folder: Path, generator: str, name: str, scope: int) -> SuiteReader:
    """The suite that a generator writes for a shipped subject."""
    spec, module = loaded(name)
    found = find_generator(generator)
    assert makes_sequences(found)
    generate_sequences(
        found, spec, module, source=load_subject(name).source, source_path=str(module.__file__), subject=name,
        subject_hash="", scope=scope, seed=0, folder=folder,
    )  # fmt: skip
    return SuiteReader(folder)
