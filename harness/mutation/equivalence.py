"""Arguments for equivalence, kept by hand in `mutants/<name>/equivalence.toml`.

A file looks like this::

[[arguments]]
mutant = "ROR:23:12:a<=b"
equivalence = "proven"        # or "suspected"
argument = "a and b are never equal here, because ..."
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any

from harness.errors import ManifestError
from harness.model.mutant import Equivalence, EquivalenceArgument

FILE_NAME = "equivalence.toml"
_KEYS = ("mutant", "equivalence", "argument")


def read_equivalence(folder: Path, mutant_ids: Collection[str]) -> tuple[EquivalenceArgument, ...]:
    """Return the arguments of `folder`, in file order; none if there is no file.

    Args:
        mutant_ids: ids of the subject's mutants. A set derived for another version of an installed module
            has other ids; do not read the arguments for it.

    Raises:
        ManifestError: the file is not as described above, or argues for an unknown mutant or twice for one.
    """
    path = folder / FILE_NAME
    if not path.exists():
        return ()
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ManifestError(f"{path}: {error}; correct the file") from None
    entries = data.pop("arguments", [])
    if data or not isinstance(entries, list):
        raise ManifestError(f"{path}: holds [[arguments]] only; correct the file")
    arguments: dict[str, EquivalenceArgument] = {}
    for number, entry in enumerate(entries, start=1):
        argument = _argument(f"{path}: argument {number}", entry)
        if argument.mutant not in mutant_ids:
            description = f"argument {number} is for {argument.mutant!r}, no mutant of this source"
            raise ManifestError(f"{path}: {description}; correct its id")
        if argument.mutant in arguments:
            raise ManifestError(f"{path}: argument {number} is the second one for {argument.mutant!r}; keep one")
        arguments[argument.mutant] = argument
    return tuple(arguments.values())


def _argument(where: str, entry: Any) -> EquivalenceArgument:
    if not isinstance(entry, dict) or set(entry) != set(_KEYS) or not all(isinstance(v, str) for v in entry.values()):
        raise ManifestError(f"{where} needs exactly the texts {', '.join(_KEYS)}; correct the file")
    try:
        equivalence = Equivalence(entry["equivalence"])
    except ValueError:
        equivalence = Equivalence.UNKNOWN
    if equivalence is Equivalence.UNKNOWN:
        word = entry["equivalence"]
        raise ManifestError(f"{where}: equivalence is 'suspected' or 'proven', not {word!r}; correct the file")
    if not entry["argument"].strip():
        raise ManifestError(f"{where}: the argument is empty; say why the mutant is equivalent")
    return EquivalenceArgument(entry["mutant"], equivalence, entry["argument"])
