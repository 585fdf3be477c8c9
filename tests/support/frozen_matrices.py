"""Kill matrices that are kept with frozen comparisons, and the scores of their sub-suites, counted naively."""

import re
from fractions import Fraction
from itertools import pairwise
from math import comb
from types import SimpleNamespace
from typing import Any

import numpy as np
from support.documents import ROOT

from harness.analysis.compared import Basis, Budget, ComparedSuite, Rule, SubSuites, kills_of, sub_suites
from harness.analysis.kill_matrix import KillMatrix
from harness.analysis.percent import percent_text
from harness.store import KillRow


class FrozenMatrices:
    """The matrices of a frozen comparison: by subject, scope, generator and seed the kills, and the calls of inputs."""

    def __init__(self, folder: str) -> None:
        self._arrays = np.load(ROOT / "results" / "frozen" / folder / "matrices.npz")

    def _suites(self, subject: str, generator: str) -> list[tuple[Any, Any]]:
        """The packed kills, a row for each mutant, and the calls of the inputs of each suite."""
        keys = [key for key in self._arrays if key.startswith(f"{subject} {generator} ") and key.endswith("kills")]
        return [(self._arrays[key], self._arrays[key.replace("kills", "calls")]) for key in keys]

    def naive(self, subject: str, generator: str, budget: str, rule: str) -> Fraction:
        """The expected share of the mutants that a sub-suite kills, over draws and suites."""
        limit, basis = int(budget.split()[0]), budget.split()[1]
        shares = []
        for bits, calls in self._suites(subject, generator):
            inputs, spent = len(calls), [int(number) for number in calls]
            kills = np.unpackbits(bits, axis=1, count=inputs, bitorder="little").tolist()
            if basis == "inputs":
                size = limit
            elif rule == "first":
                size = max(n for n in range(inputs + 1) if sum(spent[:n]) <= limit)
            else:
                size = limit * inputs // sum(spent)
            if rule == "first":
                shares += [Fraction(any(row[:size]), len(kills)) for row in kills]
            else:
                missed = [Fraction(comb(inputs - sum(row), size), comb(inputs, size)) for row in kills]
                shares += [(1 - chance) / len(kills) for chance in missed]
        return sum(shares, Fraction()) / len(self._suites(subject, generator))

    def cell(self, subject: str, generator: str, budget: str, rule: str) -> str:
        """The expected score in percent and the interval that 90 % of the sub-suites lie in, as `compare` has them."""
        suites = []
        for number, (bits, calls) in enumerate(self._suites(subject, generator)):
            rows = [KillRow(str(at), len(calls), row.tobytes()) for at, row in enumerate(bits)]
            trial: Any = SimpleNamespace(inputs=len(calls), key=str(number))
            suites.append(ComparedSuite(trial, KillMatrix(rows, len(calls)), calls=calls.astype(np.int64)))
        limit, basis = budget.split()
        chosen = sub_suites(suites, Budget(Basis(basis), Fraction(limit)), Rule(rule))
        if not isinstance(chosen, SubSuites):
            return "-"
        worth = chosen.worth(kills_of, np.ones(len(self._suites(subject, generator)[0][0]), dtype=np.bool_))
        expected, low, high = map(percent_text, worth)
        return expected if low == high == expected else f"{expected} ({low} to {high})"


ORDER = re.compile(r"^\* (\d+ (?:inputs|calls)), (drawn|first): (.* > .*)\.$", re.MULTILINE)
TABLE = re.compile(r"^\| budget \| rule \| (.*) \|\n.*\n((?:\|.*\n)+)", re.MULTILINE)


def check_orders(folder: str, subject: str, text: str, number: int) -> None:
    """Compare the table and the orders of a text, of which there are so many, with the matrices of a subject."""
    matrices = FrozenMatrices(folder)
    orders = ORDER.findall(text)
    assert len(orders) == number
    for budget, rule, order in orders:
        groups = [
            {matrices.naive(subject, name, budget, rule) for name in names.split(" = ")} for names in order.split(" > ")
        ]
        assert all(len(group) == 1 for group in groups), (budget, rule, groups)
        assert all(max(before) > max(after) for before, after in pairwise(groups)), (budget, rule, groups)
    ((names, rows),) = TABLE.findall(text)
    for row in rows.splitlines():
        budget, rule, *cells = row.strip("| ").split(" | ")
        assert cells == [matrices.cell(subject, name, budget, rule) for name in names.split(" | ")]
        for name, cell in zip(names.split(" | "), cells, strict=True):
            assert cell == "-" or cell.split()[0] == percent_text(matrices.naive(subject, name, budget, rule))
