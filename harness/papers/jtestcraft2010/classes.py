"""Reads facts of the seven classes from their sources: methods under test, private methods, lines."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from harness.papers.own import shipped_subject

SUBJECTS = {
    "IntStack": "jtc_int_stack",
    "UBStack": "jtc_ub_stack",
    "BinSearchTree": "jtc_bin_search_tree",
    "BinomialHeap": "jtc_binomial_heap",
    "LinkedList": "jtc_linked_list",
    "TreeMap": "jtc_tree_map",
    "HeapArray": "jtc_heap_array",
}
"""Our subjects that are the paper's classes, by title, in the order of Table 6.1."""


@dataclass(frozen=True)
class ClassFacts:
    """One row of Table 6.1: names of methods, and the lines of the file, comments and blank ones included."""

    tested: tuple[str, ...]
    private: tuple[str, ...]
    lines: int


def class_facts(title: str) -> ClassFacts:
    """Return the facts of one of SUBJECTS; its spec is read and not executed."""
    texts = shipped_subject(SUBJECTS[title])
    assert texts is not None, title
    return ClassFacts(
        tested=tuple(_routines(ast.parse(texts.spec_source))),
        private=tuple(_private(ast.parse(texts.source), title)),
        lines=len(texts.source.splitlines()),
    )


def _routines(spec: ast.Module) -> Iterator[str]:
    """Yield the methods that `sequences` names."""
    for function in spec.body:
        if isinstance(function, ast.FunctionDef) and function.name == "sequences":
            for node in ast.walk(function):
                match node:
                    case ast.Call(ast.Attribute(attr="method"), [ast.Constant(str(name)), *_]):
                        yield name


def _private(module: ast.Module, title: str) -> Iterator[str]:
    """Yield the methods of the class itself whose names begin with one underscore."""
    for node in module.body:
        if isinstance(node, ast.ClassDef) and node.name == title:
            names = (method.name for method in node.body if isinstance(method, ast.FunctionDef))
            yield from (name for name in names if name.startswith("_") and not name.startswith("__"))
