"""Compiles C text into a shared object, once per text and compiler."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from harness.generators.compiled.untranslatable import NoCompiler

FLAGS = ("-std=gnu11", "-O3", "-fPIC", "-shared", "-fno-math-errno", "-w")
ZIG_OPTIONS = ("-mcpu=baseline", "-g0")
"""By itself zig compiles for this very processor; other machines may share the folder of shared objects."""


@lru_cache(maxsize=1)
def compiler() -> tuple[tuple[str, ...], str]:
    """The command of the C compiler and its version: `cc`, else that of the wheel `ziglang`.

    Raises:
        NoCompiler: there is neither, or it does not tell its version.
    """
    found = shutil.which("cc")
    if found:
        command: tuple[str, ...] = (found,)
    elif importlib.util.find_spec("ziglang"):
        command = (sys.executable, "-m", "ziglang", "cc", *ZIG_OPTIONS)
    else:
        raise NoCompiler("no C compiler: neither cc nor the package ziglang is installed; install one of them")
    with TemporaryDirectory() as folder:
        told = subprocess.run(
            [*command, "--version"],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            env=_with_zig_caches(Path(folder), Path(folder)),
        )
    if told.returncode:
        said = told.stderr.strip()[-200:]
        raise NoCompiler(f"{' '.join(command)} --version fails: {said}; install another C compiler")
    return command, told.stdout


def shared_object(text: str, folder: Path) -> Path:
    """The shared object made from `text`, in `folder`; made now where it is not there yet.

    Raises:
        NoCompiler: there is no compiler, it rejects the text, or `folder` is not writable.
    """
    command, version = compiler()
    key = hashlib.sha256("\0".join([text, version, *FLAGS]).encode()).hexdigest()[:32]
    path = folder / f"{key}.so"
    if path.exists():
        return path
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder, prefix=".building-") as workplace:
            source, made = Path(workplace) / "search.c", Path(workplace) / "search.so"
            source.write_text(text, encoding="utf-8")
            ran = subprocess.run(
                [*command, *FLAGS, "-o", str(made), str(source)],
                capture_output=True,
                text=True,
                stdin=subprocess.DEVNULL,
                cwd=workplace,
                env=_with_zig_caches(folder / "zig", Path(workplace)),
            )
            if ran.returncode:
                raise NoCompiler(f"{' '.join(command)} rejects the translation: {_first_error(ran.stderr)}")
            made.replace(path)
    except OSError as error:
        raise NoCompiler(f"{folder}: compiled searches cannot be kept there ({error.strerror})") from None
    return path


def _with_zig_caches(common: Path, own: Path) -> dict[str, str]:
    """Zig takes seconds to make its runtime and stubs of the C library; it does once, and keeps them in `common`."""
    return {**os.environ, "ZIG_GLOBAL_CACHE_DIR": str(common), "ZIG_LOCAL_CACHE_DIR": str(own)}


def _first_error(said: str) -> str:
    lines = [line for line in said.splitlines() if "error" in line] or said.splitlines() or ["no message"]
    return lines[0][:300]
