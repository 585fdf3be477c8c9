"""Compiles C source into a shared object, once per source and compiler."""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import os
import platform
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from harness.generators.states.native.untranslatable import NoCompiler
from harness.kernel.process.trees import AS_FOLDER, OWN_FOLDER_PREFIX

FLAGS = ("-std=gnu11", "-O3", "-fPIC", "-shared", "-fno-math-errno", "-w")
ZIG_OPTIONS = ("-mcpu=baseline", "-g0")
"""By default zig compiles for this very processor, but other machines may share the folder of shared objects."""
COMPILE_SECONDS = 120
"""The limit of the processor time of each process of a compiler, and of the time that it takes: hundreds of times the
usual time.
"""
_LONGEST = 300


@lru_cache(maxsize=1)
def compiler() -> tuple[tuple[str, ...], str]:
    """Return the command of the C compiler and its version: `cc`, else that of the wheel `ziglang`.

    Raises:
        NoCompiler: there is neither, or it does not print its version.
    """
    executable = shutil.which("cc")
    if executable:
        command: tuple[str, ...] = (executable,)
    elif importlib.util.find_spec("ziglang"):
        command = (sys.executable, "-m", "ziglang", "cc", *ZIG_OPTIONS)
    else:
        raise NoCompiler("no C compiler: neither cc nor the package ziglang is installed; install one of them")
    with TemporaryDirectory() as folder:
        return command, _output((*command, "--version"), Path(folder), Path(folder))


def shared_object(text: str, folder: Path) -> Path:
    """Return the shared object made from `text`, in `folder`; make it if it is missing.

    Raises:
        NoCompiler: there is no compiler, or it rejects the text; or `folder` is not writable.
    """
    command, version = compiler()
    ingredients = [text, version, sys.platform, platform.machine(), *FLAGS]
    path = folder / f"{hashlib.sha256(chr(0).join(ingredients).encode()).hexdigest()[:32]}.so"
    try:
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            with TemporaryDirectory(prefix=OWN_FOLDER_PREFIX, dir=folder) as own, _in_use(own):
                source, library = Path(own) / "search.c", Path(own) / "search.so"
                source.write_text(text, encoding="utf-8")
                _output((*command, *FLAGS, "-o", str(library), str(source)), Path(own), folder / "zig")
                if not library.is_file():
                    raise NoCompiler(f"{command[0]} makes no library; correct it, or install another C compiler")
                library.replace(path)
    except OSError as error:
        raise NoCompiler(f"{folder}: compiled searches cannot be kept there ({error.strerror})") from None
    return path


@contextmanager
def _in_use(folder: str) -> Iterator[None]:
    """Lock a folder, so that no run beside this one takes it for left by a killed one."""
    descriptor = os.open(folder, AS_FOLDER)
    try:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)


def _output(command: Sequence[str], folder: Path, common: Path) -> str:
    """Run a compiler's command to its end, and return what it prints.

    Args:
        folder: the folder in which it runs.
        common: where zig keeps its runtime and stubs of the C library, because making them takes seconds.

    Raises:
        NoCompiler: it does not start, or fails.
    """
    environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": str(common), "ZIG_LOCAL_CACHE_DIR": str(folder)}
    try:
        ran = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=environment,
            preexec_fn=_limit_processor_time,
            encoding="utf-8",
            errors="replace",
            timeout=COMPILE_SECONDS,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise NoCompiler(f"{command[0]} does not run to its end ({error}); install another C compiler") from None
    if ran.returncode:
        lines = ran.stdout.splitlines()
        complaint = next((line for line in [*(line for line in lines if "error" in line), *lines] if line.strip()), "")
        why = complaint.strip()[:_LONGEST] or f"exit status {ran.returncode}"
        raise NoCompiler(f"{command[0]} fails: {why}; correct it, or install another C compiler")
    return ran.stdout


def _limit_processor_time() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    most = COMPILE_SECONDS if hard == resource.RLIM_INFINITY else min(COMPILE_SECONDS, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))
