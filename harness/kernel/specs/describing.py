"""Describes specs for the orchestrator, which executes none (`harness.kernel.specs.process`)."""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterator

from harness.errors import SpecError
from harness.kernel.specs.described import SpecConstants
from harness.kernel.specs.described_sequences import DescribedSequences
from harness.kernel.specs.described_states import DescribedFinitization
from harness.kernel.specs.requests import SpecToDescribe
from harness.kernel.specs.spec import Spec, load_spec
from harness.model.interface import Interface

Description = SpecConstants | DescribedFinitization | Interface | DescribedSequences | SpecError
"""A part of a spec's description: constants first, then bounds at each scope; an interface if it has only sequences.

Bounds of sequences come last, or the error that makes them unusable: it concerns only what needs them.
"""


def describe(request: SpecToDescribe) -> Iterator[Description]:
    """Yield the description of one spec.

    Raises:
        SpecError: it is unusable, or its bounds are at one of the scopes.
    """
    filename = request.filename
    spec = load_spec(request.source, filename)
    _check_returns(spec, request.source, filename)
    is_file = spec.implementation.endswith(".py")
    yield SpecConstants.of(spec, None if is_file else _source_file(spec.implementation))
    for scope in request.scopes_with(spec.profile_scope):
        bounds = _bounds(spec, scope)
        if _bounds(spec, scope) != bounds:
            function = "sequences" if isinstance(bounds, Interface) else "finitization"
            raise _other_bounds(filename, f"{function}({scope})")
        yield bounds
    for scope in request.sequences:
        yield _sequences(spec, scope, filename)


def _bounds(spec: Spec, scope: int) -> DescribedFinitization | Interface:
    if spec.finitization_of is None:
        return Interface.of_sequences(spec.declared_sequences(scope))
    return DescribedFinitization.of(spec.finitization(scope))


def _sequences(spec: Spec, scope: int, filename: str) -> DescribedSequences | SpecError:
    try:
        sequences = DescribedSequences.of(spec.declared_sequences(scope))
        again = DescribedSequences.of(spec.declared_sequences(scope))
    except SpecError as error:
        return error
    return sequences if again == sequences else _other_bounds(filename, f"sequences({scope})")


def _other_bounds(filename: str, function: str) -> SpecError:
    return SpecError(
        f"{filename}: {function} gives other bounds each time it is called; remove randomness, clocks and state kept "
        "between calls"
    )


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
    if not isinstance(node, ast.Return) or node.value is None:
        return False
    return not (isinstance(node.value, ast.Constant) and node.value.value is None)


def _source_file(module: str) -> str | None:
    """Return the source file of an installed module, found without executing it (its parent packages are)."""
    try:
        module_spec = importlib.util.find_spec(module)
    except BaseException:  # of a parent package, whatever it may be
        return None
    origin = None if module_spec is None else module_spec.origin
    return origin if origin and origin.endswith(".py") else None
