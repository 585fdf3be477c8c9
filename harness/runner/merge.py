"""Merges the shards of an experiment into the folder of an ordinary run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from harness.amounts import ranges
from harness.errors import StoreError, UsageError
from harness.runner.logs import report_line
from harness.runner.run_lock import locked
from harness.runner.shards import PlannedTrial, Shard, ShardRecord, refuse_shard, units_of
from harness.sandbox.folders import locked_folder
from harness.store.database import FILE_NAME
from harness.store.facts import KEY, StoredTrial, plain
from harness.store.run_store import RunStore, copy_trial

_NAMES = {
    "subject_hash": "source of the subject",
    "suite_digest": "suite digest",
    "mutant_set": "mutant set",
    "operator_set": "operator set",
    "generator_version": "version of the generator",
}
"""Names of fields of a trial's key for messages; of the others, the name of the field without underscores."""


@dataclass(frozen=True)
class Merged:
    """The outcome of a merge.

    Attributes:
        experiment: the name of the experiment.
        missing: what is missing, a line each.
    """

    folder: Path
    experiment: str
    missing: tuple[str, ...]


@dataclass(frozen=True)
class _Part:
    """A shard that is merged: its folder, its record and its store."""

    folder: Path
    record: ShardRecord
    store: RunStore

    def trial(self, planned: PlannedTrial) -> StoredTrial | None:
        """Return the latest trial that stands for one of the experiment; None if it has none."""
        trials = [
            trial
            for trial in self.store.trials.all()
            if all(plain(getattr(trial, name)) == value for name, value in vars(planned).items())
        ]
        return trials[-1] if trials else None


@dataclass(frozen=True)
class _Shares:
    """The facts of one trial that the shards of a merge have.

    Attributes:
        problems: reasons to refuse the merge, a line each.
        missing: what is not there, a line each.
        needed: the numbers of the shards that have a share in the trial.
    """

    key: str
    parts: tuple[_Part, ...]
    problems: tuple[str, ...]
    missing: tuple[str, ...]
    needed: frozenset[int]

    @property
    def is_complete(self) -> bool:
        """Whether all shards with a share in the trial have found it."""
        return self.needed <= {part.record.shard for part in self.parts if part.store.finished.has(self.key)}


def merge(folders: Sequence[Path], folder: Path | None = None, allow_missing: bool = False) -> Merged:
    """Join the facts of shards in `folder` (default: results/<experiment>), as one run would have stored them.

    A trial of which a share is missing stays unfinished: `run` finds the rest in the same folder.

    Args:
        allow_missing: whether to merge although something is missing.

    Raises:
        UsageError: the folders are not the shards of one experiment at one version, each once, and all of them. If
            there are several reasons, each is printed in a line.
        StoreError: a folder has no shard, or its facts were changed by hand; `folder` has a run already.
    """
    records = [ShardRecord.read(place) for place in folders]
    folder = folder or Path("results") / records[0].experiment
    _refuse([*_unlike(folders, records)])
    with _opened(folders, records) as parts:
        shares = _shares(parts)
        missing = [*_missing_shards(parts), *(line for trial in shares for line in trial.missing)]
        if not allow_missing:
            _refuse(missing, ", or give --allow-missing")
        _write(folder, parts, shares)
    return Merged(folder, records[0].experiment, tuple(missing))


def join(folders: Sequence[Path], store: RunStore, projects: Sequence[str]) -> None:
    """Join the facts of all shards of an experiment in a store that may have other trials, and results of these.

    Args:
        projects: as of `copy_trial`.

    Raises:
        UsageError: the shards have run different things.
    """
    with _opened(folders, [ShardRecord.read(place) for place in folders]) as parts:
        _copy(parts, _shares(parts), store, projects)


@contextmanager
def _opened(folders: Sequence[Path], records: Sequence[ShardRecord]) -> Iterator[list[_Part]]:
    """Open the stores of shards, in the order of their numbers."""
    with ExitStack() as opened:
        stores = [opened.enter_context(RunStore.open_existing(place, is_shard=True)) for place in folders]
        yield sorted(map(_Part, folders, records, stores), key=lambda part: part.record.shard)


def _shares(parts: Sequence[_Part]) -> list[_Shares]:
    """Return what there is of each trial of the experiment.

    Raises:
        UsageError: the shards have run different things.
    """
    shares = [shares for trial in parts[0].record.plan if (shares := _shares_of(trial, parts)) is not None]
    _refuse([problem for trial in shares for problem in trial.problems])
    return shares


