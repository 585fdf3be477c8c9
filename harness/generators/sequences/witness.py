"""Executes calls a second time by the general path, and compares the results with those of the fast path."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from harness.errors import SpecError
from harness.generators.sequences.anew import Anew, CallFailed
from harness.generators.sequences.calls import Choice
from harness.generators.sequences.restored import Restored
from harness.generators.sequences.structures import Known, Made, Structure
from harness.kernel.inputs.written_calls import show_sequence

_WHERE = "where its state is made from bytes than where all is executed anew"

AGAIN = "what was found was thrown away, and every sequence executed anew, which takes longer"


class Contradicted(Exception):
    """Sequences executed again lead to other results than the fast path's, so none of these can be relied on.

    Something outside of states has an influence: a global object of the program, time, chance, or earlier calls.
    """


class Witness(Anew):
    """Executes calls from the constructor on, and compares the keys of both paths for the objects that they leave.

    Args:
        path: the fast path, of which only the keys of objects are used.
        others: the arguments from which `path` was made.
    """

    def __init__(self, path: Restored, *others: Any) -> None:
        super().__init__(*others)
        self._path = path
        self._keys: dict[bytes, bytes] = {}
        self._forms: dict[bytes, bytes] = {}

    def told(self, root: Any) -> tuple[bytes | None, bytes]:
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
            raise Contradicted("leaves a structure that only one of two ways of matching tells from another one")
        return key, b""

    def look(
        self,
        parts: Sequence[Structure],
        choices: Sequence[Choice],
        made: Sequence[Made],
        failure: CallFailed | None,
        known: Known | None,
    ) -> None:
        """Compare the results of the fast path for calls on parts: the new structures, or a failure.

        Raises:
            Contradicted: the calls behave differently.
            NotCompilable: the calls leave an object for which no function is compiled.
        """
        try:
            results = self._found(parts, choices)
        except Contradicted as reason:
            raise self._contradiction(parts, self.at or choices[0], str(reason)) from None
        except SpecError as error:
            raise Contradicted(str(error)) from None
        if isinstance(results, CallFailed) or failure is not None:
            self._compare_failures(parts, results if isinstance(results, CallFailed) else None, failure)
        else:
            new = [_told(one) for one in results if known is None or one.key not in known]
            for one, other in zip_longest(new, map(_told, made)):
                if one != other:
                    raise self._contradiction(parts, (one or other)[0], f"leads to another structure {_WHERE}")
        self.look_around()

    def look_around(self) -> None:
        """Check that the program stores no objects of states, which it could recognise later.

        Raises:
            Contradicted: it stores one, from which it would distinguish a copy.
        """
        cls = self._path.kept_by_program()
        if cls is not None:
            raise Contradicted(
                f"a {cls.__qualname__} that a call has made is kept in a global variable, a class or a function, "
                "where copies of it are not the same"
            )

    def _compare_failures(self, parts: Sequence[Structure], found: CallFailed | None, told: CallFailed | None) -> None:
        one, other = ((type(f.error), f.choice) if f is not None else None for f in (found, told))
        if one != other:
            failed = found or told
            assert failed is not None
            raise self._contradiction(parts, failed.choice, f"raises another exception {_WHERE}")

    def _found(self, parts: Sequence[Structure], choices: Sequence[Choice]) -> list[Made] | CallFailed:
        try:
            return self.extend(parts, choices)
        except CallFailed as failure:
            return failure

    def _contradiction(self, parts: Sequence[Structure], choice: Choice, what: str) -> Contradicted:
        text = show_sequence(self._routines.scope, self._rows.calls(parts, choice))
        return Contradicted(f"{text} {what}")


def _told(made: Made) -> tuple[Choice, int, tuple[str, ...], bytes]:
    """Return all fields but the bytes, which include omitted fields."""
    return made.choice, made.result, made.names, made.key
