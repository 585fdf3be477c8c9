"""Korat's search in C around a predicate in Python: the same vectors, order and number explored as KoratSearch."""

from __future__ import annotations

import ctypes
import platform
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, nullcontext
from functools import lru_cache, partial
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, NoReturn, Self

from harness.generators.compiled.build import shared_object
from harness.generators.compiled.search import Function, Interrupted, NativeSearch, RunningSearch, load_library
from harness.generators.compiled.tables import OpaqueTables
from harness.generators.compiled.translate import header
from harness.generators.compiled.untranslatable import NoCompiler, Untranslatable
from harness.generators.describe import describe
from harness.generators.interpreted.direct import DirectReads
from harness.generators.interpreted.phases import Phases, phases_of
from harness.generators.interpreted.rewriting import uses_dedicated
from harness.generators.korat.eager import EagerContainers, has_contents, is_eager
from harness.generators.korat.failure import rep_ok_failure
from harness.generators.korat.observe import Observed
from harness.generators.korat.observed_list import UNREAD, UnobservedRead
from harness.generators.layout import Layout
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.program.loader import resolve
from harness.kernel.specs.dedicated.condition import Condition, Offer, listen
from harness.model.finitization import DomainKind

EXECUTIONS = 4096
"""Executions of rep_ok per call of the compiled code: some milliseconds, after which progress shows."""

_ABSENT = 15
_BUSY = 3
_ONE_ARGUMENT = 1 << 3
"""METH_O of the interpreter's headers."""
_FUNCTIONS = {
    "call": "Object_Vectorcall", "set_item": "Object_SetItem", "del_item": "Object_DelItem", "as_long": "Long_AsLong",
    "set_size": "Set_Size", "type": "Object_Type", "keep": "_IncRef", "drop": "_DecRef",
}  # fmt: skip
"""By member of Host, the interpreter's function after `Py`."""
_HOST_H = Path(__file__).with_name("host.h")


class InterpretedSearch(NativeSearch):
    """As KoratSearch under its defaults, for any predicate without dedicated generators.

    rep_ok runs in the interpreter as it is; the search around it is compiled, once for all predicates.

    Args:
        folder: where shared objects are kept between runs.

    Raises:
        Untranslatable: rep_ok uses dedicated generators, which narrow what is explored, or the space is too large.
        NoCompiler: no C compiler works here, or the interpreter is not the one whose functions the search calls.
        SpecError: a class of the finitization is missing or cannot be observed, or a field domain is empty.
    """

    def __init__(self, space: StateSpace, module: ModuleType, rep_ok: Callable[[Any], Any], folder: Path) -> None:
        super().__init__(space)
        self._layout = Layout(space)
        self._module = module
        self._rep_ok = rep_ok
        if uses_dedicated(rep_ok):
            raise Untranslatable("a dedicated generator")
        if platform.python_implementation() != "CPython":
            raise NoCompiler(f"searches around a predicate in Python need CPython, not {sys.implementation.name}")
        self.tables = OpaqueTables(space, module)
        # An answer is kept only of what tells when it is written to.
        whole = any(is_eager(owner) or has_contents(owner) for owner in space.objects)
        fields = _classes_and_fields(space, module)
        self._phases = None if whole else phases_of(rep_ok, *fields, direct=_has_lists(space))
        self.library = _library(shared_object(_text(), folder))

    def begin(self) -> RunningInterpreted:
        """A search at its start; the module's classes are instrumented while it is used as a context manager."""
        self.explored = 0
        return RunningInterpreted(self, self._layout, self._module, self._rep_ok, self._phases)


class RunningInterpreted(RunningSearch):
    """A search under way, and the objects that rep_ok is called on.

    Its methods raise SpecError, besides, where rep_ok raises.
    """

    def __init__(
        self,
        owner: InterpretedSearch,
        layout: Layout,
        module: ModuleType,
        rep_ok: Callable[[Any], Any],
        phases: Phases | None,
    ) -> None:
        super().__init__(owner, ())
        library = self._library
        self._module = module
        self._rep_ok = rep_ok
        self._present = _Present(library, self._search)
        read_field: Callable[[int], bool] = library.read_field
        self._observed = Observed(layout, self._present, module, read_field)
        begun = _beginning(self._observed.eager, rep_ok) if self._observed.eager else rep_ok
        self._host = _Host(layout.space, self._observed, begun, phases, library.keep_phase)
        library.mutascope_host(self._search, ctypes.byref(self._host.structure))
        self._direct = DirectReads(rep_ok) if _has_lists(layout.space) else nullcontext()
        self._context = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as entered:
            entered.enter_context(self._observed)
            entered.enter_context(self._direct)
            self._context = entered.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._context.close()
        super().__exit__(kind, error, trace)

    @property
    def explored(self) -> int:
        """Executions of rep_ok, the present one among them."""
        return int(self._library.mutascope_reached(self._search))

    @property
    def current(self) -> str:
        """The present candidate as text; `?` stands for fields that rep_ok has not read."""
        return describe(self._owner.space, self.candidate, self._present.on)

    def _call(self, search: Any, room: Any, vectors: int, most: int, written: Any) -> int:
        former = listen(_Refusing())
        try:
            status: int = self._library.mutascope_hosted(search, room, vectors, 8 * EXECUTIONS, most, written)
        except _AskedError as error:
            raise Interrupted(str(error)) from error
        except (Exception, UnobservedRead) as error:
            space, numbers = self._owner.space, self._observed.numbers
            raise rep_ok_failure(error, self._rep_ok, space, numbers, self._module, self.current) from error
        finally:
            listen(former)
        if status == _BUSY:
            raise Interrupted("another search is under way in this process")
        return status

    def _why(self) -> str:
        return "a field could not be given its value, and the predicate has hidden why"


