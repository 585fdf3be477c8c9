"""Move method in rope: a method that is moved to the class that a field is of."""

from harness.programs import Cause, Grammar, fault_of, statement_forms

title = "MoveMethod"
implementation = "rope.refactor.move"
driver = "../engine/moving.py"
helpers = [
    "create_move", "MoveMethod.__init__", "MoveMethod.get_changes", "MoveMethod._get_changes_made_by_old_class",
    "MoveMethod._get_scope_indents", "MoveMethod._get_changes_made_by_new_class", "MoveMethod.get_new_method",
    "MoveMethod._get_unchanged_body", "MoveMethod._get_body", "MoveMethod._get_self_name",
    "MoveMethod._get_new_header", "MoveMethod._get_passed_arguments_string", "MoveMethod._is_host_used",
]  # fmt: skip

GRAMMAR = Grammar(
    shapes={
        "method": "body", "renamed self": "body", "host": "body", "default": "body", "keyword only": "body",
        "stars": "body", "annotated": "body", "positional only": "body", "taken": "body",
    },
    statements={
        "read": True, "write": True, "write there": True, "exchange": True, "host": True, "inner": True,
        "inner class": False, "delete": False, "format": False, "docstring": False, "comment": True,
        "lines": False,
    },
    expressions={
        "one": 0, "argument": 0, "field": 0, "field there": 0, "itself": 0, "again": 0, "call": 1, "call there": 1,
        "function": 1, "sum": 2,
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
    Cause("self by another name", lambda p, why: why.oracle == "behaviour" and p.shape == "renamed self"),
    Cause("default in place of the argument", lambda p, why: why.oracle == "behaviour" and p.shape == "default"),
    Cause("keyword-only parameter", lambda p, why: why.is_text and p.shape == "keyword only"),
    Cause("positional-only parameter", lambda p, why: why.oracle == "crash" and p.shape == "positional only"),
    Cause("parameter called host", lambda p, why: why.is_text and p.shape == "host"),
    Cause("variable called host", lambda p, why: "host" in statement_forms(p) and _is_moved_well(p, why)),
    Cause("field that the method replaces", lambda p, why: "exchange" in statement_forms(p) and _is_moved_well(p, why)),
    Cause("method there already", lambda p, why: why.oracle == "behaviour" and p.shape == "taken"),
]


def _is_moved_well(program, why):
    """Whether the fault is not one of the method's parameters and name."""
    return why.oracle == "behaviour" and program.shape not in ("renamed self", "default", "taken")


def fault(program, result, raised):
    """What is wrong with what rope makes of a program."""
    return fault_of(program, result, raised, CAUSES, "rope")
