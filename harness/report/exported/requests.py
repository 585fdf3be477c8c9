"""The request to `harness.observing.process`, and its answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from harness.kernel.running.job import RunJob


@dataclass(frozen=True)
class ExpectedRequest:
    """Run the original on each input of a suite."""

    job: RunJob


@dataclass(frozen=True)
class FileFacts:
    """Facts that a file of pytest needs besides its cases.

    Attributes:
        classes: by class name, its builder in the file and its fields.
        functions: the targets that are functions.
        abstract: whether the spec has an abstraction.
        keywords: by target, the parameters that are passed by name.
        has_state: whether there is a pre-state.
        omitted: a pattern of the fields that are not compared.
        unordered: the fields whose dicts are compared without an order.
        keeps_state: whether inputs leave something in the module, which is to be loaded afresh for each.
    """

    classes: Mapping[str, tuple[str, tuple[str, ...]]]
    functions: tuple[str, ...] = ()
    abstract: bool = False
    keywords: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    has_state: bool = True
    omitted: str = ""
    unordered: tuple[str, ...] = ()
    keeps_state: bool = False


@dataclass(frozen=True)
class ExportedCases:
    """The cases, each a target's number and source text, and what the file needs besides."""

    cases: tuple[tuple[int, str], ...]
    facts: FileFacts
