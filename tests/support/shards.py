"""Runs of an experiment in shards, and what is compared with the run of a whole."""

from collections.abc import Iterable
from pathlib import Path

from harness import api
from harness.model.experiment import Experiment
from harness.runner.merge import Merged
from harness.store import RunStore
from harness.store.run_store import export_facts


def run_in_shards(experiment: Experiment, root: Path, count: int, numbers: Iterable[int] = ()) -> list[Path]:
    """Run shards (default: all of them) in folders of their own below `root`; return the folders."""
    chosen = list(numbers) or range(1, count + 1)
    return [api.shard(experiment, f"{number}/{count}", root / f"{number}", jobs=1).folder for number in chosen]


def merged_shards(experiment: Experiment, root: Path, count: int) -> Merged:
    """Run all shards and merge them."""
    return api.merge(run_in_shards(experiment, root, count), root / "merged")


def everything_of(folder: Path) -> tuple[str, list[str]]:
    """Return what a merged run has in common with the run of a whole.

    These are the facts as text, and the trials in the order of the experiment.
    """
    with RunStore.open_existing(folder) as store:
        keys = [row["key"] for row in store.database.select("SELECT key FROM trial ORDER BY number")]
    return export_facts(folder), keys
