"""What both measuring processes share: read the job, tell the counts or the user's error, leave."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, TypeVar

from harness.errors import SourceError
from harness.kernel.process.telling import Beats, Teller, telling
from harness.kernel.program.loader import ModuleText, execute
from harness.measuring.job import CoverageJob
from harness.model.coverage import CoverageCounts

Item = TypeVar("Item")


@dataclass
class Told:
    """What a measuring process tells while it works: what begins, and how far that has come."""

    teller: Teller
    beats: Beats
    taken: int = 0
    """What `each` has yielded so far."""

    def begins(self, what: str, reached: Callable[[], int] | None = None) -> None:
        """From now on, the process does `what`; `reached` tells how far it is, else what is taken from `each`."""
        self.beats.reached = reached or (lambda: self.taken)
        self.teller.begins(what)

    def each(self, items: Iterable[Item]) -> Iterator[Item]:
        """The items, each of which is headway."""
        for item in items:
            self.taken += 1
            yield item


Measure = Callable[[CoverageJob, Told], dict[str, CoverageCounts]]


def tell_coverage(arguments: list[str], measure: Measure) -> int:
    """As `tell_facts`, where counts of a job by qualified name are measured."""

    def counts(job: CoverageJob, told: Told) -> dict[str, Any]:
        return {"coverage": {name: astuple(count) for name, count in measure(job, told).items()}}

    return tell_facts(arguments, counts)


def tell_facts(arguments: list[str], work: Callable[[CoverageJob, Told], dict[str, Any]]) -> int:
    """Does the job and writes what it gave to the facts' pipe end; errors of the user's making go out as facts.

    Args:
        arguments: JOB ORDERS FACTS, as `SandboxedProcess` passes them.
        work: what is told of a job, as JSON has it.
    """
    job_path, _, facts_end = arguments

    def told(teller: Teller, beats: Beats) -> None:
        teller.tell(work(CoverageJob.read(Path(job_path)), Told(teller, beats)))

    return telling(facts_end, told)


def load_implementation(
    text: ModuleText, code: Callable[[], CodeType] | None = None, presets: Mapping[str, object] | None = None
) -> ModuleType:
    """The implementation executed, without ticks; `code` compiles it in another way, and may need `presets`.

    Raises:
        SourceError: it does not compile, or raises.
    """
    try:
        return execute(text, code() if code else None, presets)
    except SyntaxError as error:
        raise SourceError(f"{text.filename}:{error.lineno}: {error.msg}; correct the source") from None
    except Exception as error:
        kind = type(error).__name__
        raise SourceError(f"{text.filename} raised {kind} on loading: {error}; correct the source") from None
