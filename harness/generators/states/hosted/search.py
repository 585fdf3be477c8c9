"""Korat's search in C around a predicate in Python, with the vectors, order and number explored of KoratSearch."""

from __future__ import annotations

import ctypes
import platform
import sys
from collections.abc import Callable
from contextlib import ExitStack, nullcontext
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, NoReturn, Self

from harness.generators.states.describe import describe
from harness.generators.states.hosted.direct import DirectReads
from harness.generators.states.hosted.host import Host, library_of, text
from harness.generators.states.hosted.judging import FirstOfClass, HostedObjects, Vector
from harness.generators.states.hosted.phases import Phases, phases_of
from harness.generators.states.hosted.rewriting import uses_dedicated
from harness.generators.states.layout import Layout
from harness.generators.states.native.build import shared_object
from harness.generators.states.native.parts import SearchPart
from harness.generators.states.native.untranslatable import NoCompiler, Untranslatable
from harness.generators.states.pace import PACE, Pace
from harness.generators.states.reference.completion import Reachable
from harness.generators.states.reference.criterion import NAME
from harness.generators.states.reference.eager import EagerContainers, has_contents, is_eager
from harness.generators.states.reference.failure import rep_ok_failure
from harness.generators.states.reference.observed_list import UnobservedRead
from harness.generators.states.reference.plus_search import Pruning
from harness.generators.states.translated.search import NativeSearch, RunningSearch, SearchGaveUp
from harness.generators.states.translated.tables import OpaqueTables
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.program.loader import resolve
from harness.kernel.specs.dedicated.condition import Condition, Offer, listen
from harness.model.finitization import DomainKind

_ABSENT = 15
_BUSY = 3


class InterpretedSearch(NativeSearch):
    """Searches like KoratSearch with its defaults, for any predicate without dedicated generators.

    rep_ok runs in the interpreter as it is; the search around it is compiled, once for all predicates.

    Args:
        folder: the folder for shared objects between runs.
        criterion: Korat+'s criterion, as for KoratPlusSearch; its eq_class also runs in the interpreter.

    Raises:
        Untranslatable: a predicate uses dedicated generators, which narrow the search, or the space is too large.
        NoCompiler: no C compiler works here, or the interpreter is not the one whose functions the search calls.
        SpecError: a class of the finitization is missing or cannot be observed, or a field domain is empty.
    """

    def __init__(
        self,
        space: StateSpace,
        module: ModuleType,
        rep_ok: Callable[[Any], Any],
        folder: Path,
        *,
        criterion: Pruning | None = None,
        pace: Pace = PACE,
    ) -> None:
        super().__init__(space, pace)
        self._layout = Layout(space)
        self._module = module
        self._rep_ok = rep_ok
        self._criterion = criterion
        if any(map(uses_dedicated, [rep_ok] if criterion is None else [rep_ok, criterion.eq_class])):
            raise Untranslatable("a dedicated generator")
        if platform.python_implementation() != "CPython":
            raise NoCompiler(f"searches around a predicate in Python need CPython, not {sys.implementation.name}")
        self.tables = OpaqueTables(space, module)
        # A result is kept only if all objects involved report writes.
        whole = any(is_eager(owner) or has_contents(owner) for owner in space.objects)
        fields = _classes_and_fields(space, module)
        self._phases = None if whole else phases_of(rep_ok, *fields, direct=_has_lists(space))
        self.library = library_of(shared_object(text(criterion is not None), folder), criterion is not None)

    def begin(self) -> RunningInterpreted:
        """Return a search at its start; the module's classes are instrumented while it is used as a context manager."""
        self.explored = 0
        return RunningInterpreted(self, self._layout, self._module, self._rep_ok, self._phases, self._criterion)


