"""Concolic execution: the values of an input answer each question, and the solver records what the answer implies."""

from __future__ import annotations

from harness.generators.policies.css.tree import Decision
from harness.generators.symbolic.runs import MOST_FORKS, Abandoned, ConcreteRun, EndlessPath, PathLimit
from harness.generators.symbolic.systems import Answer, System
from harness.generators.symbolic.terms import Coefficients, Slot


class WrongPath(Abandoned):
    """An input takes another path than the one that it was solved for, or an infeasible one."""


class ConcolicRun(ConcreteRun):
    """An execution on the values of an input, which must follow a known path first.

    Args:
        path_answers: the answers up to the leaf that the input was solved for.
        system: the constraints at that leaf.
        most_forks: the largest number of forks of one path after that leaf.

    Attributes:
        system: the constraints that hold now; before the leaf is reached, those that hold at the leaf.
        decisions: the decisions after the leaf.
        notices: the reasons why values were pinned after the leaf.
    """

    def __init__(self, path_answers: bytes, system: System, most_forks: int = MOST_FORKS) -> None:
        super().__init__()
        self.system = system
        self.decisions: list[Decision] = []
        self.notices: list[str] = []
        self._path_answers = path_answers
        self._left = most_forks

    def at_most(self, x: int, y: int, c: int) -> bool:
        answer = super().at_most(x, y, c)
        if not self._is_known():
            self._decide(answer, self.system.at_most(x, y, c))
        return answer

    def equal(self, x: int, y: int, d: int) -> bool:
        answer = super().equal(x, y, d)
        if not self._is_known():
            self._decide(answer, self.system.equal(x, y, d))
        return answer

    def linear(self, relation: str, coefficients: Coefficients, constant: int) -> bool:
        answer = super().linear(relation, coefficients, constant)
        if not self._is_known():
            self._decide(answer, self.system.linear(relation, coefficients, constant))
        return answer

    def defined(self, operation: str, parts: tuple[Slot, ...]) -> int:
        variable = super().defined(operation, parts)
        if len(self.trace) >= len(self._path_answers):
            self.system, named = self.system.defined(operation, parts)
            if named != variable:
                raise WrongPath("a value is another one than the solver's")
        return variable

    def pinned(self, slot: Slot, reason: str) -> int:
        x, added = slot
        chosen = self.values[x]
        if x and len(self.trace) >= len(self._path_answers):
            yes, no = self.system.equal(x, 0, chosen)
            if no is not None:
                self.system = self._system(yes)
                self.notices.append(reason)
        return chosen + added

    def is_short(self) -> bool:
        """Return whether the execution gave fewer answers than are known."""
        return len(self.trace) < len(self._path_answers)

    def _is_known(self) -> bool:
        """Return whether the last answer is among the known ones; if so, check that it equals the known one."""
        at = len(self.trace) - 1
        if at >= len(self._path_answers):
            return False
        if self.trace[at] != self._path_answers[at]:
            raise WrongPath("takes another path than the one that it was solved for")
        return True

    def _decide(self, answer: bool, pair: tuple[Answer, Answer]) -> None:
        chosen = pair[0] if answer else pair[1]
        if None not in pair:
            if not self._left:
                raise EndlessPath
            self._left -= 1
        self.decisions.append(Decision(answer, pair))
        self.system = self._system(chosen)

    def _system(self, answer: Answer) -> System:
        if answer is None:
            raise WrongPath("takes a path that the solver holds to be infeasible")
        if not isinstance(answer, System):
            raise PathLimit
        return answer
