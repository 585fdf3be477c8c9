"""A zygote with its baseline, for tests that order mutants directly."""

from __future__ import annotations

import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from harness.kernel.running.job import (
    ORDERS,
    WORDS,
    Alive,
    Answer,
    BaselineFacts,
    BaselineOrder,
    HarnessFault,
    MutantFacts,
    MutantOrder,
    Order,
    Ready,
)
from harness.runner.zygotes import addressed_to, take_out, zygote_process

T = TypeVar("T")


class Bench:
    """Use as a context manager; `facts` are those of the original on all `inputs`.

    Raises (on entering):
        MutascopeError: as the zygote, or the original on an input.
    """

    def __init__(self, job: Path, inputs: int) -> None:
        self._outbox = Path(tempfile.mkdtemp(prefix="outbox-", dir=job.parent))
        self._process = zygote_process(job, self._outbox)
        self.inputs = inputs
        self.baseline = tempfile.mkdtemp(prefix="baseline-", dir=job.parent)

    def __enter__(self) -> Bench:
        self._process.__enter__()
        try:
            assert self._process.word(WORDS, 60) == Ready()
            self.facts = self.answer(BaselineFacts, BaselineOrder("baseline", 0, self.inputs, self.baseline))
        except BaseException as error:
            self._process.__exit__(type(error), error, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.__exit__(kind, error, trace)

    def order(self, order: Order) -> Answer:
        self._process.order(ORDERS.to_data(addressed_to(self._outbox, order)))
        while isinstance(word := self._process.word(WORDS, 120), Alive):
            pass
        assert not isinstance(word, Ready)
        take_out(self._outbox, order, word)
        return word

    def answer(self, kind: type[T], order: Order) -> T:
        answer = self.order(order)
        assert isinstance(answer, kind), answer
        return answer

    def mutant(self, source: str, name: str = "m", **fields: Any) -> MutantFacts:
        return self.answer(MutantFacts, self._mutant_order(source, name, **fields))

    def fault(self, source: str, **fields: Any) -> str:
        """Return the fault that running a mutant meets."""
        return self.answer(HarnessFault, self._mutant_order(source, "m", **fields)).fault

    def _mutant_order(self, source: str, name: str, **fields: Any) -> MutantOrder:
        return MutantOrder(name, self.baseline, **{"first": 0, "last": self.inputs, "source": source, **fields})
