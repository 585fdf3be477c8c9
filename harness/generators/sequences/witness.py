"""Executes calls a second time by the general path, and compares the results with those of the fast path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from harness.errors import SpecError
from harness.generators.sequences.calls import CallChoice
from harness.generators.sequences.replay import CallFailed, ReplayExecutor
from harness.generators.sequences.snapshot_execution import SnapshotExecutor
from harness.generators.sequences.structures import CallResult, SeenStructures, Structure
from harness.generators.shortcuts import Shortcuts, WrongShortcut
from harness.kernel.inputs.call_source import show_sequence

_WHERE = "where its state is made from bytes than where all calls are executed again"

AGAIN = "the results were dropped, and every sequence was executed again, which takes longer"


class Contradicted(WrongShortcut):
    """Sequences executed again lead to other results than the fast path's, so none of these can be relied on.

    Something outside of states has an influence: a global object of the program, time, chance, or earlier calls.
    """

    def remaining(self, shortcuts: Shortcuts) -> Shortcuts:
        return replace(shortcuts, restores=False)


class ReplayComparison(ReplayExecutor):
    """Executes calls from the constructor on, and compares the keys of both paths for the objects that they leave.

    Args:
        path: the fast path, of which only the keys of objects are used.
        others: the arguments from which `path` was made.
    """

    def __init__(self, path: SnapshotExecutor, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._path = path
        self._keys: dict[bytes, bytes] = {}
        self._forms: dict[bytes, bytes] = {}

    def key_and_bytes(self, root: Any) -> tuple[bytes | None, bytes]:
        """Return the key of the fast path, after a comparison with the canonical form, if there is one.

        Raises:
            Contradicted: one of them distinguishes states that the other does not.
        """
        key = self._path.key(root)
        try:
            form = self.matcher.key(root)
        except SpecError:  # too deep for a canonical form, but not for a key
            form = b"" if self.matcher.is_within(root) else None
        if (key is None) != (form is None):
            raise Contradicted(
                "leaves a structure that only one of two ways of counting takes for one within the bounds"
            )
        if key and form and (self._forms.setdefault(key, form) != form or self._keys.setdefault(form, key) != key):
            raise Contradicted("leaves a structure that only one of two ways of matching counts as a new one")
        return key, b""

    def look(
        self,
        parts: Sequence[Structure],
        choices: Sequence[CallChoice],
        call_results: Sequence[CallResult],
        failure: CallFailed | None,
        seen_structures: SeenStructures | None,
    ) -> None:
        """Compare the results of the fast path for calls on parts: the new structures, or a failure.

        Raises:
            Contradicted: the calls behave differently.
            NotCompilable: the calls leave an object for which no function is compiled.
        """
        try:
            results = self._replay_results(parts, choices)
        except Contradicted as reason:
            raise self._contradiction(parts, self.at or choices[0], str(reason)) from None
        except SpecError as error:
            raise Contradicted(str(error)) from None
        if isinstance(results, CallFailed) or failure is not None:
            self._compare_failures(parts, results if isinstance(results, CallFailed) else None, failure)
        else:
            new = [
                _compared_fields(one) for one in results if seen_structures is None or one.key not in seen_structures
            ]
            for one, other in zip_longest(new, map(_compared_fields, call_results)):
                if one != other:
                    raise self._contradiction(parts, (one or other)[0], f"leads to another structure {_WHERE}")
        self.look_around()

    def look_around(self) -> None:
        """Check that the program stores no objects of states, which it could recognise later.

        Raises:
            Contradicted: it stores one, from which it would distinguish a copy.
        """
        cls = self._path.class_of_stored_object()
        if cls is not None:
            raise Contradicted(
                f"a {cls.__qualname__} that a call has made is kept in a global variable, a class or a function, "
                "where copies of it are not the same"
            )

    def _compare_failures(
        self, parts: Sequence[Structure], replay_failure: CallFailed | None, path_failure: CallFailed | None
    ) -> None:
        one, other = ((type(f.error), f.choice) if f is not None else None for f in (replay_failure, path_failure))
        if one != other:
            failed = replay_failure or path_failure
            assert failed is not None
            raise self._contradiction(parts, failed.choice, f"raises another exception {_WHERE}")

    def _replay_results(
        self, parts: Sequence[Structure], choices: Sequence[CallChoice]
    ) -> list[CallResult] | CallFailed:
        try:
            return self.extend(parts, choices)
        except CallFailed as failure:
            return failure

    def _contradiction(self, parts: Sequence[Structure], choice: CallChoice, difference: str) -> Contradicted:
        text = show_sequence(self._routines.scope, self._rows.calls(parts, choice))
        return Contradicted(f"{text} {difference}")


def _compared_fields(call_result: CallResult) -> tuple[CallChoice, int, tuple[str, ...], bytes]:
    """Return all fields but the bytes, which include omitted fields."""
    return call_result.choice, call_result.result, call_result.names, call_result.key
