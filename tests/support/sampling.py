"""A pytest plugin that runs a sample of the tests with a mark; another commit has another sample."""

import hashlib
import subprocess
from pathlib import Path

import pytest

Sample = tuple[str, int]
"""A mark, and N where one in N of the tests with that mark runs."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option of this plugin."""
    parser.addoption(
        "--sample",
        action="append",
        default=[],
        type=sample,
        metavar="MARK=N",
        help="run one in N of the tests with this mark, chosen by the hash of the commit; may be given several times",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests that are in no sample."""
    samples: list[Sample] = config.getoption("--sample")
    if samples:
        commit = current_commit(config.rootpath)
        left_out = [item for item in items if not all(in_sample(item, commit, each) for each in samples)]
        config.hook.pytest_deselected(items=left_out)
        unwanted = set(left_out)
        items[:] = [item for item in items if item not in unwanted]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the samples that were run."""
    samples: list[Sample] = config.getoption("--sample")
    if samples:
        shares = ", ".join(f"one in {share} of the tests marked {mark}" for mark, share in samples)
        terminalreporter.line(f"Samples of commit {current_commit(config.rootpath)[:8]} were run: {shares}.")


def sample(text: str) -> Sample:
    """Read MARK=N."""
    mark, _, share = text.partition("=")
    if not mark or not share.isdecimal() or int(share) < 1:
        raise ValueError(text)
    return mark, int(share)


def in_sample(item: pytest.Item, commit: str, of_mark: Sample) -> bool:
    """Return False for a test with the mark that is not among the one in N."""
    mark, share = of_mark
    return item.get_closest_marker(mark) is None or number_of(item.nodeid, commit) % share == 0


def number_of(name: str, commit: str) -> int:
    """Return the number that decides if a test is in the sample of a commit."""
    return int.from_bytes(hashlib.sha256(f"{commit} {name}".encode()).digest())


def current_commit(root: Path) -> str:
    """Return the hash of the commit that is checked out in a folder, or "no commit" outside a repository."""
    command = ["git", "rev-parse", "--verify", "HEAD"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else "no commit"
