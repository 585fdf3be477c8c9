"""Executes a subject's spec: finds the functions by which mutants are judged, and checks that none is missing."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from types import ModuleType
from typing import Any, cast

from harness.errors import SpecError
from harness.kernel.program.loader import ModuleText, StepCounter, execute, execute_with_ticks
from harness.kernel.specs.constructors import with_constructor
from harness.model.finitization import DomainKind, Finitization
from harness.model.sequence import DEFAULT_MISUSES, SequenceScope

SPEC_MODULE = "mutascope_spec"

_LONGEST = 200
"""The greatest number of characters that a message quotes of the spec's own values and exceptions."""


@dataclass(frozen=True)
class Spec:
    """The functions and constants of a spec.py.

    `rep_ok(state)` is the representation invariant (`always`, if the spec has none). `finitization(scope)` returns the
    bounds of states, `sequences(scope)` those of sequences of calls: one of them is there. The other attributes are
    optional. `abstraction(state)` maps a valid state to a plain value, and two states are equal exactly if their
    abstract values are (default: the concrete structure). `eq_class(state)` is the test criterion: the class of inputs
    that a valid state belongs to. `driver` is the file through which an installed implementation is called.
    `profile_scope` is the scope at which types are observed to derive mutants. `observers` are methods without
    arguments that leave the object as it is.
    """

    module: ModuleType
    rep_ok: Callable[[Any], Any]
    finitization_of: Callable[[int], Any] | None
    abstraction: Callable[[Any], Any] | None
    title: str | None
    implementation: str
    blocked: tuple[str, ...]
    helpers: tuple[str, ...] | None
    sequences_of: Callable[[int], Any] | None = None
    eq_class: Callable[[Any], Any] | None = None
    driver: str | None = None
    profile_scope: int | None = None
    observers: tuple[str, ...] = ()

    def finitization(self, scope: int) -> Finitization:
        """Return the finitization at `scope`, checked.

        Raises:
            SpecError: it raises, returns something else, or has no target.
        """
        where = f"{self.module.__file__}: finitization({scope})"
        if self.finitization_of is None:
            raise SpecError(
                f"{self.module.__file__} has no function finitization, which bounds the states of test inputs; define "
                "it (docs/tutorial.md shows how), or choose a generator of sequences: beapi, random, rostra"
            )
        finitization = _called(self.finitization_of, scope, where)
        if not isinstance(finitization, Finitization):
            raise SpecError(
                f"{where} returned {type(finitization).__name__}, not a Finitization; return the one you build"
            )
        if finitization.domains[0].kind is not DomainKind.NOTHING and self.rep_ok is always:
            raise SpecError(_missing("rep_ok", str(self.module.__file__)))
        if not finitization.targets:
            raise SpecError(
                f"{where} declares no target; add at least one with .method(name, ...) or .function(name, ...)"
            )
        for target in finitization.targets:
            if target.requires is not None:
                check_predicate(target.requires, f"{where}: what {target.name!r} requires")
        return finitization

    def sequences(self, scope: int, source: str) -> SequenceScope:
        """Return the bounds of sequences at `scope`; a missing constructor is read from the original's `source`.

        Raises:
            SpecError: as `declared_sequences`; or the arguments of the constructor are unknown.
        """
        try:
            return with_constructor(self.declared_sequences(scope), scope, source)
        except SpecError as error:
            where = str(self.module.__file__)
            raise SpecError(str(error) if where in str(error) else f"{where}: {error}") from None

    def declared_sequences(self, scope: int) -> SequenceScope:
        """Return the bounds of sequences at `scope`, checked; derived from the finitization if the spec has none.

        Raises:
            SpecError: they raise, are something else, or declare no routine.
        """
        if self.sequences_of is None:
            where = f"{self.module.__file__}: sequences derived from finitization({scope})"
            derived = partial(SequenceScope.of_finitization, self.finitization(scope))
            return cast(SequenceScope, _called(lambda number: derived(number).checked(), scope, where))
        where = f"{self.module.__file__}: sequences({scope})"
        scope_of_spec = _called(self.sequences_of, scope, where)
        if not isinstance(scope_of_spec, SequenceScope):
            raise SpecError(
                f"{where} returned {type(scope_of_spec).__name__}, not a SequenceScope; return the one you build"
            )
        checked = cast(SequenceScope, _called(lambda _: scope_of_spec.checked(), scope, where))
        for routine in checked.routines:
            if routine.requires is not None:
                check_predicate(routine.requires, f"{where}: what {routine.name!r} requires")
        return checked

    def misuses(self, scope: int) -> tuple[str, ...]:
        """Return the names of the exceptions that say that a call was misuse; the usual ones if the spec has no
        sequences.

        Raises:
            SpecError: as `declared_sequences`.
        """
        return DEFAULT_MISUSES if self.sequences_of is None else self.declared_sequences(scope).misuses