def _refuse(problems: Sequence[str], otherwise: str = "") -> None:
    """Raise the only problem; print several, and raise their number. `otherwise` names another way out."""
    if len(problems) == 1:
        raise UsageError(problems[0] + otherwise)
    for problem in problems:
        report_line(problem)
    if problems:
        raise UsageError(f"nothing was merged; mend the {len(problems)} things above{otherwise}")


def _unlike(folders: Sequence[Path], records: Sequence[ShardRecord]) -> Iterator[str]:
    """Yield a line for each shard that is not of the first one's experiment and versions, or that is there twice."""
    seen: dict[int, Path] = {}
    for folder, record in zip(folders, records, strict=True):
        if differences := record.differences(records[0]):
            yield f"{folder}: {', '.join(differences)} of {folders[0]}; run this shard again as the others"
        elif record.shard in seen:
            yield f"{folder}: shard {record.shard}/{record.of} is {seen[record.shard]}, too; leave one of them out"
        seen.setdefault(record.shard, folder)


def _missing_shards(parts: Sequence[_Part]) -> Iterator[str]:
    """Yield a line on the shards that are not there, and one on those that are not finished."""
    count = parts[0].record.of
    there = {part.record.shard: part for part in parts}
    missing = [number for number in range(1, count + 1) if number not in there]
    unfinished = [number for number, part in there.items() if not part.record.complete]
    if missing:
        yield f"{len(missing)} of {count} shards are missing: {_to_run(missing)}"
    if unfinished:
        yield f"{len(unfinished)} of {count} shards are not finished: {_to_run(unfinished)}"


def _to_run(numbers: Sequence[int]) -> str:
    return f"{ranges(numbers)}; run them (in SLURM: --array={ranges(numbers)})"


def _shares_of(planned: PlannedTrial, parts: Sequence[_Part]) -> _Shares | None:
    """Return what there is of a trial; None if no shard has begun it."""
    pairs = [(part, trial) for part in parts if (trial := part.trial(planned)) is not None]
    if not pairs:
        return None
    first, stored = pairs[0]
    unlike = [
        f"{part.folder}: {planned} has another {_difference(trial, stored)} than in {first.folder}; run the shard again"
        for part, trial in pairs
        if trial.key != stored.key
    ]
    if unlike:
        return _Shares(stored.key, (), tuple(unlike), (), frozenset())
    identity = (planned.subject, planned.generator, planned.suite, planned.scope, planned.seed)
    units = units_of(stored.generator, stored.mode, first.store.mutants.of(stored.mutant_set))
    count = first.record.of
    shares = {number: Shard(number, count).share(identity, units) for number in range(1, count + 1)}
    problems: list[str] = []
    results: set[str] = set()
    for part, _ in pairs:
        own = part.store.results.finished_mutants(stored.key)
        surplus = sorted(mutant for mutant in own if not shares[part.record.shard].has(mutant))
        if surplus:
            problems.append(
                f"{part.folder}: {planned}: {len(surplus)} results are of other shards ({surplus[0]} is one); run this "
                "shard again into another folder"
            )
        results |= own
    left = [mutant for mutant in units if mutant not in results]
    missing = (
        (f"{planned}: {len(left)} of {len(units)} mutants have no result ({left[0]} is one); run their shards",)
        if left
        else ()
    )
    needed = frozenset(number for number, share in shares.items() if not share.is_empty)
    return _Shares(stored.key, tuple(part for part, _ in pairs), tuple(problems), missing, needed)


def _difference(trial: StoredTrial, other: StoredTrial) -> str:
    name = next(name for name in KEY if getattr(trial, name) != getattr(other, name))
    return _NAMES.get(name, name.replace("_", " "))


def _write(folder: Path, parts: Sequence[_Part], shares: Sequence[_Shares]) -> None:
    """Write the store into a folder of its own first: an interrupted merge leaves no half of a run."""
    with locked(folder):
        refuse_shard(folder)
        if (folder / FILE_NAME).exists():
            raise StoreError(f"{folder}: a run is stored there; choose another output folder")
        with locked_folder(folder) as work:
            with RunStore.open(work) as store:
                _copy(parts, shares, store)
            (work / FILE_NAME).replace(folder / FILE_NAME)


def _copy(parts: Sequence[_Part], shares: Sequence[_Shares], store: RunStore, projects: Sequence[str] = ()) -> None:
    for part in parts:
        for provenance in part.store.sessions.all():
            store.sessions.add(provenance)
        for failed in part.store.failures.all():
            store.failures.add(failed)
    for trial in shares:
        for part in trial.parts:
            copy_trial(part.store, store, trial.key, projects)
        if trial.is_complete:
            store.finished.add(trial.key)
