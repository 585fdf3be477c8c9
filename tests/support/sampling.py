"""A pytest plugin that runs a sample of the expensive tests; another commit has another sample."""

from __future__ import annotations

import hashlib
import subprocess

import pytest
from support.marks import SAMPLED, is_expensive


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option of this plugin."""
    parser.addoption(
        "--one-in",
        type=int,
        metavar="N",
        help=f"run one in N of the tests marked {', '.join(SAMPLED)}, chosen by the hash of the commit",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the expensive tests that are not in the sample."""
    share: int | None = config.getoption("--one-in")
    if share is not None:
        commit = current_commit(config)
        left_out = [item for item in items if is_expensive(item) and not in_sample(item.nodeid, commit, share)]
        config.hook.pytest_deselected(items=left_out)
        unwanted = set(left_out)
        items[:] = [item for item in items if item not in unwanted]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say that a sample was run."""
    share: int | None = config.getoption("--one-in")
    if share is not None:
        terminalreporter.line(
            f"One in {share} of the tests marked {', '.join(SAMPLED)} was run, chosen by the hash of the commit "
            f"({current_commit(config)[:8]}). CI runs all of them."
        )


def in_sample(name: str, commit: str, share: int) -> bool:
    """Return True for a test that belongs to the sample of a commit."""
    return int.from_bytes(hashlib.sha256(f"{commit} {name}".encode()).digest()) % share == 0


def current_commit(config: pytest.Config) -> str:
    """Return the hash of the commit that is checked out, or "no commit" outside a repository."""
    command = ["git", "rev-parse", "--verify", "HEAD"]
    done = subprocess.run(command, cwd=config.rootpath, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else "no commit"