def load_spec(source: str, filename: str, counter: StepCounter | None = None) -> Spec:
    """Execute a spec's text; with a `counter`, its loops and calls spend steps.

    Raises:
        SpecError: it does not compile, raises any exception, lacks rep_ok or finitization, or has a value of the wrong
            kind.
    """
    text = ModuleText(SPEC_MODULE, source, filename)
    try:
        module = (
            execute(text) if counter is None else execute_with_ticks(text, replace(counter, tick=counter.spec_tick))
        )
    except SyntaxError as error:
        where = f"{filename}:{error.lineno}" if error.filename == filename else filename
        raise SpecError(f"{where}: {error.msg}; correct the spec") from None
    except BaseException as error:
        if _is_ours(error):
            raise
        raise SpecError(f"{filename} raised {exception_summary(error)}{_line(error)}; correct the spec") from None
    names = vars(module)
    abstraction = names.get("abstraction")
    # Sequences need none, nor do functions without a pre-state; `Spec.finitization` reports a missing one.
    rep_ok = _function(names, "rep_ok", filename) if "rep_ok" in names else always
    check_predicate(rep_ok, f"{filename}: rep_ok")
    if abstraction is not None:
        check_predicate(_function(names, "abstraction", filename), f"{filename}: abstraction", "the abstract value")
    eq_class = _function(names, "eq_class", filename) if "eq_class" in names else None
    if eq_class is not None:
        check_predicate(eq_class, f"{filename}: eq_class", "the class")
    return Spec(
        module=module,
        rep_ok=rep_ok,
        finitization_of=_bounds(names, "finitization", "sequences", filename),
        abstraction=abstraction,
        title=_text(names, "title", filename),
        implementation=_text(names, "implementation", filename) or "impl.py",
        blocked=_texts(names, "blocked", filename) or (),
        helpers=_texts(names, "helpers", filename),
        sequences_of=_bounds(names, "sequences", "finitization", filename),
        eq_class=eq_class,
        driver=_text(names, "driver", filename),
        profile_scope=_constant(names, "profile_scope", filename, _is_scope, "a whole number from 1"),
        observers=_texts(names, "observers", filename) or (),
    )


def _bounds(names: dict[str, Any], name: str, other: str, filename: str) -> Callable[[int], Any] | None:
    """Return the spec's function of that name; None if it has only the other one."""
    if name not in names and (name == "sequences" or other in names):
        return None
    return _function(names, name, filename)


def _called(function: Callable[[int], Any], scope: int, where: str) -> Any:
    """Return the result of a function of the spec for a scope."""
    try:
        return function(scope)
    except SpecError as error:
        raise SpecError(f"{where}: {error}") from None
    except BaseException as error:
        if _is_ours(error):
            raise
        raise SpecError(f"{where} raised {exception_summary(error)}{_line(error)}; correct the spec") from None


def always(_state: object) -> bool:
    """Return True, as the rep_ok of a spec that has none."""
    return True


def _missing(name: str, filename: str) -> str:
    return f"{filename} has no function {name}; define it (docs/tutorial.md shows how)"


def check_predicate(function: Callable[..., Any], name: str, expected_result: str = "True or False") -> None:
    """Refuse a function whose calls make a generator or a coroutine, which is true without having been executed.

    Raises:
        SpecError: it is such a function.
    """
    called = (function, getattr(type(function), "__call__", function))  # noqa: B004 (of an object, its method)
    kinds = {
        "generator": inspect.isgeneratorfunction,
        "coroutine": inspect.iscoroutinefunction,
        "asynchronous generator": inspect.isasyncgenfunction,
    }
    for kind, is_one in kinds.items():
        if any(map(is_one, called)):
            raise SpecError(
                f"{name} makes a {kind}, which is true and equal to nothing whatever the state is; "
                f"return {expected_result} instead (without yield and async)"
            )


def exception_summary(error: BaseException) -> str:
    """Return an exception's type and message in one short line, whatever its own `__str__` does."""
    try:
        message = " ".join(str(error).split())
    except BaseException as another:
        message = f"its message raised {type(another).__name__}"
    return f"{type(error).__name__}: {message[:_LONGEST]}{'...' * (len(message) > _LONGEST)}"


def _is_ours(error: BaseException) -> bool:
    """Return whether an exception is a limit of the harness (steps, seconds), which passes through the spec."""
    return type(error).__module__.partition(".")[0] == "harness"


def _function(names: dict[str, Any], name: str, filename: str) -> Callable[..., Any]:
    """Return the spec's function of that name, which takes one argument."""
    function = names.get(name)
    if function is None:
        raise SpecError(_missing(name, filename))
    if not callable(function) or (isinstance(function, type) and name != "abstraction"):
        raise SpecError(f"{filename}: {name} is {_value_text(function)}, not a function; write def {name}(...)")
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return cast(Callable[..., Any], function)  # of C: nobody knows what it takes
    try:
        signature.bind(None)
    except TypeError as error:
        argument = "scope" if name in ("finitization", "sequences") else "state"
        raise SpecError(
            f"{filename}: {name}{signature} cannot be called with one argument ({error}); write def {name}({argument})"
        ) from None
    return cast(Callable[..., Any], function)


def _constant(names: dict[str, Any], name: str, filename: str, fits: Callable[[Any], bool], wanted: str) -> Any:
    """Return a constant of the spec, or None if the spec has none of that name."""
    if name not in names:
        return None
    value = names[name]
    if not fits(value):
        raise SpecError(f"{filename}: {name} is {_value_text(value)}, not {wanted}; correct it or leave it out")
    return value


def _text(names: dict[str, Any], name: str, filename: str) -> str | None:
    def fits(value: Any) -> bool:
        return type(value) is str and bool(value.strip()) and value.isprintable()

    return cast("str | None", _constant(names, name, filename, fits, "a text of one line"))


def _texts(names: dict[str, Any], name: str, filename: str) -> tuple[str, ...] | None:
    def fits(value: Any) -> bool:
        if value is None:
            return name == "helpers"
        return type(value) in (list, tuple) and all(type(item) is str and item.isprintable() for item in value)

    texts = _constant(names, name, filename, fits, "a list of names in quotes")
    return None if texts is None else tuple(texts)


def _is_scope(value: Any) -> bool:
    return type(value) is int and value >= 1


def _value_text(value: Any) -> str:
    """Return a value in one short line."""
    text = " ".join(repr(value).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _line(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    return f" (line {frames[-1].lineno} of {frames[-1].filename})" if frames else ""