class RunningInterpreted(RunningSearch):
    """A search in progress, and the objects that rep_ok is called on.

    In addition, its methods raise SpecError if rep_ok raises.
    """

    def __init__(
        self,
        owner: InterpretedSearch,
        layout: Layout,
        module: ModuleType,
        rep_ok: Callable[[Any], Any],
        phases: Phases | None,
        criterion: Pruning | None,
    ) -> None:
        super().__init__(owner, ())
        library = self._library
        self._module = module
        self._rep_ok = rep_ok
        self._present = _Present(library, self._search)
        self._observed = HostedObjects(layout, self._present, module, library)
        begun = _beginning(self._observed.eager, rep_ok) if self._observed.eager else rep_ok
        self._host = Host(layout.space, self._observed, begun, _truth, phases, library.keep_phase)
        self._judge: FirstOfClass | None = None
        if criterion is not None:
            parts = (layout, module, self._observed)
            self._judge = FirstOfClass(criterion, *parts, lambda: self.candidate, lambda: self.current)
            completion = Reachable(layout, self._present) if self._observed.eager else None
            self._host.classify_by(self._judge, self._observed, completion, first_only=criterion.first_only)
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
        """The number of executions of rep_ok, including the present one."""
        return int(self._library.mutascope_reached(self._search))

    @property
    def current(self) -> str:
        """The present candidate as text; `?` stands for fields that rep_ok has not read."""
        return describe(self._owner.space, self.candidate, self._present.on)

    @property
    def executing(self) -> str:
        """The function that is executed on the present candidate."""
        return NAME if self._judge is not None and self._judge.is_running else super().executing

    def enter(self, part: SearchPart) -> None:
        """Go to the beginning of a part of the same search, to end where it does."""
        super().enter(part)
        if self._judge is not None:
            self._judge.classes.clear()

    @property
    def class_vectors(self) -> list[Vector]:
        """The first valid vector of each class covered since the search, or its present part, began; in order."""
        return [] if self._judge is None else list(self._judge.classes.values())

    def _call(self, search: Any, room: Any, vectors: int, most: int, written: Any) -> int:
        former = listen(_Refusing())
        budget = 8 * self._owner.pace.executions
        try:
            status: int = self._library.mutascope_hosted(search, room, vectors, budget, most, written)
        except _DedicatedConditionError as error:
            raise SearchGaveUp(str(error)) from error
        except (Exception, UnobservedRead) as error:
            if self._judge is not None and error is self._judge.failure:
                raise
            space, numbers = self._owner.space, self._observed.numbers
            raise rep_ok_failure(error, self._rep_ok, space, numbers, self._module, self.current) from error
        finally:
            listen(former)
        if status == _BUSY:
            raise SearchGaveUp("another search is under way in this process")
        return status

    def _why(self) -> str:
        return "a field could not be given its value, and the predicate has hidden why"


def _has_lists(space: StateSpace) -> bool:
    return any(owner.domain.kind is DomainKind.LIST for owner in space.objects)


def _classes_and_fields(space: StateSpace, module: ModuleType) -> tuple[list[type], frozenset[str]]:
    """Return the objects' classes, and the names that are fields in all classes that have such an attribute."""
    names = {
        resolve(module, owner.domain.class_name): frozenset(owner.names)
        for owner in space.objects
        if owner.domain.kind is DomainKind.OBJECT
    }
    fields = frozenset().union(*names.values())
    foreign = {name for cls, own in names.items() for name in fields - own if hasattr(cls, name)}
    return list(names), fields - foreign


class _DedicatedConditionError(BaseException):
    """Raised if rep_ok asks a condition of a dedicated generator; not an Exception, lest rep_ok catches it."""


class _Refusing:
    """Refuses conditions (of a kernel.dedicated Search), because they narrow the reference engine's search."""

    def decide(self, evaluate: Callable[[bool], bool]) -> NoReturn:
        raise _DedicatedConditionError("it uses a dedicated generator")

    def is_unread(self, owner: Any, name: str | int) -> bool:
        return False

    def announce(self, offer: Offer | None) -> None:
        pass


def _truth(result: Any) -> bool:
    """Return the truth of rep_ok's result."""
    if isinstance(result, Condition):
        raise _DedicatedConditionError("it returns a condition of a dedicated generator")
    return bool(result)


def _beginning(eager: EagerContainers, rep_ok: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return rep_ok as a function that first reads and fills containers."""

    def begun(root: Any) -> Any:
        eager.begin()
        return rep_ok(root)

    return begun


class _On:
    """Returns, by field, whether it has been read."""

    def __init__(self, values: Any) -> None:
        self._values = values

    def __getitem__(self, field: int) -> bool:
        return bool(self._values[field] != _ABSENT)


class _Present:
    """The present candidate, in the memory of the compiled code."""

    def __init__(self, library: Any, search: Any) -> None:
        self.vector = library.mutascope_vector(search)
        self.on = _On(library.mutascope_values(search))
