"""A cluster of Dask: its workers, which of them may be used, and what each of them has."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, suppress
from copy import deepcopy
from dataclasses import dataclass, field
from time import monotonic, sleep
from types import TracebackType
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from harness.errors import MutascopeError, UsageError
from harness.runner.executors import dask_worker
from harness.runner.executors.cluster_file import ClusterFile
from harness.runner.executors.dask_connection import (
    CONNECTING,
    check_form,
    check_scheduler,
    in_words,
    no_scheduler,
    without_interrupts,
)
from harness.runner.logs import LOGGER, report_line
from harness.runner.provenance import provenance

if TYPE_CHECKING:
    from distributed import Client, Future

_LOOK_SECONDS = 1.0
_LOOKS_OF_WORKERS = 200
"""A look at so many workers is worth a second."""
_SILENCE = 30.0
"""Seconds without a sign of life, after which a worker's orders are given to others."""
_ANSWERING = 60.0
"""Seconds for the scheduler to answer."""
PATIENCE = 120.0
"""Seconds for a first worker to come, or for another one if none is left."""
_LEAVING = 5.0
_WITHOUT_PROFILES: Mapping[str, Any] = {
    "distributed": {
        "worker": {"profile": {"enabled": False}},
        "scheduler": {"work-stealing": False},
        "admin": {"tick": {"interval": "1s"}, "system-monitor": {"interval": "10s"}},
    }
}
"""Settings of Dask for workers of this machine. Dask profiles its worker, but mutants run in another process. Each task
names its worker, so there is none to steal. Both, and frequent looks at the machine, take a sixth of a processor.
"""
_RECORDED = ("mutascope", "python", "git_commit", "machine", "containment")
"""What a run records of the provenance of each worker."""


@dataclass(eq=False)
class Member:
    """A worker of the cluster.

    Attributes:
        address: where it is; a later one may have the same.
        number: of its process.
        name: for people.
        threads: tasks at once.
        at_work: tasks that it has.
        pieces: hashes of the pieces that it stores.
        bringing: tasks that send it such pieces.
        seen: the scheduler's time of its last sign of life, which changed last at `seen_here` by our clock.
    """

    address: str
    number: str
    name: str
    threads: int
    at_work: int = 0
    pieces: set[str] = field(default_factory=set)
    bringing: list[Any] = field(default_factory=list)
    seen: float = 0.0
    seen_here: float = 0.0
    describing: Any = None
    is_usable: bool = False
    is_silent: bool = False

    @property
    def free(self) -> int:
        """The number of tasks that it can take."""
        return self.threads - self.at_work if self.is_usable and not self.is_silent else 0


