"""Writes an experiment as a job array of SLURM: one task for each shard."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

from harness.model.experiment import Experiment


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
