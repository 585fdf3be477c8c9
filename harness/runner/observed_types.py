"""The type profile of a subject: observed once in the sandbox, on a suite that depends on the subject alone."""

from __future__ import annotations

import hashlib
import json
import sys
from contextlib import suppress
from functools import partial
from typing import Any

from harness import resources
from harness.checksums import read_whole, write_whole
from harness.errors import MutascopeError, StoreError
from harness.generators.job import patience
from harness.generators.registry import find_generator
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.running.job import RunJob
from harness.model.experiment import Trial
from harness.model.subject import Subject
from harness.mutation.profile import TypeProfile
from harness.runner.logs import LOGGER
from harness.runner.progress import progress_count
from harness.runner.subjects import has_finitization
from harness.runner.suites import TooLarge, bounded_suite, ensure_suite
from harness.sandbox.folders import own_folder
from harness.sandbox.listening import Listener
from harness.sandbox.process import SandboxedProcess, WorkerDied

LARGEST_SCOPE = 4
"""Largest scope of a suite on which types are observed: it reaches every statement of the subjects, or nearly."""

MOST_OBSERVED = 100_000
"""Candidates and inputs of such a suite at the most, but at the smallest scope that has any."""

_VERSION = 1
"""Of what a kept profile is made from."""

_observed: dict[str, TypeProfile] = {}
"""By the subject's content hash."""


def observe_types(subject: Subject) -> TypeProfile:
    """Run the original on a suite under observation, in the sandbox; once for each content, kept in the cache.

    The suite is Korat's (BEAPI's, of a spec that has sequences only), at the `profile_scope` of the spec. Where the
    spec has none, it is the largest scope up to LARGEST_SCOPE that the spec allows and that takes no more than
    MOST_OBSERVED candidates and inputs. It does not depend on what is run, so a subject has one mutant set.

    Raises:
        MutascopeError: the suite cannot be made, or the original does not load or end.
    """
    found = _observed.get(subject.content_hash)
    if found is None:
        found = _observed[subject.content_hash] = _kept(subject)
    return found


def _kept(subject: Subject) -> TypeProfile:
    generator = find_generator(_generator(subject))
    python = sys.version_info[:2]
    made_from = [_VERSION, subject.content_hash, generator.version, LARGEST_SCOPE, MOST_OBSERVED, *python]
    key = hashlib.sha256(json.dumps(made_from).encode()).hexdigest()[:16]
    path = resources.cache_folder() / "profiles" / f"{subject.name}-{key}.json"
    data = read_whole(path)
    if data is None:
        data = _observe(subject, _suite_to_observe(subject))
        with suppress(StoreError):  # then it is observed again by the next command
            write_whole(path, data)
    for target, said in sorted(data["refused"].items()):
        LOGGER.warning(
            "%s: target %r raises TypeError on every input tried at scope %d (%s); correct its arguments in %s",
            subject.name, target, data["scope"], said, subject.spec_path,
        )  # fmt: skip
    return TypeProfile.from_json(data["profile"])


def _generator(subject: Subject) -> str:
    return "korat" if has_finitization(subject) else "beapi"


def _suite_to_observe(subject: Subject) -> SuiteReader:
    trial = partial(Trial, subject.name, _generator(subject))
    if subject.profile_scope is not None:
        return ensure_suite(subject, trial(subject.profile_scope))
    found: SuiteReader | None = None
    refused: MutascopeError | None = None
    for scope in range(1, LARGEST_SCOPE + 1):
        try:
            if found is None:
                found = ensure_suite(subject, trial(scope))
            else:
                found = bounded_suite(subject, trial(scope), MOST_OBSERVED)
        except TooLarge:
            LOGGER.info("%s: types are observed below scope %d, which is too large", subject.name, scope)
            break
        except MutascopeError as error:  # some specs have no input, or allow none, at some scopes
            refused = refused or error
    if found is not None:
        return found
    assert refused is not None
    raise refused


def _observe(subject: Subject, suite: SuiteReader) -> dict[str, Any]:
    """The types seen, what targets that refuse all their arguments said, and the scope of the suite."""
    scope = suite.header.scope
    job = RunJob.of(subject, suite)
    with own_folder() as folder, progress_count(f"observe types of {subject.name} at scope {scope}") as shown:
        path = folder / "job.json"
        job.write(path)
        with SandboxedProcess("harness.kernel.running.profiling", str(path), readable=[path, suite.folder]) as child:
            try:
                listener = Listener(child, patience())
                while "profile" not in (fact := listener.fact()):
                    shown(str(fact["progress"]))
            except WorkerDied as death:
                raise MutascopeError(
                    f"{subject.name}: the original, run on its suite of scope {scope} to observe types, "
                    f"failed {' '.join(death.how.split())}; correct {subject.source_path}, or set a smaller "
                    f"profile_scope in {subject.spec_path}"
                ) from None
    return {"profile": fact["profile"], "refused": fact["refused"], "scope": scope}
