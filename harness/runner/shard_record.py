"""The record of a shard: which part of which experiment it is, and the versions that it was begun with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from harness.errors import UsageError
from harness.model.experiment import Experiment, Provenance
from harness.model.outcome import OracleName
from harness.model.pytest_suite import PYTEST, SCOPE, PytestSuite
from harness.runner.shards import Shard
from harness.store.connect import FILE_NAME
from harness.store.finished_shares import SHARD_FILE, read_shard_file, write_shard_file

_COMPLETE = "complete"


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
    """Everything in which the shards of one experiment agree, and the number of this one.

    Attributes:
        plan: the trials in the order of the experiment.
        settings: the settings of the experiment for all trials.
        is_complete: whether the shard has found all of its facts.
    """

    shard: Shard
    experiment: str
    plan: tuple[PlannedTrial, ...]
    settings: dict[str, Any]
    mutascope: str
    commit: str | None
    python: str
    operators: str
    is_complete: bool = False

    @classmethod
    def of(
        cls, shard: Shard, experiment: Experiment, plan: Sequence[PlannedTrial], provenance: Provenance
    ) -> ShardRecord:
        """Return the record of a shard that begins now."""
        return cls(
            shard,
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
        fields = {name: content[name] for name in ("experiment", "settings", "mutascope", "commit", "python")}
        plan = tuple(PlannedTrial(**trial) for trial in content["plan"])
        shard = Shard(content["shard"], content["of"])
        return cls(shard=shard, plan=plan, operators=content["operators"], is_complete=content[_COMPLETE], **fields)

    def differences(self, other: ShardRecord) -> list[str]:
        """Return in words what differs between shards that cannot be merged."""
        pairs = {
            "experiment": (self.experiment, other.experiment),
            "number of shards": (self.shard.count, other.shard.count),
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
            self._write(folder, {}, is_complete=False)
            return
        stored = ShardRecord.read(folder)
        differences = self.differences(stored)
        if self.shard != stored.shard:
            differences.insert(0, f"shard {self.shard} instead of {stored.shard}")
        if differences:
            raise UsageError(f"{folder}: another shard is stored there ({differences[0]}); choose another folder")
        self._write(folder, read_shard_file(folder), is_complete=False)

    def complete(self, folder: Path) -> None:
        """Write that the shard has found all of its facts."""
        self._write(folder, read_shard_file(folder), is_complete=True)

    def _write(self, folder: Path, content: dict[str, Any], *, is_complete: bool) -> None:
        fields = {name: getattr(self, name) for name in ("experiment", "settings", "mutascope", "commit", "python")}
        plan = {"plan": [asdict(trial) for trial in self.plan], "operators": self.operators}
        shard = {"shard": self.shard.number, "of": self.shard.count, _COMPLETE: is_complete}
        write_shard_file(folder, content | fields | plan | shard)


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
