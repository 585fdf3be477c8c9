"""A common interface, with the few calls that are needed, for the SAT solvers of python-sat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from types import TracebackType
from typing import Any

from harness.did_you_mean import suggestion
from harness.errors import UsageError

SOLVERS = {"cadical195": "CaDiCaL 1.9.5", "minisat22": "MiniSat 2.2"}
DEFAULT = "cadical195"
_OPTIONS = {"phase": 0, "ilb": 0}
"""The options of CaDiCaL: variables are false at first, and no search reuses the trail of the last one."""
SLICE = 20_000
"""The conflicts after which a search pauses, because Python handles no signals until C code returns."""


class Solver:
    """An incremental solver with clauses over variables 1, 2, ...

    With `seed` 0, the solver first guesses that variables are false. Any other seed gives each variable a random first
    phase, and sets CaDiCaL's own option `seed`: another seed finds other instances first.

    Raises:
        UsageError: python-sat is not installed, or the solver is none of `SOLVERS`.
    """

    def __init__(self, name: str, clauses: Iterable[Sequence[int]], seed: int = 0) -> None:
        if name not in SOLVERS:
            raise UsageError(f"there is no SAT solver {name!r}; {suggestion(name, SOLVERS)}")
        self._solver = _module().Solver(name=name)
        if name == "cadical195":
            self._solver.configure({"seed": seed} | _OPTIONS)
        self._contradicts = False
        self._last = 0
        self.is_decided = True
        for clause in clauses:
            self.add(clause)
        if seed:
            random = Random(seed)
            self.prefer([each if random.random() < 0.5 else -each for each in range(1, self._last + 1)])

    def __enter__(self) -> Solver:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._solver.delete()

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause: at least one of these literals is true."""
        if not clause:
            self._contradicts = True
            return
        self._last = max(self._last, *map(abs, clause))
        self._solver.add_clause(clause)

    def prefer(self, literals: Sequence[int]) -> None:
        """Make the solver guess that these literals are true, if it has to guess."""
        self._solver.set_phases(literals=list(literals))

    def refutes(self, literals: Sequence[int]) -> bool:
        """Return whether unit propagation alone finds a contradiction if all the literals are true."""
        return self._contradicts or not self._solver.propagate(list(literals))[0]

    def model(self, assumed: Sequence[int] = (), conflicts: int | None = None) -> set[int] | None:
        """Return the true variables of a model, or None; `is_decided` is True if there is surely no model.

        With `conflicts`, MiniSat gives up after that many conflicts.
        """
        self.is_decided = True
        if self._contradicts:
            return None
        if conflicts is None:
            is_satisfiable = None
            while is_satisfiable is None:  # between two slices, Python handles signals
                self._solver.conf_budget(SLICE)
                is_satisfiable = self._solver.solve_limited(assumptions=list(assumed))
        else:
            self._solver.conf_budget(conflicts)
            is_satisfiable = self._solver.solve_limited(assumptions=list(assumed))
        self.is_decided = is_satisfiable is not None
        return {literal for literal in self._solver.get_model() if literal > 0} if is_satisfiable else None


def version() -> str:
    """Return the version of python-sat, for headers of suites."""
    _module()
    import pysat

    return str(pysat.__version__)


def _module() -> Any:
    try:
        from pysat import solvers
    except ImportError:
        raise UsageError(
            "SAT solvers need python-sat, which is not installed; install mutascope with the extra [sat]"
        ) from None
    return solvers
