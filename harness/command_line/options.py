"""Declares the options that several commands have."""

from __future__ import annotations

from harness.command_line.command import Option
from harness.command_line.kinds import FLAG, FOLDER, GENERATOR_NAME, POSITIVE, SCOPE, SEED, SUBJECT_NAME, TEXT, choice
from harness.model.outcome import OracleName, ScorePolicy

JSON = Option("--json", FLAG, "print JSON instead of text")
"""An option of every command."""

SUBJECT = Option("SUBJECT", SUBJECT_NAME, "the name of a subject, or its folder", is_required=True)
RUN = Option("DIR", FOLDER, "of a run", is_required=True)
GENERATOR = Option("--generator", GENERATOR_NAME, "with options after a colon", default="korat")
ONE_SCOPE = Option("--scope", SCOPE, "bound on input size, from 1", is_required=True)
ONE_SEED = Option("--seed", SEED, default=0, default_text="0")
SUITE = (GENERATOR, ONE_SCOPE, ONE_SEED)
JOBS = Option("--jobs", POSITIVE, metavar="J", default_text="all cores")

POLICIES = {policy.name.replace("_", "-").lower(): policy for policy in ScorePolicy}
ORACLES = choice([oracle.value for oracle in OracleName])
POLICY = Option(
    "--policy", choice(POLICIES), "of scores", default=ScorePolicy.ALL_VIABLE, default_text=next(iter(POLICIES))
)
ORACLE = Option("--oracle", ORACLES, "whose results", default=OracleName.DIFFERENTIAL.value)

OF_SUBJECTS = Option("--subject", SUBJECT_NAME, "only trials of a subject, or several", default=(), is_list=True)
OF_GENERATORS = Option(
    "--generator", GENERATOR_NAME, "only trials of a generator, or several", default=(), is_list=True
)
PAPER_OR_RUN = Option("PAPER|DIR", TEXT, "a paper, or the folder of a run")
FROM = Option("--from", FOLDER, "a run's folder")
TABLE = Option("--table", TEXT, "one table only; a wrong name lists all", metavar="T")
FORMAT = Option("--format", choice(["md", "csv", "latex", "html"]), default="md", default_text="")
FIGURES = Option("--figures", FOLDER, "draw them, too, into this folder")
