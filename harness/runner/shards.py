"""Shards divide the facts of an experiment by hashes of content, so that their processes need not communicate.

Each has a record: which part of which experiment it is, and the versions that it was begun with. SLURM runs all of them
as a job array.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from shlex import quote
from typing import Any

from harness.errors import UsageError
from harness.model.experiment import ExecutionMode, Experiment, Provenance
from harness.model.outcome import Mutant, MutantStatus, OracleName
from harness.model.pytest_suite import PYTEST, SCOPE, PytestSuite
from harness.store.database import FILE_NAME
from harness.store.tables import SHARD_FILE, read_shard_file, write_shard_file

MUTANTS_EACH = 16
"""A trial is spread over so many shards that each has this many of its mutants, as each runs the original, too."""

Identity = Sequence[str | int]
"""Subject, generator, suite, scope and seed of a trial (`harness.store.facts.SUITE`)."""


@dataclass(frozen=True)
class TrialShare:
    """The part of a trial that one shard runs.

    `mutants` are ids, and None stands for all mutants. `is_first` says whether the shard also finds the facts that
    belong to no mutant, such as coverage.
    """

    mutants: frozenset[str] | None = None
    is_first: bool = True

    def has(self, mutant: str) -> bool:
        """Return whether a mutant is run."""
        return self.mutants is None or mutant in self.mutants

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to do."""
        return not self.is_first and not self.mutants


WHOLE_SHARE = TrialShare()
"""The share of a run that is not divided."""


