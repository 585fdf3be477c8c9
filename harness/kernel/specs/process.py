"""The process that executes specs for the orchestrator, which executes none.

Its arguments are REQUEST, a file of `SPECS`, and the pipe ends ORDERS and FACTS. It tells the
descriptions of each spec in turn. An error ends it, unless it is of the bounds of sequences.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import resource
from collections.abc import Iterator
from pathlib import Path

from harness.codec.codec import codec_of
from harness.errors import SpecError
from harness.kernel.process.talk import FactWriter, Heartbeats, telling
from harness.kernel.specs.described import SPECS, DescribedBounds, SpecConstants, SpecToDescribe
from harness.kernel.specs.spec import Spec, load_spec
from harness.model.finitization import Finitization
from harness.model.interface import Interface
from harness.model.sequence import SequenceScope

LONGEST_FACT = 1 << 24
"""Bytes of described bounds at the most."""

MEMORY = 1 << 32
"""Bytes of address space, so that an endless list ends as an error."""

Description = SpecConstants | DescribedBounds | Interface | SpecError
"""A part of a spec's description: constants first, then bounds at each scope; an interface if it has only sequences.

Bounds of sequences come last, or the error that makes them unusable: it concerns only what needs them.
"""


def main(arguments: list[str]) -> int:
    """Tell all descriptions; errors of the user's making are told, too. Return the exit status."""
    try:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    except (ValueError, OSError):
        pass  # a lower limit is set already, or the system has none
    job_path, _, facts_end = arguments
    specs = SPECS.of_json(Path(job_path).read_bytes())

    def work(teller: FactWriter, _beats: Heartbeats) -> None:
        for spec in specs:
            for description in _describe(spec):
                if isinstance(description, SpecError):
                    teller.fail(description)
                else:
                    teller.write(codec_of(type(description)).to_data(description))

    return telling(facts_end, work, beating=False)


def _describe(request: SpecToDescribe) -> Iterator[Description]:
    """Yield the description of one spec.

    Raises:
        SpecError: it is unusable, or its bounds are at one of the scopes.
    """
    spec = load_spec(request.source, request.filename)
    _check_returns(spec, request.source, request.filename)
    is_file = spec.implementation.endswith(".py")
    origin = None if is_file else _source_file(spec.implementation)
    settings = (spec.finitization_of is not None, spec.driver, spec.profile_scope)
    yield SpecConstants(spec.title, spec.implementation, spec.blocked, spec.helpers, origin, *settings)
    for scope in request.scopes_with(spec.profile_scope):
        if spec.finitization_of is None:
            bounds = spec.declared_sequences(scope)
            _described(bounds, spec.declared_sequences(scope), f"{request.filename}: sequences({scope})")
            yield Interface.of_sequences(bounds)
        else:
            again = spec.finitization(scope)
            yield _described(spec.finitization(scope), again, f"{request.filename}: finitization({scope})")
    for scope in request.sequences:
        where = f"{request.filename}: sequences({scope})"
        try:
            yield _described(spec.declared_sequences(scope), spec.declared_sequences(scope), where)
        except SpecError as error:
            yield error


def _described(
    bounds: Finitization | SequenceScope, again: Finitization | SequenceScope, where: str
) -> DescribedBounds:
    """Describe bounds that a spec has given twice.

    Raises:
        SpecError: it has given two different ones, or they are too large.
    """
    described = DescribedBounds.of(bounds)
    if described != DescribedBounds.of(again):
        raise SpecError(
            f"{where} gives other bounds each time it is called; remove randomness, clocks and state kept between calls"
        )
    if len(json.dumps(described.data)) > LONGEST_FACT:
        raise SpecError(f"{where}: the bounds are too large to be told; lower the scope")
    return described


def _check_returns(spec: Spec, source: str, filename: str) -> None:
    """Refuse a rep_ok, and an abstraction, that says nothing because no value is returned anywhere.

    Raises:
        SpecError: there is no `return` with a value.
    """
    says = {spec.rep_ok: "rejects every state", spec.abstraction: "makes all states equal"}
    for node in ast.parse(source).body:
        if not isinstance(node, ast.FunctionDef) or any(map(_gives_a_value, ast.walk(node))):
            continue
        for function, effect in says.items():
            code = getattr(function, "__code__", None)
            if code is not None and (code.co_name, code.co_firstlineno) == (node.name, node.lineno):
                raise SpecError(
                    f"{filename}:{node.lineno}: {node.name} returns no value, which {effect}; add the missing return"
                )


def _gives_a_value(node: ast.AST) -> bool:
    value = node.value if isinstance(node, ast.Return) else None
    return value is not None and not (isinstance(value, ast.Constant) and value.value is None)


def _source_file(module: str) -> str | None:
    """Return the source file of an installed module, found without executing it (its parent packages are)."""
    try:
        module_spec = importlib.util.find_spec(module)
    except BaseException:  # of a parent package, whatever it may be
        return None
    origin = None if module_spec is None else module_spec.origin
    return origin if origin and origin.endswith(".py") else None
