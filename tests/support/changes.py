"""Asks git which files a working tree has, and which of them changed since a commit."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path


class NoSuchCommit(ValueError):
    """A reference of git names no commit with which the working tree has history in common."""


@dataclass(frozen=True)
class Changes:
    """The files of a working tree, and the difference from a commit. Untracked files count unless git ignores them."""

    files: frozenset[str]
    changed: frozenset[str]
    """Files that were added, edited or deleted. A file that was moved is deleted in one place and added in another."""

    @property
    def deleted(self) -> frozenset[str]:
        """The changed files that are no more."""
        return self.changed - self.files


def changes_since(root: Path, reference: str) -> Changes:
    """Compare the working tree with the commit at which its branch left the reference.

    Raises:
        NoSuchCommit: git finds no such commit.
    """
    try:
        (base,) = _git(root, "merge-base", "HEAD", reference).split()
    except (OSError, subprocess.CalledProcessError) as error:
        raise NoSuchCommit(
            f"git finds no commit {reference!r} that this branch could have left; name another one: "
            f"make test-changed BASE=HEAD"
        ) from error
    untracked = _paths(root, "ls-files", "--others", "--exclude-standard", "-z")
    changed = _paths(root, "diff", "--name-only", "--no-renames", "--relative", "-z", base) | untracked
    present = {file for file in _paths(root, "ls-files", "-z") | untracked if (root / file).is_file()}
    return Changes(frozenset(present), frozenset(changed))


def _paths(root: Path, *command: str) -> set[str]:
    return set(filter(None, _git(root, *command).split("\0")))


def _git(root: Path, *command: str) -> str:
    return subprocess.run(["git", *command], cwd=root, capture_output=True, encoding="utf-8", check=True).stdout