@dataclass(frozen=True)
class Shard:
    """One of `count` shards, by its number from 1.

    Raises:
        UsageError: there is no such shard.
    """

    number: int
    count: int

    def __post_init__(self) -> None:
        if not 1 <= self.number <= self.count:
            raise UsageError(
                f"there is no shard {self}; shards are numbered from 1/{self.count} to {self.count}/{self.count}"
            )

    @classmethod
    def of_text(cls, text: str) -> Shard:
        """Return the shard that a text such as `3/64` names.

        Raises:
            UsageError: it names none.
        """
        if not re.fullmatch(r"[0-9]{1,9}/[0-9]{1,9}", text):
            raise UsageError(f"a shard is written K/N, such as 3/64, not {text!r}")
        number, count = map(int, text.split("/"))
        if count == 0:
            raise UsageError(f"there is no shard {text}; give a number of shards from 1")
        return cls(number, count)

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    def share(self, trial: Identity, unit_of_mutant: Mapping[str, str]) -> TrialShare:
        """Return the share of this shard in a trial.

        The units of a trial are put in order by size and hash. Each goes to the shard that has the fewest mutants of
        the trial so far. A hash of the trial says at which shard this begins.

        Args:
            unit_of_mutant: by the id of each mutant, the name of its unit. A unit is not divided.
        """
        sizes = Counter(unit_of_mutant.values())
        name = json.dumps(list(trial))
        first = int.from_bytes(_hash(name)) % self.count
        loads = [0] * max(1, min(self.count, len(unit_of_mutant) // MUTANTS_EACH))
        own_units: set[str] = set()
        for unit in sorted(sizes, key=lambda unit: (-sizes[unit], _hash(name, unit))):
            place = loads.index(min(loads))
            loads[place] += sizes[unit]
            if (first + place) % self.count == self.number - 1:
                own_units.add(unit)
        own = frozenset(mutant for mutant, unit in unit_of_mutant.items() if unit in own_units)
        return TrialShare(own, first == self.number - 1)


WHOLE = Shard(1, 1)
"""The only shard of a run that is not divided."""


def units_of(generator: str, mode: ExecutionMode, mutants: Iterable[Mutant]) -> dict[str, str]:
    """Return the units of the mutants that are run, as `Shard.share` takes them.

    In a run of a pytest suite to the first kill, mutants of one function are a unit, as each is run first on the tests
    that killed those before it. Otherwise, each mutant is one.
    """
    is_learning = generator == PYTEST and mode is not ExecutionMode.MATRIX
    viable = [mutant for mutant in mutants if mutant.status is MutantStatus.VIABLE]
    return {mutant.id: mutant.function if is_learning else mutant.id for mutant in viable}


def _hash(*parts: str) -> bytes:
    return hashlib.sha256(json.dumps(parts).encode()).digest()


@dataclass(frozen=True)
class PlannedTrial:
    """A trial of an experiment under one oracle: what distinguishes it from the others of the experiment."""

    subject: str
    generator: str
    suite: str
    scope: int
    seed: int
    mode: str
    oracle: str

    def __str__(self) -> str:
        named = f" {self.suite}" if self.suite else ""
        return f"{self.subject} {self.generator}{named} scope {self.scope} seed {self.seed}"


@dataclass(frozen=True)
class ShardRecord:
    """Everything in which the shards of one experiment agree, and the number of this one, as `shard.json` has it.

    Attributes:
        shard: its number.
        of: the number of all.
        plan: the trials in the order of the experiment.
        settings: the settings of the experiment for all trials.
        complete: whether the shard has found all of its facts.
    """

    shard: int
    of: int
    experiment: str
    plan: tuple[PlannedTrial, ...]
    settings: dict[str, Any]
    mutascope: str
    commit: str | None
    python: str
    operators: str
    complete: bool = False

    @classmethod
    def begun(
        cls, shard: Shard, experiment: Experiment, plan: Sequence[PlannedTrial], provenance: Provenance
    ) -> ShardRecord:
        """Return the record of a shard that begins now."""
        return cls(
            shard.number,
            shard.count,
            experiment.name,
            tuple(plan),
            _settings(experiment),
            provenance.mutascope,
            provenance.git_commit,
            provenance.python,
            experiment.operators,
        )

    @classmethod
    def read(cls, folder: Path) -> ShardRecord:
        """Return the record in the folder of a shard.

        Raises:
            StoreError: there is none, or it was changed by hand.
        """
        content = read_shard_file(folder)
        plan = tuple(PlannedTrial(**trial) for trial in content["plan"])
        return cls(**{field.name: content[field.name] for field in fields(cls)} | {"plan": plan})

    def differences(self, other: ShardRecord) -> list[str]:
        """Return in words what differs between shards that cannot be merged."""
        pairs = {
            "experiment": (self.experiment, other.experiment),
            "number of shards": (self.of, other.of),
            "operator set": (self.operators, other.operators),
            "mutascope": (self.mutascope, other.mutascope),
            "commit": (self.commit, other.commit),
            "Python": (self.python, other.python),
        }
        differences = [f"{name} {mine} instead of {theirs}" for name, (mine, theirs) in pairs.items() if mine != theirs]
        if not differences and (self.plan, self.settings) != (other.plan, other.settings):
            differences.append("other trials or settings of the experiment")
        return differences

    def begin(self, folder: Path) -> None:
        """Write the record, or compare it with that of the run which is continued.

        Raises:
            UsageError: the folder has an ordinary run, or the shard of another run.
            StoreError: the record there was changed by hand, or cannot be written.
        """
        if not (folder / SHARD_FILE).exists():
            if (folder / FILE_NAME).exists():
                raise UsageError(f"{folder}: a run that is no shard is stored there; choose another output folder")
            write_shard_file(folder, asdict(self))
            return
        stored = ShardRecord.read(folder)
        differences = self.differences(stored)
        if (self.shard, self.of) != (stored.shard, stored.of):
            differences.insert(0, f"shard {self.shard}/{self.of} instead of {stored.shard}/{stored.of}")
        if differences:
            raise UsageError(f"{folder}: another shard is stored there ({differences[0]}); choose another folder")
        write_shard_file(folder, read_shard_file(folder) | asdict(self))

    def end(self, folder: Path) -> None:
        """Write that the shard has found all of its facts."""
        write_shard_file(folder, read_shard_file(folder) | asdict(replace(self, complete=True)))


def refuse_shard(folder: Path) -> None:
    """Refuse the folder of a shard as the folder of an ordinary run.

    Raises:
        UsageError: the folder has a shard.
    """
    if (folder / SHARD_FILE).exists():
        raise UsageError(
            f"{folder}: a shard is stored there; merge the shards (mutascope merge), or choose another output folder"
        )


def planned_suite(suite: PytestSuite, experiment: Experiment) -> PlannedTrial:
    """Return the trial of a pytest suite on one module."""
    mode, oracle = experiment.mode.value, OracleName.DIFFERENTIAL.value
    return PlannedTrial(suite.target, PYTEST, suite.name, SCOPE, suite.seed, mode, oracle)


def _settings(experiment: Experiment) -> dict[str, Any]:
    return {
        "approach": experiment.approach.value,
        "concrete": experiment.concrete,
        "observed": experiment.observed.value,
        "without_coverage": sorted(map(repr, experiment.without_coverage)),
        # The folder of a project may be another one on each machine.
        "suites": [json.loads(replace(suite, folder="").to_json()) for suite in experiment.suites],
    }


def slurm_script(experiment: Experiment, name: str, tasks: int, folder: Path | None = None) -> str:
    """Return the text of the job array.

    Args:
        name: the name or file of the experiment, as `mutascope shard` takes it.
        tasks: the number of shards.
        folder: what the folders of the shards lie below (default: results/<experiment>-shards).
    """
    place = quote(str(folder or Path("results") / f"{experiment.name}-shards"))
    return f"""\
#!/bin/bash
#SBATCH --job-name={quote(experiment.name)}
#SBATCH --array=1-{tasks}
#SBATCH --cpus-per-task=2
#SBATCH --mem-per-cpu=2G
#SBATCH --time=02:00:00
#SBATCH --requeue
# A task should take tens of minutes. A task that was ended continues when it is submitted again.
# When all have ended: mutascope merge {place}/*-of-{tasks}
# Activate the environment that has mutascope here.
mutascope shard {quote(name)} "$SLURM_ARRAY_TASK_ID/{tasks}" --jobs "$SLURM_CPUS_PER_TASK" \\
    --out {place}/"$SLURM_ARRAY_TASK_ID-of-{tasks}"
"""
