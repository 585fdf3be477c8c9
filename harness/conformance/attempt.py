"""Loads one subject in this process, and generates suites for it in a folder of its own."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import cast

from harness.generators.generate import generate
from harness.generators.generation import Generation
from harness.generators.policies.own.generator import OwnGenerator
from harness.generators.policies.own.subject import SubjectOfGenerator
from harness.generators.protocol import Generator
from harness.generators.registry import AnyGenerator, makes_sequences
from harness.generators.sequences.generate import generate_sequences
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.spec import Spec, load_spec
from harness.model.subject import Subject
from harness.runner.subjects import load_subject

Change = Callable[[Spec], Spec]


def as_it_is(spec: Spec) -> Spec:
    """Return the spec unchanged."""
    return spec


@dataclass(frozen=True)
class Attempt:
    """A generator on a subject at a scope, with a seed."""

    generator: AnyGenerator
    subject: Subject
    spec: Spec
    module: ModuleType
    scope: int
    seed: int

    @classmethod
    def on(
        cls, generator: AnyGenerator | OwnGenerator, subject: str, scope: int, seed: int, change: Change = as_it_is
    ) -> Attempt:
        """Load a subject, executing implementation and spec again; `change` makes another spec of it.

        Raises:
            MutascopeError: the subject cannot be loaded.
        """
        loaded = load_subject(subject)
        spec = change(load_spec(loaded.spec_source, str(loaded.spec_path)))
        module, text = execute(ModuleText.of(loaded)), ModuleText.of(loaded)
        if isinstance(generator, OwnGenerator):
            generator = generator.on(SubjectOfGenerator.of(spec, module, scope, text.source), scope, seed)
        return cls(generator, loaded, spec, module, scope, seed)

    def suite(self, folder: Path) -> SuiteReader:
        """Return the suite, written below `folder`.

        Raises:
            MutascopeError: the generator reports an error.
        """
        place = folder / "suite"
        generation = Generation(
            spec=self.spec,
            module=self.module,
            text=ModuleText.of(self.subject),
            subject=self.subject.name,
            subject_hash=self.subject.content_hash,
            scope=self.scope,
            seed=self.seed,
            folder=place,
        )
        if makes_sequences(self.generator):
            generate_sequences(self.generator, generation)
        else:
            generate(cast(Generator, self.generator), generation)
        return SuiteReader(place)

    def classes(self) -> dict[str, dict[str, object]]:
        """Return the attributes of the implementation's classes, by class name."""
        return {name: dict(vars(held)) for name, held in vars(self.module).items() if isinstance(held, type)}


@contextmanager
def empty_folder() -> Iterator[Path]:
    """Provide an empty folder for suites; the current folder and that of temporary files are an empty one meanwhile.

    Raises:
        AssertionError: something has been left in the empty one.
    """
    with tempfile.TemporaryDirectory() as room:
        suites, empty = Path(room, "suites"), Path(room, "empty")
        suites.mkdir()
        empty.mkdir()
        before = tempfile.tempdir
        tempfile.tempdir = str(empty)
        try:
            with chdir(empty):
                yield suites
        finally:
            tempfile.tempdir = before
            left = sorted(os.listdir(empty))
        if left:
            raise AssertionError(f"files are left behind: {', '.join(left)}; remove them, or write none")
