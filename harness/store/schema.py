"""The tables of `run.sqlite`: facts are inserted, never updated or deleted."""

from __future__ import annotations

APPLICATION_ID = 0x4D757473
"""`Muts` in ASCII: distinguishes our files from other SQLite databases."""

SCHEMA_VERSION = 14
"""A store of another version is read by the mutascope that wrote it."""

LATER_COLUMNS = ("oracle", "extension", "ended", "notices", "details")
"""Columns of `trial` that are not exported where they are NULL."""

KEYS = {
    "mutant_set": ("hash",),
    "mutant": ("mutant_set", "id"),
    "trial": ("key",),
    "suite_record": ("trial",),
    "instrument": ("trial",),
    "mutant_result": ("trial", "mutant"),
    "coverage": ("trial", "kind", "function"),
    "kill_row": ("trial", "mutant"),
    "probe_row": ("trial", "mutant"),
    "evidence": ("trial", "mutant"),
    "finish": ("trial",),
}
"""The columns that identify a row of each table of facts, the tables in the order of their references.

A fact is there once. The other tables depend on the machine: `session`, `fault`, `failure`, `renewal` and `timing`.
"""

ORDER = {name: ", ".join(key) for name, key in KEYS.items() if name != "suite_record"} | {
    "mutant": "mutant_set, line, column_, id",
    "trial": "subject, generator, scope, seed, key",
}
"""A total order of each table that the sources and seeds determine: all tables of facts but the one with a folder."""

