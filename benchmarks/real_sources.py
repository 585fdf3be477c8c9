"""Fetches sources of real packages with their own tests, for `real_suites`: `python -m benchmarks.real_sources`.

They are stored in build/real_sources, in exactly these versions: files with another checksum are refused. pip fetches
source distributions. That of sortedcontainers has no tests, so they come with the sources that Debian keeps, fetched by
apt. CPython's tests are those of the interpreter that runs this.
"""

from __future__ import annotations

import hashlib
import platform
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from harness.errors import SourceError
from harness.runner.dask_shard import extract

FOLDER = Path(__file__).parent.parent / "build" / "real_sources"


@dataclass(frozen=True)
class Archive:
    """A file of sources: its name, its checksum, and the requirement or the address that it comes by."""

    name: str
    sha256: str
    requirement: str = ""
    address: str = ""


ARCHIVES = (
    Archive(
        "sortedcontainers_2.4.0.orig.tar.gz",
        "70e22f4fd29b204f75f989e3c1e847aa1de267a028aab4233c0db783aaff78c1",
        address="http://deb.debian.org/debian/pool/main/s/sortedcontainers/sortedcontainers_2.4.0.orig.tar.gz",
    ),
    Archive(
        "cachetools-8.0.1.tar.gz",
        "deb1d376d4d28c2f33f3e3058043b005e0af75c35c094bd54053e27d2906ad95",
        requirement="cachetools==8.0.1",
    ),
    Archive(
        "iniconfig-2.3.1.tar.gz",
        "67f4b9c50da0dedf52af349e7749a80a9057a5031199791b906c3bb3ae878960",
        requirement="iniconfig==2.3.1",
    ),
    Archive(
        "toolz-1.2.0.tar.gz",
        "9667a038e9d6ecba37995e26cb2f59ec6420b6ad8dd9677de59db9b956b08490",
        requirement="toolz==1.2.0",
    ),
)
PYTHON = "3.11.7"
PYTHON_TESTS = {
    "test_heapq.py": "5e21fe6c9e45314767b0112aa2e8ee5b7ede28e565f5de35538962af6bfa176c",
    "test_textwrap.py": "72e5da91dbb14d19811eb3daf529abe62e7ccbab3bc3bb313fbe3cd08f4e9a0f",
}
"""The checksums of files in the standard library's package `test`."""
_APT = "/usr/lib/apt/apt-helper"


def put_together(folder: Path) -> None:
    """Fetch missing files, check them, and unpack them.

    Raises:
        SourceError: a file cannot be fetched, or is another one.
    """
    fetched = folder / "archives"
    fetched.mkdir(parents=True, exist_ok=True)
    for archive in ARCHIVES:
        path = fetched / archive.name
        if not path.exists():
            _fetch(archive, fetched)
        check(path, archive.sha256)
        extract(path.read_bytes(), folder)
    tests = folder / f"cpython-{PYTHON}" / "tests"
    tests.mkdir(parents=True, exist_ok=True)
    (tests.parent / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")  # else this repository is their project
    for name, sha256 in PYTHON_TESTS.items():
        path = Path(sysconfig.get_path("stdlib")) / "test" / name
        check(path, sha256)
        shutil.copyfile(path, tests / name)


def check(path: Path, sha256: str) -> None:
    """Check that a file is the one that was measured.

    Raises:
        SourceError: it is missing, or another one.
    """
    if not path.is_file():
        raise SourceError(f"{path}: no such file; run this with CPython {PYTHON} and its package `test`")
    if hashlib.sha256(path.read_bytes()).hexdigest() != sha256:
        raise SourceError(f"{path}: not the file of the pinned version; remove it, or use CPython {PYTHON}")


def _fetch(archive: Archive, folder: Path) -> None:
    path = folder / archive.name
    if archive.requirement:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
        command += ["--dest", str(folder), archive.requirement]
    else:
        command = [_APT, "download-file", archive.address, str(path), f"SHA256:{archive.sha256}"]
    try:
        result = subprocess.run(command, check=False, capture_output=True, encoding="utf-8")
        errors = result.stderr.strip().splitlines()
    except OSError as error:
        errors = [f"{command[0]}: {error.strerror}"]
    if not path.exists():
        where = archive.requirement or archive.address
        raise SourceError(f"{where} cannot be fetched ({(errors or ['no word'])[-1]}); put it at {path} yourself")


def main() -> int:
    """Provide the sources and print where they are."""
    try:
        put_together(FOLDER)
    except SourceError as error:
        print(f"real_sources: {error}", file=sys.stderr)
        return error.exit_status
    print(f"{FOLDER}: sources and tests of {len(ARCHIVES)} packages and of CPython {platform.python_version()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
