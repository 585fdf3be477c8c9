"""The data about the interpreter and the objects for the compiled search around rep_ok, and its compiled functions."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from harness.generators.states.hosted.judging import FirstOfClass, HostedObjects
from harness.generators.states.hosted.phases import Phases
from harness.generators.states.reference.completion import Reachable
from harness.generators.states.reference.observed_list import UNREAD
from harness.generators.states.translated.search import Function, load_library
from harness.generators.states.translated.translate import header
from harness.kernel.inputs.state_space import StateSpace

_ONE_ARGUMENT = 1 << 3
"""The constant METH_O of the interpreter's headers."""
_FUNCTIONS = {
    "call": "Object_Vectorcall", "set_item": "Object_SetItem", "del_item": "Object_DelItem", "add": "Set_Add",
    "as_long": "Long_AsLong", "set_size": "Set_Size", "type": "Object_Type", "keep": "_IncRef", "drop": "_DecRef",
}  # fmt: skip
"""The interpreter's function after `Py`, by member of Host."""


class _HostStructure(ctypes.Structure):
    """The structure `Host` of host.h."""

    _fields_ = [
        *((name, ctypes.c_void_p) for name in _FUNCTIONS),
        *((name, ctypes.py_object) for name in ("yes", "no", "none", "rep_ok", "root", "truth", "changed", "undo")),
        *((name, ctypes.py_object) for name in ("unread", "integer", "string", "results")),
        *((name, ctypes.c_void_p) for name in ("valid", "sites", "heights", "places", "keys", "values", "listed")),
        *((name, ctypes.c_int32) for name in ("given", "site_count", "broken", "first_only")),
        *((name, ctypes.py_object) for name in ("complete", "judge", "read")),
        ("hidden", ctypes.c_void_p),
    ]


class Host:
    """The data about the interpreter and the objects that the compiled code uses; they live as long as this object."""

    def __init__(
        self,
        space: StateSpace,
        observed: HostedObjects,
        rep_ok: Callable[[Any], Any],
        truth: Callable[[Any], bool],
        phases: Phases | None,
        keep: Callable[[int], Callable[[Any], Any]],
    ) -> None:
        self._buffers: list[Any] = []
        sites = 0 if phases is None else phases.sites
        valid, results = bytearray(max(1, sites)), [None] * sites
        if phases is not None:
            rep_ok = phases.bound(valid, results, keep)
        fields = range(space.width)
        places = [observed.place(field) for field in fields]
        domains: dict[int, int] = {}
        values = []
        for field in fields:
            objects = observed.values(field)
            if id(objects) not in domains:
                domains[id(objects)] = self._objects(objects)
            values.append(domains[id(objects)])
        listed = [type(place) is list for place, _ in places]
        self.structure = _HostStructure(
            **{member: _address(name) for member, name in _FUNCTIONS.items()},
            yes=True,
            no=False,
            none=None,
            rep_ok=rep_ok,
            root=observed.objects[0],
            truth=truth,
            changed=observed.changed,
            undo=observed.undo,
            unread=UNREAD,
            integer=int,
            string=str,
            results=results,
            valid=self._keep((ctypes.c_uint8 * len(valid)).from_buffer(valid)),
            sites=self._keep((ctypes.c_int32 * len(valid))()),
            heights=self._keep((ctypes.c_int32 * len(valid))()),
            places=self._objects([place for place, _ in places]),
            keys=self._objects([key for _, key in places]),
            values=self._keep((ctypes.c_void_p * max(1, len(values)))(*values)),
            listed=self._keep((ctypes.c_uint8 * max(1, len(listed)))(*listed)),
        )
        self._width = space.width

    def classify_by(
        self, judge: FirstOfClass, observed: HostedObjects, completion: Reachable | None, *, first_only: bool
    ) -> None:
        """Set `judge` to be called on valid candidates, after `completion`, if any, has read their reachable fields."""

        def complete() -> None:
            assert completion is not None
            completion.push_reachable(observed.read_field, every=True)

        structure = self.structure
        structure.complete = None if completion is None else complete
        structure.judge, structure.read, structure.first_only = judge, observed.read, first_only
        structure.hidden = self._keep((ctypes.c_uint8 * max(1, self._width))())

    def _objects(self, objects: Sequence[Any]) -> int:
        return self._keep((ctypes.py_object * max(1, len(objects)))(*objects))

    def _keep(self, array: Any) -> int:
        self._buffers.append(array)
        return ctypes.addressof(array)


def _address(name: str) -> int | None:
    """Return the address of one of the interpreter's functions."""
    return ctypes.cast(getattr(ctypes.pythonapi, f"Py{name}"), ctypes.c_void_p).value


class _Method(ctypes.Structure):
    """The interpreter's PyMethodDef."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    ]


def _method(compiled: Any, bound: Any) -> Callable[[Any], Any]:
    """Return a compiled function as a function of the interpreter, with its first argument bound. ctypes is slower."""
    method = _Method(b"method", ctypes.cast(compiled, ctypes.c_void_p), _ONE_ARGUMENT, None)
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    function: Callable[[Any], Any] = make(ctypes.byref(method), bound, None)
    _METHODS.append(method)
    return function


_METHODS: list[_Method] = []
"""The methods, kept alive because they must outlive the functions made of them, which any code may keep."""


@lru_cache(maxsize=2)
def text(criterion: bool) -> str:
    texts = [header("values.h"), header("host.h"), header("search.h"), header("packing.h")]
    return "\n".join(["#define CRITERION", *texts] if criterion else texts)


@lru_cache(maxsize=4)
def library_of(path: Path, criterion: bool) -> Any:
    pointer, long = ctypes.c_void_p, ctypes.c_int64
    functions: list[Function] = [
        ("hosted", ctypes.c_int, [pointer, pointer, long, long, long, ctypes.POINTER(long)]),
        ("reached", long, [pointer]),
        ("host", None, [pointer, pointer]),
        ("values", ctypes.POINTER(long), [pointer]),
    ]
    if criterion:
        functions += [("hide", ctypes.c_int, []), ("show", ctypes.c_int, [])]
    # PyDLL keeps the interpreter's lock, and propagates exceptions.
    library = load_library(path, ctypes.PyDLL, functions)
    library.read_field = _method(library.mutascope_read, None)
    library.keep_phase = lru_cache(maxsize=None)(partial(_method, library.mutascope_keep))
    return library
