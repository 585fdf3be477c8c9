"""Compiles C source into a shared object, once per source and compiler, and checks it before it is loaded."""

from __future__ import annotations

import ctypes
import fcntl
import hashlib
import importlib.util
import os
import platform
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from tempfile import gettempdir, mkdtemp

from harness.generators.states.native.command import run_bounded
from harness.generators.states.native.untranslatable import NoCompiler
from harness.kernel.process.trees import AS_FOLDER, OWN_FOLDER_PREFIX, remove_tree

FLAGS = ("-std=gnu11", "-O3", "-fPIC", "-shared", "-fno-math-errno", "-w")
ZIG_OPTIONS = ("-mcpu=baseline", "-g0")
"""By default zig compiles for this very processor, but other machines may share the folder of shared objects."""
VERSION_SECONDS = 20.0
COMPILE_SECONDS = 120.0
"""Limits of wall-clock time, and of processor time for each process: hundreds of times the usual time."""
LOAD_SECONDS = 10


@lru_cache(maxsize=1)
def compiler() -> tuple[tuple[str, ...], str]:
    """Return the command of the C compiler and its version: `cc`, else that of the wheel `ziglang`.

    Raises:
        NoCompiler: there is neither, or it does not print its version in time.
    """
    executable = shutil.which("cc")
    if executable:
        command: tuple[str, ...] = (executable,)
    elif importlib.util.find_spec("ziglang"):
        command = (sys.executable, "-m", "ziglang", "cc", *ZIG_OPTIONS)
    else:
        raise NoCompiler("no C compiler: neither cc nor the package ziglang is installed; install one of them")
    with _workplace(Path(gettempdir())) as folder:
        environment = _with_zig_caches(folder, folder)
        version = run_bounded((*command, "--version"), VERSION_SECONDS, environment=environment)
    if version.status:
        raise NoCompiler(f"{' '.join(command)} --version fails: {version.complaint}; install another C compiler")
    return command, version.output


def shared_object(text: str, folder: Path) -> Path:
    """Return the shared object made from `text`, in `folder`; make it if it is missing or damaged.

    Its name contains the digest of its content, which is compared before loading, because loading a truncated file ends
    the process.

    Raises:
        NoCompiler: there is no compiler, it rejects the text, does not end, or makes a file that cannot be loaded; or
            `folder` is not writable.
    """
    command, version = compiler()
    ingredients = [text, version, sys.platform, platform.machine(), *FLAGS]
    key = hashlib.sha256("\0".join(ingredients).encode()).hexdigest()[:32]
    try:
        for path in folder.glob(f"{key}-*.so"):
            if path.name == _name(key, path):
                return path
            path.unlink(missing_ok=True)
        return _build(text, key, command, folder)
    except OSError as error:
        raise NoCompiler(f"{folder}: compiled searches cannot be kept there ({error.strerror})") from None


def _build(text: str, key: str, command: tuple[str, ...], folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    with _workplace(folder) as workplace:
        source, library = workplace / "search.c", workplace / "search.so"
        source.write_text(text, encoding="utf-8")
        environment = _with_zig_caches(folder / "zig", workplace)
        order = (*command, *FLAGS, "-o", str(library), str(source))
        ran = run_bounded(order, COMPILE_SECONDS, workplace, environment)
        if ran.status:
            raise NoCompiler(f"{' '.join(command)} rejects the translation: {ran.complaint}")
        if not library.is_file() or not _loads(library):
            raise NoCompiler(f"{' '.join(command)} makes no library that can be loaded; install another C compiler")
        path = folder / _name(key, library)
        library.replace(path)
    return path


@contextmanager
def _workplace(below: Path) -> Iterator[Path]:
    """Give a folder of this process, removed at the end. Its lock shows later processes whether it is in use."""
    while True:
        path = Path(mkdtemp(prefix=OWN_FOLDER_PREFIX, dir=below))
        try:
            descriptor = os.open(path, AS_FOLDER)
        except FileNotFoundError:
            continue  # taken for left before it was locked
        with suppress(OSError):  # a file system without locks: nothing is collected there
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if path.exists():
            break
        os.close(descriptor)
    try:
        yield path
    finally:
        remove_tree(path)
        os.close(descriptor)


def _name(key: str, path: Path) -> str:
    """Return the name of a shared object of this content."""
    return f"{key}-{hashlib.sha256(path.read_bytes()).hexdigest()[:32]}.so"


def _loads(path: Path) -> bool:
    """Return whether a library can be loaded, as tried by a child process, which a damaged library may crash."""
    child = os.fork()
    if not child:
        status = 1
        try:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(LOAD_SECONDS)
            ctypes.CDLL(str(path))
            status = 0
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1] == 0


def _with_zig_caches(common: Path, own: Path) -> dict[str, str]:
    """Let zig keep its runtime and stubs of the C library in `common`, because making them takes seconds."""
    return {**os.environ, "ZIG_GLOBAL_CACHE_DIR": str(common), "ZIG_LOCAL_CACHE_DIR": str(own)}
