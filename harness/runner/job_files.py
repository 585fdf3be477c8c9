"""The files of a trial's job, so that workers of another machine can have them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from harness.kernel.running.baseline_slices import slice_path
from harness.kernel.running.job import (
    Answer,
    BaselineOrder,
    BatchOrder,
    InputMask,
    MutantOrder,
    Order,
    ProbeOrder,
    RunJob,
)
from harness.runner.executors.protocol import Excerpt, OpenWorker, Worker
from harness.runner.executors.task import below


@dataclass(frozen=True)
class JobFiles:
    """The files of a job, as `WorkFiles` says: its suite, slices of the baseline, probes and their rows."""

    job: Path
    zygote: Callable[[Path, Path], AbstractContextManager[Worker[Order, Answer]]]
    """Opens the worker of a job file, given a folder, too."""

    def of_work(self) -> list[Path]:
        """Return the job and the files of its suite."""
        suite = Path(RunJob.read(self.job).suite)
        return [self.job, *sorted(path for path in suite.rglob("*") if path.is_file())]

    def inputs_of(self, order: Order) -> list[Path | Excerpt]:
        """Return what an order reads: all slices that are there, its probes, and the rows of its mutants."""
        match order:
            case BaselineOrder():
                return []
            case BatchOrder():
                return [*dict.fromkeys(needed for one in order.orders for needed in self.inputs_of(one))]
            case ProbeOrder():
                return [Path(order.probes)]
        masks = [mask for mask in (order.input_mask, order.last_calls) if mask is not None]
        return [*_slices_in(order.baseline), *(_excerpt(mask, order.first, order.last) for mask in masks)]

    def outputs_of(self, order: Order) -> list[Path]:
        """Return the slice or the rows that an order makes."""
        match order:
            case BaselineOrder():
                return [slice_path(Path(order.baseline), order.first)]
            case ProbeOrder():
                return [Path(order.rows)]
        return []

    def moved(self, order: Order, root: Path) -> Order:
        """Return an order with its paths below a root."""
        match order:
            case BatchOrder():
                return replace(order, orders=tuple(_moved_mutant(one, root) for one in order.orders))
            case ProbeOrder():
                probes, rows = _moved(order.probes, root), _moved(order.rows, root)
                return replace(order, probes=probes, rows=rows)
            case MutantOrder():
                return _moved_mutant(order, root)
        return replace(order, baseline=_moved(order.baseline, root))

    def worker(self, root: Path) -> OpenWorker[Order, Answer]:
        """Return what opens a worker of the job that lies below a root."""
        return partial(self._moved_zygote, root)

    def _moved_zygote(self, root: Path, folder: Path) -> AbstractContextManager[Worker[Order, Answer]]:
        """Open the worker of the job below a root, whose suite is there, too."""
        there = below(root, self.job)
        moved = there.with_name("moved.json")
        described = RunJob.read(there)
        replace(described, suite=_moved(described.suite, root)).write(moved)
        return self.zygote(moved, folder)


def _slices_in(folder: str) -> list[Path]:
    return sorted(Path(folder).glob(slice_path(Path(), 0).with_stem("*").name)) if folder else []


def _moved_mutant(order: MutantOrder, root: Path) -> MutantOrder:
    masks = (order.input_mask, order.last_calls)
    moved = [None if mask is None else replace(mask, path=_moved(mask.path, root)) for mask in masks]
    return replace(order, baseline=_moved(order.baseline, root), input_mask=moved[0], last_calls=moved[1])


def _moved(path: str, root: Path) -> str:
    return str(below(root, path)) if path else path


def _excerpt(mask: InputMask, first: int, last: int) -> Excerpt:
    """Return the bytes of a row that hold the bits of inputs `first` to `last - 1`."""
    start = first >> 3
    return Excerpt(mask.path, mask.offset + start, ((last + 7) >> 3) - start)
