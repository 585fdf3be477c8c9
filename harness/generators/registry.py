"""Finds generators, built in or from other packages through the entry points `mutascope.generators`."""

from __future__ import annotations

import re
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from harness.did_you_mean import named_in, suggestion
from harness.errors import UsageError
from harness.generators.protocol import AnyGenerator, SequenceGenerator
from harness.kernel.inputs.suites import InputKind
from harness.model.details import are_details
from harness.plug_ins import load_plug_in, names_with_plug_ins, package_paths, plug_ins

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "mutascope.generators"
_PACKAGE = "harness.generators"

BUILT_IN: dict[str, str] = {
    "korat": "korat.generator:Korat",
    "korat-outcome": "korat.generator:KoratOutcome",
    "korat-dedicated": "korat.dedicated:KoratDedicated",
    "brute-force": "brute_force:BruteForce",
    "beapi": "beapi:Beapi",
    "beapi-sm": "beapi:SM",
    "beapi-bld": "beapi:BLD",
    "beapi-noopt": "beapi:NOOPT",
    "rostra": "beapi:Rostra",
    "symstra": "symstra.generator:Symstra",
    "css": "css.generator:CandidateSequenceSearch",
    "random": "random.generator:RandomSequences",
    "hypothesis-stateful": "hypothesis.stateful:StatefulSequences",
    "korat-plus": "korat.generator:KoratPlus",
    "one-per-class": "korat.generator:OnePerClass",
    "field-exhaustive": "field_exhaustive:FieldExhaustive",
    "sat-exhaustive": "sat_exhaustive:SatExhaustive",
    "hypothesis": "hypothesis.states:DrawnStates",
}
"""The module in `policies` and the class or function of each generator, by name; imported at the first use."""


_PARTS = ("input_kind", "imports", "with_parameter", "repeating")
"""The parts of `GeneratorBase`, from which generators derive."""
SEEDLESS = frozenset(
    (
        *("korat", "korat-outcome", "korat-dedicated", "korat-plus", "one-per-class", "brute-force"),
        *("beapi", "beapi-sm", "beapi-bld", "beapi-noopt", "rostra"),
    )
)
"""Built-in generators that draw nothing: with any seed, their suites are the same."""

CHECKS: dict[str, str] = {"sat": "sat.extension:can_be_read"}
"""By the first word of details, the function that validates them; details with other words are only shown."""


def generator_names() -> list[str]:
    """Return the names that `find_generator` accepts, built-in ones first."""
    return names_with_plug_ins(list(BUILT_IN), ENTRY_POINTS)


def find_generator(name: str) -> AnyGenerator:
    """Return the generator called `name`; a built-in one takes precedence over a plug-in of the same name.

    `FILE.py:NAME` is a function in a file of the user, and `FILE.jsonl` a suite (`policies.own.generator`).

    A parameter after a colon, as in `random:5000`, is read by the generator (`GeneratorBase.with_parameter`). A
    plug-in's entry point names a class or function that returns the generator when called without arguments, or a
    function `generate(subject, scope, seed)` that yields inputs.

    Raises:
        UsageError: there is no such generator, or the plug-in cannot be loaded.
    """
    if is_own(name):
        generator_of_user: AnyGenerator = named_in(f"{_PACKAGE}.policies", "own.generator:own_generator")(name)
        return generator_of_user
    own, colon, parameter = name.partition(":")
    if colon:
        return find_generator(own).with_parameter(parameter)
    if name in BUILT_IN:
        return _built_in(name)
    entry = plug_ins(ENTRY_POINTS).get(name)
    if entry is None:
        raise UsageError(f"unknown generator {name!r}; {suggestion(name, generator_names(), 'mutascope list')}")
    generator: AnyGenerator = load_plug_in(entry, "generator", partial(_of_plug_in, entry))
    missing = [part for part in ("name", "version", *_PARTS) if not hasattr(generator, part)]
    if not any(hasattr(generator, method) for method in ("produce", "explore", "inputs")):
        missing.append("produce")
    if missing or generator.name != name:
        wrong = f"lacks {', '.join(missing)}" if missing else f"calls itself {generator.name!r}"
        raise UsageError(f"generator {name!r} ({entry.value}) {wrong}; harness.generators.protocol says how")
    return generator


def is_plug_in(name: str) -> bool:
    """Return True for the name of a generator that is not built in: a user's, or one of another package."""
    return is_own(name) or name.partition(":")[0] not in BUILT_IN


def is_own(name: str) -> bool:
    """Return True for the name of a generator, or of a suite, in a file of the user."""
    file, _, function = name.partition(":")
    return (file.endswith(".py") and bool(function)) or file.endswith(".jsonl")


def without_options(name: str) -> str:
    """Return the name of a generator without its options: `mine.py:generate` for `mine.py:generate:most=5`."""
    parts = name.split(":")
    return ":".join(parts[: 2 if parts[0].endswith(".py") else 1])


def plug_in_paths(name: str) -> list[Path]:
    """Return the folders or files with the package of a plug-in, which may be installed anywhere; else nothing."""
    own = name.partition(":")[0]
    entry = None if own in BUILT_IN or is_own(name) else plug_ins(ENTRY_POINTS).get(own)
    return [] if entry is None else package_paths(entry.module)


def _of_plug_in(entry: EntryPoint, loaded: Any) -> Any:
    """Return the generator of a class or function that an entry point names."""
    as_function = named_in(f"{_PACKAGE}.policies", "own.generator:installed_generator")
    return as_function(entry.name, entry.module, loaded) or loaded()


@cache
def _built_in(name: str) -> AnyGenerator:
    generator: AnyGenerator = named_in(f"{_PACKAGE}.policies", BUILT_IN[name])()
    return generator


def can_be_read(details: Any) -> bool:
    """Return True if data from a process that has run a program under test are valid details of a suite."""
    if not are_details(details):
        return False
    return all(
        named_in(_PACKAGE, place)(details)
        for word, place in CHECKS.items()
        if any(name.startswith(f"{word}.") for name in details)
    )


def generator_words(name: str) -> str:
    """Return a generator's name as part of the name of a file: `random-5000` for `random:5000`."""
    return re.sub(r"[:,=/\\]", "-", name)


def uses_seed(name: str) -> bool:
    """Return True if the suites of a generator may depend on the seed; so may those of a plug-in."""
    return name.partition(":")[0] not in SEEDLESS and not is_file_of_calls(name)


def is_file_of_calls(name: str) -> bool:
    """Return whether the suites of a generator are read from a file of calls."""
    return name.partition(":")[0].endswith(".jsonl")


def makes_sequences(generator: AnyGenerator) -> TypeGuard[SequenceGenerator]:
    """Return whether the generator makes call sequences."""
    return generator.input_kind is InputKind.SEQUENCES
