"""The type profile of a subject: observed once in the sandbox, on a suite that depends on the subject alone."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from harness import resources
from harness.checksums import read_whole, write_whole
from harness.codec.codec import codec_of
from harness.errors import EndlessSpecError, MutascopeError, SpecError, StoreError, UsageError
from harness.generators.registry import find_generator
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.running.job import InputsObserved, RunJob, TypeObservation
from harness.model.experiment import Trial
from harness.model.subject import Subject
from harness.mutation.program import TypeProfile
from harness.runner.logs import LOGGER
from harness.runner.progress import progress_count
from harness.runner.subjects import has_finitization
from harness.runner.suites import SuiteTooLarge, bounded_suite, ensure_suite
from harness.sandbox.ask import Question, ask

LARGEST_SCOPE = 4
"""Largest scope of a suite on which types are observed: it reaches every statement of the subjects, or nearly."""

MOST_OBSERVED = 100_000
"""Candidates and inputs of such a suite at the most, but at the smallest scope that has any."""

_VERSION = 2
"""The version of the profiles' format and of the way they are observed."""

_observed: dict[str, TypeProfile] = {}
"""Type profiles by the subject's content hash."""


def observe_types(subject: Subject) -> TypeProfile:
    """Run the original on a suite under observation, in the sandbox; once for each content, kept in the cache.

    The suite is Korat's (BEAPI's, of a spec that has sequences only), at the `profile_scope` of the spec. Where the
    spec has none, it is the largest scope up to LARGEST_SCOPE that the spec allows and that takes no more than
    MOST_OBSERVED candidates and inputs. It is the same for every experiment, so a subject has one mutant set.

    Raises:
        MutascopeError: the suite cannot be made, or the original does not load or end.
    """
    profile = _observed.get(subject.content_hash)
    if profile is None:
        profile = _observed[subject.content_hash] = _profile_of(subject)
    return profile


def _profile_of(subject: Subject) -> TypeProfile:
    key_parts = [subject.content_hash, find_generator(_generator(subject)).version, LARGEST_SCOPE, MOST_OBSERVED]
    profile = cached_profile(subject.name, key_parts, lambda: _observe(subject, _suite_to_observe(subject)))
    for target, words in sorted(profile["refused"].items()):
        LOGGER.warning(
            "%s: target %r raises TypeError on every input tried at scope %d (%s); correct its arguments in %s",
            subject.name, target, profile["scope"], words, subject.spec_path,
        )  # fmt: skip
    return TypeProfile.from_json(profile["profile"])


def _generator(subject: Subject) -> str:
    return "korat" if has_finitization(subject) else "beapi"


def _suite_to_observe(subject: Subject) -> SuiteReader:
    trial = partial(Trial, subject.name, _generator(subject))
    if subject.profile_scope is not None:
        return ensure_suite(subject, trial(subject.profile_scope))
    observed: SuiteReader | None = None
    refused: MutascopeError | None = None
    for scope in range(1, LARGEST_SCOPE + 1):
        try:
            if observed is None:
                observed = ensure_suite(subject, trial(scope))
            else:
                observed = bounded_suite(subject, trial(scope), MOST_OBSERVED)
        except SuiteTooLarge:
            LOGGER.info("%s: types are observed below scope %d, which is too large", subject.name, scope)
            break
        except (SpecError, UsageError) as error:  # some specs have no input, or allow none, at some scopes
            if isinstance(error, EndlessSpecError):  # a clock must not decide which mutants there are
                raise _with_remedy(error, subject, scope) from None
            refused = refused or error
        except MutascopeError as error:
            raise _with_remedy(error, subject, scope) from None
    if observed is not None:
        return observed
    assert refused is not None
    raise refused


def _with_remedy(error: MutascopeError, subject: Subject, scope: int) -> MutascopeError:
    """Return the error; if only the observation is at this scope, with advice on how to change it."""
    if scope == 1:
        return error
    return type(error)(
        f"{error}; types of {subject.name} are observed at scope {scope}, unless profile_scope in "
        f"{subject.spec_path} says otherwise"
    )


def _observe(subject: Subject, suite: SuiteReader) -> dict[str, Any]:
    """Run the original on a suite; return the types, the words of targets that refuse all arguments, and the scope."""
    scope = suite.header.scope
    question = Question(
        process="harness.observing.process",
        request=RunJob.of_suite(subject, suite),
        answer=TypeObservation,
        work=f"{subject.name}: the original, run on its suite of scope {scope} to observe types,",
        interim=InputsObserved,
        readable=[suite.folder],
        error=MutascopeError,
        remedy=f"correct {subject.source_path}, or set a smaller profile_scope in {subject.spec_path}",
    )
    with progress_count(f"observe types of {subject.name} at scope {scope}") as show_line:

        def show(observed: InputsObserved, at: str) -> None:
            show_line(f"{observed.observed:,} of {observed.chosen:,} inputs")

        return {**codec_of(TypeObservation).to_data(ask(question, show)), "scope": scope}


def cached_profile(
    name: str, key_parts: Sequence[object], observe: Callable[[], Mapping[str, Any]]
) -> Mapping[str, Any]:
    """Return a profile from the cache, or observe it and keep it there.

    Args:
        name: the name of the target in messages.
        key_parts: the parts that the profile depends on, besides the version of Python, as JSON values.

    Raises:
        MutascopeError: as `observe`.
    """
    key = hashlib.sha256(json.dumps([_VERSION, *key_parts, *sys.version_info[:2]]).encode()).hexdigest()[:16]
    path = resources.cache_folder() / "profiles" / f"{name}-{key}.json"
    stored = read_whole(path)
    if stored is not None:
        return stored
    observed = observe()
    with suppress(StoreError, OSError):  # then the next command observes it again
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, observed)
    return observed
