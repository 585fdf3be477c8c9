"""A subject's spec, executed: the judge's functions, found by name and checked for what is missing."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from harness.errors import SpecError
from harness.kernel.loader import ModuleText, execute, execute_with_ticks
from harness.kernel.steps import StepCounter
from harness.model.finitization import Finitization

SPEC_MODULE = "mutascope_spec"


@dataclass(frozen=True)
class Spec:
    """The functions and constants of a spec.py.

    `rep_ok(state)` is the representation invariant; `finitization(scope)` the bounds;
    `abstraction(state)`, where given, maps a valid state to a plain value, and two states are
    equal exactly if their abstract values are (default: the concrete structure).
    """

    module: ModuleType
    rep_ok: Callable[[Any], Any]
    finitization_of: Callable[[int], Any]
    abstraction: Callable[[Any], Any] | None
    title: str | None
    implementation: str
    blocked: tuple[str, ...]
    helpers: tuple[str, ...] | None

    def finitization(self, scope: int) -> Finitization:
        """The finitization at `scope`, checked.

        Raises:
            SpecError: it raises, returns something else, or has no target.
        """
        where = f"{self.module.__file__}: finitization({scope})"
        try:
            found = self.finitization_of(scope)
        except SpecError as error:
            raise SpecError(f"{where}: {error}") from None
        except (Exception, SystemExit) as error:
            raise SpecError(f"{where} raised {type(error).__name__}: {error}{_line(error)}; correct the spec") from None
        if not isinstance(found, Finitization):
            raise SpecError(f"{where} returned {type(found).__name__}, not a Finitization; return the one you build")
        if not found.targets:
            raise SpecError(
                f"{where} declares no target; add at least one with .method(name, ...) or .function(name, ...)"
            )
        return found


def load_spec(source: str, filename: str, counter: StepCounter | None = None) -> Spec:
    """Executes a spec's text; with a `counter`, its loops and calls spend steps.

    Raises:
        SpecError: it does not compile, raises, or lacks rep_ok or finitization.
    """
    text = ModuleText(SPEC_MODULE, source, filename)
    try:
        module = (
            execute(text) if counter is None else execute_with_ticks(text, replace(counter, tick=counter.spec_tick))
        )
    except SyntaxError as error:
        raise SpecError(f"{filename}:{error.lineno}: {error.msg}; correct the spec") from None
    except (Exception, SystemExit) as error:
        raise SpecError(f"{filename} raised {type(error).__name__}: {error}{_line(error)}; correct the spec") from None
    names = vars(module)
    for needed in ("rep_ok", "finitization"):
        if not callable(names.get(needed)):
            raise SpecError(f"{filename} has no function {needed}; define it (docs/tutorial.md shows how)")
    helpers = names.get("helpers")
    return Spec(
        module=module,
        rep_ok=names["rep_ok"],
        finitization_of=names["finitization"],
        abstraction=names.get("abstraction"),
        title=names.get("title"),
        implementation=names.get("implementation", "impl.py"),
        blocked=tuple(names.get("blocked", ())),
        helpers=None if helpers is None else tuple(helpers),
    )


def _line(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    return f" (line {frames[-1].lineno} of {frames[-1].filename})" if frames else ""
