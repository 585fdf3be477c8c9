"""Declares the commands that divide an experiment between machines: `shard` and `merge`."""

from __future__ import annotations

from harness.command_line import calls, kinds, options, results
from harness.command_line.command import Command, CommandForm, NextCall, Option

SHARD_COMMAND = Command(
    "shard",
    "Run one of N shards of an experiment; an interrupted shard continues.",
    (
        Option("EXPERIMENT", kinds.TEXT, "name", "a name from 'list', or a .toml file", is_required=True),
        Option("K/N", kinds.TEXT, "shard", "the shard K of N, such as 3/64"),
        Option("--print-slurm", kinds.POSITIVE, "tasks", "print a job array of N tasks for SLURM instead"),
        options.JOBS,
        Option("--out", kinds.FOLDER, "folder", default_text="results/EXPERIMENT-shards/K-of-N"),
    ),
    (CommandForm("slurm_script", "--print-slurm"), CommandForm("experiment")),
    calls.shard,
    results.shard,
    then=NextCall("shard", ("K/N", "--jobs", "--out")),
    resumes=True,
)

MERGE_COMMAND = Command(
    "merge",
    "Join the facts of shards, as one run would have stored them.",
    (
        Option("DIR", kinds.FOLDER, "folders", "of shards", is_required=True, is_list=True),
        Option("--allow-missing", kinds.FLAG, "allow_missing", "list what is missing, and leave it to 'run'"),
        Option("--out", kinds.FOLDER, "folder", default_text="results/EXPERIMENT"),
    ),
    (CommandForm("merge"),),
    calls.call,
    results.merge,
)