TABLES = """
CREATE TABLE session (
    number INTEGER PRIMARY KEY,
    provenance TEXT NOT NULL
);
CREATE TABLE mutant_set (
    hash TEXT PRIMARY KEY,
    mutants INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE mutant (
    mutant_set TEXT NOT NULL REFERENCES mutant_set,
    id TEXT NOT NULL,
    operator TEXT NOT NULL,
    function TEXT NOT NULL,
    line INTEGER NOT NULL,
    column_ INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    end_column INTEGER NOT NULL,
    original TEXT NOT NULL,
    replacement TEXT NOT NULL,
    source_hash TEXT NOT NULL,
    status TEXT NOT NULL,
    same_as TEXT,
    PRIMARY KEY (mutant_set, id)
) WITHOUT ROWID;
CREATE TABLE trial (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    version TEXT NOT NULL,
    subject TEXT NOT NULL,
    title TEXT NOT NULL,
    generator TEXT NOT NULL,
    generator_version TEXT NOT NULL,
    scope INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    subject_hash TEXT NOT NULL,
    source_hash TEXT NOT NULL,
    suite_digest TEXT NOT NULL,
    inputs INTEGER NOT NULL,
    states INTEGER NOT NULL,
    explored INTEGER NOT NULL,
    inputs_by_target TEXT NOT NULL,
    operator_set TEXT NOT NULL,
    mutant_set TEXT NOT NULL REFERENCES mutant_set,
    mode TEXT NOT NULL,
    approach TEXT NOT NULL,
    concrete INTEGER NOT NULL,
    original_steps INTEGER,
    original_raised INTEGER,
    sequences TEXT,
    observed TEXT,
    oracle TEXT,
    extension INTEGER,
    ended TEXT,
    notices TEXT,
    details TEXT
);
CREATE TABLE instrument (
    trial TEXT PRIMARY KEY REFERENCES trial (key),
    original_inputs INTEGER NOT NULL,
    planted_reason TEXT NOT NULL,
    planted_phase TEXT NOT NULL,
    no_op_inputs INTEGER NOT NULL,
    no_op_steps INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE mutant_result (
    trial TEXT NOT NULL REFERENCES trial (key),
    mutant TEXT NOT NULL,
    verdict TEXT NOT NULL,
    inputs_run INTEGER NOT NULL,
    steps INTEGER,
    reason TEXT,
    phase TEXT,
    input INTEGER,
    detail TEXT NOT NULL,
    executed INTEGER,
    reached INTEGER,
    infected INTEGER,
    PRIMARY KEY (trial, mutant)
) WITHOUT ROWID;
CREATE TABLE fault (
    number INTEGER PRIMARY KEY,
    trial TEXT NOT NULL REFERENCES trial (key),
    mutant TEXT NOT NULL,
    inputs_run INTEGER NOT NULL,
    steps INTEGER,
    phase TEXT,
    input INTEGER,
    detail TEXT NOT NULL
);
CREATE TABLE coverage (
    trial TEXT NOT NULL REFERENCES trial (key),
    kind TEXT NOT NULL CHECK (kind IN ('code', 'spec')),
    function TEXT NOT NULL,
    statements INTEGER NOT NULL,
    statements_executed INTEGER NOT NULL,
    branches INTEGER NOT NULL,
    branches_executed INTEGER NOT NULL,
    PRIMARY KEY (trial, kind, function)
) WITHOUT ROWID;
CREATE TABLE kill_row (
    trial TEXT NOT NULL REFERENCES trial (key),
    mutant TEXT NOT NULL,
    inputs INTEGER NOT NULL,
    bits BLOB NOT NULL,
    PRIMARY KEY (trial, mutant)
);
CREATE TABLE probe_row (
    trial TEXT NOT NULL REFERENCES trial (key),
    mutant TEXT NOT NULL,
    reached BLOB NOT NULL,
    infected BLOB NOT NULL,
    PRIMARY KEY (trial, mutant)
);
CREATE TABLE suite_record (
    trial TEXT PRIMARY KEY REFERENCES trial (key),
    suite TEXT NOT NULL,
    source TEXT NOT NULL,
    tests TEXT NOT NULL,
    excluded TEXT NOT NULL,
    files TEXT
) WITHOUT ROWID;
CREATE TABLE evidence (
    trial TEXT NOT NULL REFERENCES trial (key),
    mutant TEXT NOT NULL,
    loaded INTEGER NOT NULL,
    entered INTEGER,
    PRIMARY KEY (trial, mutant)
) WITHOUT ROWID;
CREATE TABLE failure (
    number INTEGER PRIMARY KEY,
    subject TEXT NOT NULL,
    title TEXT NOT NULL,
    generator TEXT NOT NULL,
    scope INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    reason TEXT
);
CREATE TABLE renewal (
    number INTEGER PRIMARY KEY,
    trial TEXT NOT NULL REFERENCES trial (key),
    last_trial INTEGER NOT NULL
);
CREATE TABLE finish (
    trial TEXT PRIMARY KEY REFERENCES trial (key),
    results INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE timing (
    number INTEGER PRIMARY KEY,
    trial TEXT NOT NULL REFERENCES trial (key),
    what TEXT NOT NULL,
    seconds REAL NOT NULL,
    origin TEXT
);
CREATE INDEX timing_of_trial ON timing (trial, what);
CREATE INDEX fault_of_trial ON fault (trial, mutant);
"""
"""The tables. Trials that could not be run are failures; their reason is NULL once such a trial was run.

A renewal is of a trial that a run has asked for again after an edit was taken back. Its `last_trial` is the greatest
number of a trial that there was.
"""


def statements() -> list[str]:
    """Return the statements that create our tables in an empty database, to be run in one transaction."""
    created = [statement for statement in TABLES.split(";\n") if statement.strip()]
    refused = [
        f"CREATE TRIGGER no_{action.lower()}_of_{table} BEFORE {action} ON {table} "
        "BEGIN SELECT RAISE(ABORT, 'the store is append-only'); END"
        for table in (*KEYS, "session", "fault", "failure", "renewal", "timing")
        for action in ("UPDATE", "DELETE")
    ]
    marks = [f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {SCHEMA_VERSION}"]
    return [*created, *refused, *marks]
