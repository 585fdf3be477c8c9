"""Declares the options that several commands have, and the options that must be given together with others."""

from __future__ import annotations

from harness.command_line.command import Option, Requirement
from harness.command_line.kinds import FLAG, FOLDER, GENERATOR_NAME, POSITIVE, SCOPE, SEED, SUBJECT_NAME, TEXT, choice
from harness.model.outcome import OracleName
from harness.model.score import ScorePolicy

JSON = Option("--json", FLAG, about="print JSON instead of text")
"""An option of every command."""

SUBJECT = Option("SUBJECT", SUBJECT_NAME, "subject", is_required=True)
RUN = Option("DIR", FOLDER, "folder", "of a run", is_required=True)
GENERATOR = Option("--generator", GENERATOR_NAME, "generator", default="korat")
ONE_SCOPE = Option("--scope", SCOPE, "scope", "bound on input size, from 1", is_required=True)
ONE_SEED = Option("--seed", SEED, "seed", default=0)
SUITE = (GENERATOR, ONE_SCOPE, ONE_SEED)
JOBS = Option("--jobs", POSITIVE, "jobs", metavar="J", default_text="all cores")

POLICIES = {policy.name.replace("_", "-").lower(): policy for policy in ScorePolicy}
ORACLES = choice([oracle.value for oracle in OracleName])
POLICY = Option("--policy", choice(POLICIES), "policy", "of scores", default=next(iter(POLICIES)))
ORACLE = Option("--oracle", ORACLES, "oracle", "whose results", default=OracleName.DIFFERENTIAL.value)

OF_SUBJECTS = Option("--subject", SUBJECT_NAME, "subjects", "only trials of a subject, or several", is_list=True)
OF_GENERATORS = Option(
    "--generator", GENERATOR_NAME, "generators", "only trials of a generator, or several", is_list=True
)
PAPER_OR_RUN = Option("PAPER|DIR", TEXT, "paper", "a paper, or the folder of a run")
FROM = Option("--from", FOLDER, "folder", "a run's folder")
TABLE = Option("--table", TEXT, "table", "one table only", metavar="T")
TABLE_OF_COMPARISON = Option("--table", TEXT, about=TABLE.about, metavar=TABLE.metavar)
FORMAT = Option("--format", choice(["md", "csv", "latex", "html"]), default="md", default_text="")
FIGURES = Option("--figures", FOLDER, about="draw them, too, into this folder")

PIN = Requirement(("--pin",), "--size says how many mutants to pin; give --pin as well")
SAMPLE_TO_PIN = Requirement(("--pin",), "--seed draws the sample to pin; give --pin as well")
MODULE_OF_MUTANTS = Requirement(("--target",), "--tests and --block go with --target; leave them out")
ON_SUBJECT = Requirement(("--subject",))
ON_MODULE = Requirement(("--target",))
ON_DASK = Requirement(("--executor dask",), "{option} is for a cluster; give --executor dask with it")
ON_EITHER = Requirement(("--subject", "--target"))
AS_CODE = Requirement(("--export code",), "{option} is for sequences as tests by hand; give --export code with it")
