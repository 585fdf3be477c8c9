"""Suites of sequences made in this process, for tests."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from support.generations import generation
from support.subjects import loaded

from harness.generators.protocol import SequenceGenerator, SequenceTask
from harness.generators.registry import find_generator, makes_sequences
from harness.generators.sequences.generate import generate_sequences
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.spec import Spec, load_spec
from harness.model.sequence import SequenceScope
from harness.runner.subjects import load_subject


def task_of(name: str, scope: int, change: Callable[[SequenceScope], object] = lambda bounds: None) -> SequenceTask:
    """Return the task for a shipped subject, with its bounds changed."""
    spec, module = loaded(name)
    bounds = spec.sequences(scope, load_subject(name).source)
    change(bounds)
    return SequenceTask(spec, module, bounds, scope, 0)


def shipped_task(name: str, scope: int) -> SequenceTask:
    """Return the task for a shipped subject with its text, which generators execute again."""
    return replace(task_of(name, scope), text=ModuleText.of(load_subject(name)))


def bounds_of(root: str, **methods: tuple[object, ...]) -> SequenceScope:
    """Bounds with methods and the domains of their arguments."""
    bounds = SequenceScope(root)
    for name, domains in methods.items():
        bounds.method(name, *domains)  # type: ignore[arg-type]
    return bounds


def task_of_text(implementation: str, bounds: SequenceScope, scope: int = 3) -> SequenceTask:
    """Return the task for a program given as text."""
    text = ModuleText("program", implementation, "program.py")
    spec = load_spec("def sequences(scope):\n    raise NotImplementedError\n", "spec.py")
    return SequenceTask(spec, execute(text), bounds.checked(), scope, 0, text=text)


def suite_of_text(
    folder: Path, generator: SequenceGenerator, text: str, bounds: SequenceScope, scope: int = 2, seed: int = 0
) -> tuple[SuiteReader, list[str]]:
    """Return the suite that a generator writes for a program given as text, and its notices."""
    spec = replace(task_of_text(text, bounds, scope).spec, sequences_of=lambda scope: bounds)
    notices: list[str] = []
    program = ModuleText("program", text, "program.py")
    options = {"scope": scope, "seed": seed, "notice": notices.append}
    return generated_sequences(folder / "suite", generator, spec, program, **options), notices


def generated_sequences(
    folder: Path, generator: str | SequenceGenerator, spec: str | Spec, program: str | ModuleText, **options: Any
) -> SuiteReader:
    """Return the suite that a generator makes for a spec and a program, of `bag.py` unless it is said.

    Options are those of a generation, and the loaded `module`; the scope is 3.
    """
    chosen = find_generator(generator) if isinstance(generator, str) else generator
    assert makes_sequences(chosen)
    spec = load_spec(spec, "spec.py") if isinstance(spec, str) else spec
    text = ModuleText("bag", program, "bag.py") if isinstance(program, str) else program
    module = options.pop("module", None) or execute(text)
    generate_sequences(chosen, generation(spec, module, text, folder, **{"subject": "bag", "scope": 3, **options}))
    return SuiteReader(folder)


def suite_of(folder: Path, generator: str, name: str, scope: int) -> SuiteReader:
    """Return the suite that a generator writes for a shipped subject."""
    spec, module = loaded(name)
    text = ModuleText("impl", load_subject(name).source, str(module.__file__))
    return generated_sequences(folder, generator, spec, text, module=module, subject=name, scope=scope)
