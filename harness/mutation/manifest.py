"""Pinned mutant sets: `mutants/<name>/<operator set>/`, two JSON-lines files per source, written at once or not at all.

`<hash>.jsonl` holds the mutants of the set and `<hash>.excluded.jsonl` those outside it, each with its
reason; `<hash>` is the first 12 hexadecimal digits of the source's sha256. An installed module has
other sources under other Python versions, so a folder may hold several sets.
"""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.checksums import FILE_NAME, is_changed, write_checksums
from harness.errors import ManifestError
from harness.model.outcome import Equivalence, EquivalenceArgument, Location, Mutant, MutantStatus
from harness.model.subject import Subject

NOT_SAMPLED = "not sampled"
_REASONS = {NOT_SAMPLED: MutantStatus.VIABLE, **{s.value: s for s in MutantStatus if s is not MutantStatus.VIABLE}}


@dataclass(frozen=True)
class Manifest:
    """A pinned set: `mutants` are run; `excluded` are listed only: not viable, or VIABLE but not sampled."""

    mutants: tuple[Mutant, ...]
    excluded: tuple[Mutant, ...]

    @property
    def ids(self) -> frozenset[str]:
        """Ids of all mutants, the excluded ones included."""
        return frozenset(mutant.id for mutant in (*self.mutants, *self.excluded))


def manifest_of(derived: Iterable[Mutant], sampled: Iterable[Mutant]) -> Manifest:
    """Return the set of the `sampled` mutants; all others of `derived` are excluded."""
    chosen = tuple(sampled)
    ids = {mutant.id for mutant in chosen}
    return Manifest(chosen, tuple(mutant for mutant in derived if mutant.id not in ids))


def write_manifest(folder: Path, source_hash: str, manifest: Manifest) -> Path:
    """Write both files, the pinned set last, and their checksums; return the path of the pinned set.

    Raises:
        ManifestError: the folder cannot be written.
    """
    pinned, excluded = _paths(folder, source_hash)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _replace(excluded, [{**_line(m), **_exclusion(m)} for m in manifest.excluded])
        _replace(pinned, [_line(m) for m in manifest.mutants])
        write_checksums(folder, [path.name for path in folder.glob("*.jsonl")])
    except OSError as error:
        description = f"cannot write the mutant set: {error.strerror}"
        raise ManifestError(f"{folder}: {description}; choose a writable folder") from None
    return pinned


def read_manifest(folder: Path, subject: Subject) -> Manifest | None:
    """Return the set pinned for the subject's source in the folder of one operator set.

    The result is None if nothing is pinned: there is no folder, an empty one, or an installed module in a version that
    the folder does not know. The caller then derives the mutants.

    Raises:
        ManifestError: the sets of the folder are for other sources of this subject (stale), or are not what was
            written.
    """
    pinned, excluded = _paths(folder, subject.source_hash)
    if not pinned.exists():
        names = sorted(path.name for path in folder.glob("*.jsonl"))
        if not names or subject.installed:
            return None
        raise ManifestError(
            f"{folder}: the mutants pinned there are of another {subject.source_path.name} (there is "
            f"{', '.join(names)}, the source needs {pinned.name}); restore the source, or {_pin_advice(subject)}"
        )
    if not excluded.exists():
        raise ManifestError(f"{excluded} is missing beside {pinned.name}; {_pin_advice(subject)}")
    try:
        for path in (pinned, excluded):
            if is_changed(path):
                raise ManifestError(
                    f"{path}: not what was pinned ({FILE_NAME} beside it tells); {_pin_advice(subject)}"
                )
        return Manifest(tuple(_read(pinned)), tuple(_read(excluded)))
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise ManifestError(f"{pinned}: no set of mutants ({error}); {_pin_advice(subject)}") from None


def _pin_advice(subject: Subject) -> str:
    argument = f"--target {subject.name}" if subject.is_module else subject.pinned_name
    return f"pin again: mutascope mutate {argument} --pin"


def _paths(folder: Path, source_hash: str) -> tuple[Path, Path]:
    short = source_hash[:12]
    return folder / f"{short}.jsonl", folder / f"{short}.excluded.jsonl"


def _line(mutant: Mutant) -> dict[str, Any]:
    at = mutant.location
    return {
        "id": mutant.id,
        "operator": mutant.operator,
        "function": mutant.function,
        "location": [at.line, at.column, at.end_line, at.end_column],
        "original": mutant.original,
        "replacement": mutant.replacement,
        "source_hash": mutant.source_hash,
    }


def _exclusion(mutant: Mutant) -> dict[str, Any]:
    reason = NOT_SAMPLED if mutant.status is MutantStatus.VIABLE else mutant.status.value
    fields = {"reason": reason, "same_as": mutant.same_as, "rule": mutant.rule}
    return {name: value for name, value in fields.items() if value is not None}


def _replace(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    part = path.with_name(f"{path.name}.part-{os.getpid()}")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _read(path: Path) -> Iterator[Mutant]:
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line:
            data = json.loads(line)
            status, location = _REASONS[data.pop("reason", NOT_SAMPLED)], Location(*data.pop("location"))
            yield Mutant(location=location, status=status, **data)


ARGUMENTS = "equivalence.toml"
_KEYS = ("mutant", "equivalence", "argument")


def read_equivalence(folder: Path, mutant_ids: Collection[str]) -> tuple[EquivalenceArgument, ...]:
    """Return the arguments of `folder`, in file order; none if there is no file.

    Args:
        mutant_ids: ids of the subject's mutants. A set derived for another version of an installed module
            has other ids; do not read the arguments for it.

    Raises:
        ManifestError: the file is not as described above, or argues for an unknown mutant or twice for one.
    """
    path = folder / ARGUMENTS
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


def sample(mutants: Iterable[Mutant], size: int, seed: int) -> list[Mutant]:
    """Return `size` of the viable mutants (all, if there are no more), in the order of `mutants`."""
    viable = [mutant for mutant in mutants if mutant.status is MutantStatus.VIABLE]
    if len(viable) <= size:
        return viable
    strata: dict[str, dict[str, list[Mutant]]] = defaultdict(lambda: defaultdict(list))
    for mutant in viable:
        strata[mutant.operator][mutant.function].append(mutant)
    counts = {operator: sum(map(len, functions.values())) for operator, functions in strata.items()}
    once = dict.fromkeys(counts, 1) if len(counts) <= size else {}
    extra = allot({name: count - once.get(name, 0) for name, count in counts.items()}, size - len(once))
    chosen: set[str] = set()
    for operator, functions in strata.items():
        share = once.get(operator, 0) + extra[operator]
        places = allot({name: len(members) for name, members in functions.items()}, share)
        for name, members in functions.items():
            members.sort(key=lambda mutant: hashlib.sha256(f"{seed}:{mutant.id}".encode()).digest())
            chosen.update(mutant.id for mutant in members[: places[name]])
    return [mutant for mutant in viable if mutant.id in chosen]


def allot(counts: Mapping[str, int], places: int) -> dict[str, int]:
    """Return `places` shared out in proportion to `counts`, by largest remainders; ties go by name.

    No share exceeds its count, and the shares sum to `places` (at most the sum of `counts`).
    """
    total = sum(counts.values())
    places = min(places, total)
    if not total:
        return dict.fromkeys(counts, 0)
    shares = {name: count * places // total for name, count in counts.items()}
    by_remainder = sorted(counts, key=lambda name: (-(counts[name] * places % total), name))
    for name in by_remainder[: places - sum(shares.values())]:
        shares[name] += 1
    return shares
