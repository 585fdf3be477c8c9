"""A pytest plugin that runs slow tests first, and a sample of them on demand; another commit has another sample."""

import hashlib
import subprocess
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option of this plugin."""
    parser.addoption(
        "--sample",
        type=int,
        metavar="N",
        help="run one in N of the tests marked slow, chosen by the hash of the commit",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the slow tests that are in no sample; order the others so that no worker ends with a slow one."""
    items.sort(key=lambda item: not is_slow(item))
    one_in = config.getoption("--sample")
    if one_in:
        commit = current_commit(config.rootpath)
        left_out = {item for item in items if is_slow(item) and number_of(item.nodeid, commit) % one_in}
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print which sample was run."""
    one_in = config.getoption("--sample")
    if one_in:
        commit = current_commit(config.rootpath)[:8]
        terminalreporter.line(f"One in {one_in} of the tests marked slow was run: the sample of commit {commit}.")


def is_slow(item: pytest.Item) -> bool:
    """Return True for a test with the mark."""
    return item.get_closest_marker("slow") is not None


def number_of(name: str, commit: str) -> int:
    """Return the number that decides if a test is in the sample of a commit."""
    return int.from_bytes(hashlib.sha256(f"{commit} {name}".encode()).digest())


def current_commit(root: Path) -> str:
    """Return the hash of the commit that is checked out in a folder, or "no commit" outside a repository."""
    command = ["git", "rev-parse", "--verify", "HEAD"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else "no commit"
