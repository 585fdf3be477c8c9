"""The generators there are: built in, or from other packages through the entry points `mutascope.generators`."""

from __future__ import annotations

import re
from importlib.metadata import EntryPoint, entry_points
from typing import TypeAlias, TypeGuard

from harness.errors import UsageError
from harness.generators.beapi.generator import CONFIGURATIONS
from harness.generators.brute_force import BruteForce
from harness.generators.css.generator import CandidateSequenceSearch
from harness.generators.drawn_states import DrawnStates
from harness.generators.korat.dedicated import KoratDedicated
from harness.generators.korat.generator import Korat, KoratOutcome
from harness.generators.korat.plus import KoratPlus, OnePerClass
from harness.generators.protocol import Generator
from harness.generators.random.generator import RandomSequences
from harness.generators.rostra.generator import Rostra
from harness.generators.sat.field_exhaustive import FieldExhaustive
from harness.generators.sat.sat_exhaustive import SatExhaustive
from harness.generators.sequences.protocol import SequenceGenerator
from harness.generators.stateful.generator import StatefulSequences
from harness.generators.symstra.generator import Symstra

AnyGenerator: TypeAlias = Generator | SequenceGenerator

ENTRY_POINTS = "mutascope.generators"

BUILT_IN: tuple[AnyGenerator, ...] = (
    Korat(),
    KoratOutcome(),
    KoratDedicated(),
    BruteForce(),
    *CONFIGURATIONS,
    Rostra(),
    Symstra(),
    CandidateSequenceSearch(),
    RandomSequences(),
    StatefulSequences(),
    KoratPlus(),
    OnePerClass(),
    FieldExhaustive(),
    SatExhaustive(),
    DrawnStates(),
)


def generator_names() -> list[str]:
    """Names that `find_generator` knows, built-in ones first."""
    built_in = [generator.name for generator in BUILT_IN]
    return built_in + sorted(set(_plug_ins()) - set(built_in))


def find_generator(name: str) -> AnyGenerator:
    """The generator called `name`; a built-in one goes before a plug-in of the same name.

    Behind a colon stands a parameter, as in `random:5000`, of a generator that has `with_parameter(text)`. One of which
    the suites hang on more than their names, as on a limit of time, has `repeating(inputs)`, the generator that makes
    a suite of so many inputs again. A plug-in's entry point names a class or function that, called without arguments,
    gives the generator.

    Raises:
        UsageError: there is none, or the plug-in cannot be loaded.
    """
    own, colon, parameter = name.partition(":")
    if colon:
        return _with_parameter(find_generator(own), parameter)
    for generator in BUILT_IN:
        if generator.name == name:
            return generator
    entry = _plug_ins().get(name)
    if entry is None:
        raise UsageError(f"unknown generator {name!r}; there are: {', '.join(generator_names())}")
    try:
        made: AnyGenerator = entry.load()()
    except Exception as error:
        raise UsageError(
            f"generator {name!r} ({entry.value}) cannot be loaded: {type(error).__name__}: {error}; "
            f"repair or uninstall its package"
        ) from error
    missing = [part for part in ("name", "version") if not hasattr(made, part)]
    if not hasattr(made, "produce") and not makes_sequences(made):
        missing.append("produce")
    if missing or made.name != name:
        wrong = f"lacks {', '.join(missing)}" if missing else f"calls itself {made.name!r}"
        raise UsageError(f"generator {name!r} ({entry.value}) {wrong}; harness.generators.protocol says how")
    return made


def _with_parameter(generator: AnyGenerator, parameter: str) -> AnyGenerator:
    make = getattr(generator, "with_parameter", None)
    if make is None:
        raise UsageError(f"generator {generator.name!r} takes nothing behind a colon; leave out ':{parameter}'")
    made: AnyGenerator = make(parameter)
    return made


def generator_words(name: str) -> str:
    """A generator's name as part of the name of a file: `random-5000` of `random:5000`."""
    return re.sub(r"[:,=]", "-", name)


def makes_sequences(generator: AnyGenerator) -> TypeGuard[SequenceGenerator]:
    """Whether the inputs that it makes are sequences of calls."""
    return hasattr(generator, "explore")


def _plug_ins() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=ENTRY_POINTS)}