def _has_lists(space: StateSpace) -> bool:
    return any(owner.domain.kind is DomainKind.LIST for owner in space.objects)


def _classes_and_fields(space: StateSpace, module: ModuleType) -> tuple[list[type], frozenset[str]]:
    """The classes of objects, and names that are fields of all of them that have such an attribute at all."""
    names = {
        resolve(module, owner.domain.class_name): frozenset(owner.names)
        for owner in space.objects
        if owner.domain.kind is DomainKind.OBJECT
    }
    fields = frozenset().union(*names.values())
    foreign = {name for cls, own in names.items() for name in fields - own if hasattr(cls, name)}
    return list(names), fields - foreign


class _AskedError(BaseException):
    """rep_ok asks a condition of a dedicated generator; not an Exception, lest rep_ok catches it."""


class _Refusing:
    """Hears of conditions (a kernel.dedicated Search), which narrow what the reference engine explores."""

    def decide(self, evaluate: Callable[[bool], bool]) -> NoReturn:
        raise _AskedError("it uses a dedicated generator")

    def is_unread(self, owner: Any, name: str | int) -> bool:
        return False

    def announce(self, offer: Offer | None) -> None:
        pass


def _truth(result: Any) -> bool:
    """Of what rep_ok returned."""
    if isinstance(result, Condition):
        raise _AskedError("it returns a condition of a dedicated generator")
    return bool(result)


def _beginning(eager: EagerContainers, rep_ok: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """rep_ok, on containers that are read and filled."""

    def begun(root: Any) -> Any:
        eager.begin()
        return rep_ok(root)

    return begun


class _On:
    """By field, whether it has been read."""

    def __init__(self, values: Any) -> None:
        self._values = values

    def __getitem__(self, field: int) -> bool:
        return bool(self._values[field] != _ABSENT)


class _Present:
    """The present candidate, in the memory of the compiled code."""

    def __init__(self, library: Any, search: Any) -> None:
        self.vector = library.mutascope_vector(search)
        self.on = _On(library.mutascope_values(search))


class _HostStructure(ctypes.Structure):
    """`Host` of host.h."""

    _fields_ = [
        *((name, ctypes.c_void_p) for name in _FUNCTIONS),
        *((name, ctypes.py_object) for name in ("yes", "no", "none", "rep_ok", "root", "truth", "changed", "undo")),
        *((name, ctypes.py_object) for name in ("unread", "integer", "string", "results")),
        *((name, ctypes.c_void_p) for name in ("valid", "sites", "heights", "places", "keys", "values", "listed")),
        *((name, ctypes.c_int32) for name in ("given", "site_count", "broken")),
    ]


class _Host:
    """What the compiled code knows of the interpreter and the objects; both live as long as this object."""

    def __init__(
        self,
        space: StateSpace,
        observed: Observed,
        rep_ok: Callable[[Any], Any],
        phases: Phases | None,
        keep: Callable[[int], Callable[[Any], Any]],
    ) -> None:
        self._kept: list[Any] = []
        sites = 0 if phases is None else phases.sites
        valid, results = bytearray(max(1, sites)), [None] * sites
        if phases is not None:
            rep_ok = phases.bound(valid, results, keep)
        fields = range(space.width)
        places = [observed.place(field) for field in fields]
        domains: dict[int, int] = {}
        values = []
        for field in fields:
            found = observed.values(field)
            if id(found) not in domains:
                domains[id(found)] = self._objects(found)
            values.append(domains[id(found)])
        listed = [type(place) is list for place, _ in places]
        self.structure = _HostStructure(
            **{member: _address(name) for member, name in _FUNCTIONS.items()},
            yes=True,
            no=False,
            none=None,
            rep_ok=rep_ok,
            root=observed.objects[0],
            truth=_truth,
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

    def _objects(self, objects: Sequence[Any]) -> int:
        return self._keep((ctypes.py_object * max(1, len(objects)))(*objects))

    def _keep(self, array: Any) -> int:
        self._kept.append(array)
        return ctypes.addressof(array)


def _address(name: str) -> int | None:
    """Of one of the interpreter's functions."""
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
    """A compiled function of two objects, the first of them bound, as one of the interpreter's: ctypes is slower."""
    method = _Method(b"method", ctypes.cast(compiled, ctypes.c_void_p), _ONE_ARGUMENT, None)
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    made: Callable[[Any], Any] = make(ctypes.byref(method), bound, None)
    _METHODS.append(method)
    return made


_METHODS: list[_Method] = []
"""They must outlive the functions made of them, which anybody may keep."""


@lru_cache(maxsize=1)
def _text() -> str:
    return "\n".join([header("values.h"), _HOST_H.read_text(encoding="utf-8"), header("search.h"), header("packing.h")])


@lru_cache(maxsize=4)
def _library(path: Path) -> Any:
    pointer, long = ctypes.c_void_p, ctypes.c_int64
    functions: list[Function] = [
        ("hosted", ctypes.c_int, [pointer, pointer, long, long, long, ctypes.POINTER(long)]),
        ("reached", long, [pointer]),
        ("host", None, [pointer, pointer]),
        ("values", ctypes.POINTER(long), [pointer]),
    ]
    # PyDLL holds the interpreter's lock, and passes exceptions on.
    library = load_library(path, ctypes.PyDLL, functions)
    library.read_field = _method(library.mutascope_read, None)
    library.keep_phase = lru_cache(maxsize=None)(partial(_method, library.mutascope_keep))
    return library
