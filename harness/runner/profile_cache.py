"""Type profiles in the cache, keyed by the content that they are observed on."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from harness import resources
from harness.checksums import read_whole, write_whole
from harness.errors import StoreError

_VERSION = 2
"""The version of the profiles' format and of the way they are observed."""


def cached_profile(
    name: str, key_parts: Sequence[object], observe: Callable[[], Mapping[str, Any]]
) -> Mapping[str, Any]:
    """Return a profile from the cache, or observe it and keep it there.

    Args:
        name: the name of the target in messages.
        key_parts: the parts that the profile depends on, besides the version of Python, as JSON values.

    Raises:
        MutascopeError: as `observe`.
    """
    key = hashlib.sha256(json.dumps([_VERSION, *key_parts, *sys.version_info[:2]]).encode()).hexdigest()[:16]
    path = resources.cache_folder() / "profiles" / f"{name}-{key}.json"
    stored = read_whole(path)
    if stored is not None:
        return stored
    observed = observe()
    with suppress(StoreError, OSError):  # then the next command observes it again
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, observed)
    return observed
