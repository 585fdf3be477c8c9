"""Rename in rope: a field, a method, a variable, a parameter or a global, to a name that may be taken."""

from harness.programs import Cause, Grammar, fault_of, statement_forms

title = "Rename"
implementation = "rope.refactor.rename"
driver = "../engine/renaming.py"
helpers = [
    "Rename.__init__", "Rename.get_old_name", "Rename.get_changes", "Rename._is_allowed_to_move",
    "rename_in_module", "_is_local",
]  # fmt: skip

GRAMMAR = Grammar(
    shapes={
        "field": "body", "field taken": "body", "field below": "body", "method": "body",
        "method overridden": "body", "method taken": "body", "method taken below": "body", "local": "body",
        "local taken": "body", "parameter": "body", "global": "body", "nonlocal": "body",
    },
    statements={
        "read": True, "write": True, "augment": True, "delete": False, "loop": True, "format": False,
        "format nested": True, "keyword": True, "text": False, "take": True, "catch": True, "import": False,
        "match": True, "inner": True, "inner class": False, "star": True, "own keyword": True, "walrus": True,
    },
    expressions={
        "one": 0, "argument": 0, "name": 0, "other": 0, "elements": 0, "inside": 0, "function": 1, "default": 1,
        "named": 1, "sum": 2,
    },
)  # fmt: skip


def rep_ok(program):
    """Every form has its parts, and the whole is a tree."""
    return GRAMMAR.accepts(program)


def invariant(program, heap):
    """The same as a formula."""
    return GRAMMAR.invariant(program, heap)


def finitization(scope):
    """Programs of at most `scope` expressions, and half as many statements."""
    f = GRAMMAR.finitization(scope)
    f.method("refactor")
    return f


CAUSES = [
    Cause("new name of a field taken", lambda p, why: why.oracle == "behaviour" and p.shape == "field taken"),
    Cause(
        "new name of a method taken", lambda p, why: why.oracle == "behaviour" and p.shape.startswith("method taken")
    ),
    Cause("new name of a variable taken", lambda p, why: why.oracle == "behaviour" and p.shape == "local taken"),
    Cause("prefix of a formatted text", lambda p, why: why.oracle in ("crash", "parse") and _formats(p)),
    Cause("nonlocal variable that is assigned", lambda p, why: why.oracle == "compile" and p.shape == "nonlocal"),
    Cause("local variable imported as well", lambda p, why: why.oracle == "crash" and "import" in statement_forms(p)),
    Cause("global variable imported as well", lambda p, why: p.shape == "global" and "import" in statement_forms(p)),
]


def _formats(program):
    return not statement_forms(program).isdisjoint(["format", "format nested"])


def fault(program, result, raised):
    """What is wrong with what rope makes of a program."""
    return fault_of(program, result, raised, CAUSES, "rope")