class DaskCluster:
    """A connection to a scheduler, or to a local one that is started with its workers.

    Args:
        place: the address of the scheduler, or a file that describes a cluster; None: start one here.
        jobs: processes of a local cluster.
        allowed: names of workers that are used although they have another version or fewer levels of containment.
        silence: seconds without a sign of life after which a worker is left alone.
    """

    def __init__(
        self,
        place: str | ClusterFile | None = None,
        jobs: int = 1,
        allowed: Sequence[str] = (),
        patience: float = PATIENCE,
        silence: float = _SILENCE,
    ) -> None:
        self.address = ""
        if isinstance(place, str):
            check_form(place)
            self.address = place
        self._place = place
        self.session = uuid4().hex
        self.members: dict[str, Member] = {}
        """By the number of the process."""
        self.descriptions: dict[str, dict[str, object]] = {}
        """Of the workers that are used, by name."""
        self.patience = patience
        self._silence = silence
        self._jobs = jobs
        self._allowed = frozenset(allowed)
        self._refused: dict[str, str] = {}
        self._looked = 0.0
        self._opened = ExitStack()

    def __enter__(self) -> DaskCluster:
        with ExitStack() as opening:
            self.client = self._connect(opening)
            self.address = self.client.scheduler.address
            self._own = provenance().as_dict()
            opening.callback(self._leave)
            self._await_member()
            self._opened = opening.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._opened.close()

    def _connect(self, opening: ExitStack) -> Client:
        try:
            from distributed import Client, LocalCluster
        except ImportError:
            raise UsageError(
                "--executor dask: Dask is not installed beside mutascope; install mutascope[cluster]"
            ) from None
        _silence_dask()
        try:
            target: Any = self.address
            if self.address:
                check_scheduler(self.address)
            elif isinstance(self._place, ClusterFile):
                target = opening.enter_context(closing(self._place.start()))
            else:
                with without_interrupts(), _settings(_WITHOUT_PROFILES):
                    target = opening.enter_context(
                        LocalCluster(
                            n_workers=self._jobs, threads_per_worker=1, memory_limit=0, dashboard_address=":0",
                            silence_logs=logging.CRITICAL,
                        )
                    )  # fmt: skip
            return opening.enter_context(Client(target, timeout=CONNECTING, set_as_default=False))
        except UsageError:
            raise
        except Exception as error:
            if not self.address:
                raise UsageError(
                    f"--executor dask: the workers of this machine cannot be started ({in_words(error)}); see whether "
                    "'dask worker' starts one, or use --executor local"
                ) from None
            raise no_scheduler(self.address, in_words(error)) from None

    @property
    def description(self) -> str:
        """One line for people about where it is."""
        dashboard = self.client.dashboard_link if _has_dashboard() else ""
        where = f"dashboard {dashboard}" if dashboard else f"scheduler {self.address}"
        usable = sum(member.is_usable for member in self.members.values())
        return f"Dask: {where}, {usable} worker{'s' * (usable != 1)}"

    @property
    def slots(self) -> int:
        """The number of tasks that the workers take at once."""
        return max(1, sum(member.threads for member in self.members.values() if member.is_usable))

    def submit(self, member: Member, function: Callable[..., Any], *arguments: Any, **more: Any) -> Future:
        """Have a worker, and no other, call a function."""
        return self.client.submit(
            function, *arguments, workers=[member.address], allow_other_workers=False, pure=False, retries=0, **more
        )

    def cancel(self, futures: Iterable[Future]) -> None:
        """Have no tasks worked on any more; nobody waits for that."""
        with suppress(Exception):  # the scheduler is gone, and with it what it has
            self.client.cancel([*futures], asynchronous=False)

    def retire(self, member: Member, why: str) -> None:
        """Use a worker no more."""
        if member.is_usable:
            member.is_usable = False
            report_line(f"the worker {member.name} is not used any more: {why}")

    def look(self, at_once: bool = False) -> None:
        """Look who has come, and who has gone: `members` lacks these then.

        Raises:
            MutascopeError: the scheduler is gone or says nothing.
        """
        self.check()
        pause = max(_LOOK_SECONDS, len(self.members) / _LOOKS_OF_WORKERS)
        if not at_once and monotonic() - self._looked < pause:
            return
        workers: Mapping[str, Any] = self._identity()["workers"]
        now = self._looked = monotonic()
        numbers = {facts["id"] for facts in workers.values()}
        for leaving in [one for one in self.members.values() if one.number not in numbers]:
            if leaving.describing is not None:
                self._refuse(leaving, "it left before it told its versions; is mutascope installed there?")
        self.members = {number: member for number, member in self.members.items() if number in numbers}
        for address, facts in workers.items():
            number = facts["id"]
            member = self.members.get(number)
            if member is None:
                member = Member(address, number, str(facts["name"]), int(facts["nthreads"]), seen_here=now)
                self.members[number] = member
                member.describing = self.submit(member, dask_worker.describe)
            if facts["last_seen"] != member.seen:
                member.seen, member.seen_here = facts["last_seen"], now
            self._note_silence(member, now - member.seen_here > self._silence)
            if member.describing is not None and member.describing.done():
                self._judge(member)

    def _identity(self) -> Mapping[str, Any]:
        try:
            identity: Mapping[str, Any] = self.client.sync(
                self.client.scheduler.identity, n_workers=-1, callback_timeout=_ANSWERING
            )
        except Exception as error:
            raise self._lost_scheduler(in_words(error)) from None
        return identity

    def check(self) -> None:
        """Raise a MutascopeError if the scheduler is gone."""
        if self.client.status != "running":
            raise self._lost_scheduler("the connection is closed")

    def _lost_scheduler(self, why: str) -> MutascopeError:
        return MutascopeError(
            f"the scheduler {self.address} is gone ({why}); start it again with its workers, and run the same command "
            "again, which continues"
        )

    def _note_silence(self, member: Member, is_silent: bool) -> None:
        if member.is_silent != is_silent:
            LOGGER.warning("the worker %s %s", member.name, "says nothing" if is_silent else "is heard again")
        member.is_silent = is_silent

    def _judge(self, member: Member) -> None:
        """Decide by its description whether a worker is used."""
        future, member.describing = member.describing, None
        try:
            theirs: dict[str, Any] = future.result()
        except Exception as error:
            refusal = f"it cannot be asked what it is ({in_words(error)}); install mutascope there"
        else:
            refusal = _difference(self._own, theirs)
            if not refusal or member.name in self._allowed:
                member.is_usable = True
                self.descriptions[member.name] = {name: theirs[name] for name in _RECORDED}
                LOGGER.info("the worker %s at %s is used", member.name, member.address)
                return
        self._refuse(member, refusal)

    def _refuse(self, member: Member, why: str) -> None:
        line = f"the worker {member.name} is refused: {why}"
        if self._refused.get(member.name) != line:
            self._refused[member.name] = line
            report_line(line)

    def _await_member(self) -> None:
        """Wait until a worker can be used, and no other is about to be asked."""
        until = monotonic() + self.patience
        self.look(at_once=True)
        if not self.members:
            starting = "the first" if isinstance(self._place, ClusterFile) else f"'dask worker {self.address}'"
            report_line(f"no worker yet; waiting up to {self.patience / 60:.2g} minutes for {starting}")
        while True:
            members = self.members.values()
            described_soon = [member for member in members if member.describing is not None]
            usable = [member for member in members if member.is_usable]
            if (usable and not described_soon) or monotonic() > until:
                break
            if members and not described_soon and not usable:
                break
            sleep(0.05)
            self.look(at_once=True)
        self._tell_unknown()
        if not usable:
            raise self.no_workers()

    def _tell_unknown(self) -> None:
        """Name the workers that are allowed, but not there."""
        names = {member.name for member in self.members.values()}
        for name in sorted(self._allowed - names):
            there = f"there {'are' if len(names) > 1 else 'is'} {', '.join(sorted(names)) or 'none'}"
            report_line(f"--allow-worker {name}: no worker has this name; {there}")

    def no_workers(self) -> UsageError:
        """Return the error that there is no worker to use."""
        if self._refused:
            return UsageError(
                f"the scheduler {self.address} has no worker that can be used: {'; '.join(self._refused.values())}"
            )
        return UsageError(
            f"the scheduler {self.address} has no worker; start some with 'dask worker {self.address}', and run the "
            "same command again"
        )

    def call_on_workers(self, function: Callable[..., Any]) -> None:
        """Have each worker that is heard call a function of the session; wait a moment for that."""
        members = [member for member in self.members.values() if member.is_usable and not member.is_silent]
        until = monotonic() + _LEAVING
        for future in [self.submit(member, function, self.session) for member in members]:
            with suppress(Exception):  # a worker that is lost does nothing more
                future.result(timeout=max(0.0, until - monotonic()))

    def _leave(self) -> None:
        if self.client.status == "running":
            self.call_on_workers(dask_worker.end_session)


def _difference(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> str:
    """Return in words what makes a worker unfit for the same facts; an empty text if nothing does."""
    versions = {"mutascope": "mutascope", "python": "Python", "git_commit": "commit"}
    differing = [
        f"{word} {theirs[name] or 'unknown'}, and here {ours[name] or 'unknown'}"
        for name, word in versions.items()
        if theirs[name] != ours[name]
    ]
    missing = [level for level in ours["containment"] if level not in theirs["containment"]]
    if missing:
        differing.append(f"it lacks the containment {', '.join(missing)}")
    return "; ".join(differing)


def _has_dashboard() -> bool:
    from importlib.util import find_spec

    return find_spec("bokeh") is not None


def _settings(settings: Mapping[str, Any]) -> AbstractContextManager[object]:
    """Use settings of Dask within the block, except where the user chose others than its defaults."""
    from dask import config

    merged = deepcopy(config.config)
    config.update(merged, settings, priority="new-defaults", defaults=config.merge(*config.defaults))
    return config.set(merged)


def _silence_dask() -> None:
    """Let Dask print no lines of its own: what matters is reported here."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
