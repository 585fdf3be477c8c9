"""A long search of a solver is made in slices."""

from __future__ import annotations

import signal
from itertools import combinations

import pytest

from harness.generators.sat.solver import Solver
from harness.kernel.process.alarm import Alarm


def test_a_solver_that_takes_long_hears_of_signals():
    """An exception from a signal handler ends the search for a formula of pigeons in holes, which takes any solver
    hours.
    """
    holes = range(12)
    pigeons = [[12 * pigeon + hole + 1 for hole in holes] for pigeon in range(13)]
    exclusions = [[-one[hole], -other[hole]] for one, other in combinations(pigeons, 2) for hole in holes]

    class Rang(Exception):
        pass

    class Bell(Alarm):
        """Rings once: a second exception, while the first one ends the block, would leave the timer on."""

        def ring(self, number, frame):
            signal.setitimer(signal.ITIMER_REAL, 0)
            raise Rang

    with Solver("cadical195", [*pigeons, *exclusions]) as solver, pytest.raises(Rang), Bell(0.01):
        solver.model()
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
