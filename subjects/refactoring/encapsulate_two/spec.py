"""Encapsulate field in rope: a class with two fields, one of which is encapsulated."""

from harness.programs import Cause, Grammar, fault_of, statements_of

title = "EncapsulateField.SingleClassTwoFields"
implementation = "rope.refactor.encapsulate_field"
driver = "../engine/encapsulating.py"
helpers = [
    "EncapsulateField.__init__", "EncapsulateField.get_changes", "EncapsulateField._is_an_attribute",
    "EncapsulateField._get_defining_class_scope", "EncapsulateField._get_defining_scope",
    "EncapsulateField._change_holding_module", "GetterSetterRenameInModule.__init__",
    "GetterSetterRenameInModule.get_changed_module", "_FindChangesForModule.__init__",
    "_FindChangesForModule.get_changed_module", "_FindChangesForModule._manage_writes",
    "_FindChangesForModule._is_assigned_in_a_tuple_assignment",
]  # fmt: skip

GRAMMAR = Grammar(
    shapes={
        "two": "body", "two alike": "body", "two accessors": "body",
    },
    statements={
        "read": True, "write": True, "augment": True, "write other": True, "exchange": False,
    },
    expressions={
        "one": 0, "field": 0, "other": 0, "sum": 2,
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
    Cause("field with the name of the getter", lambda p, why: p.shape == "two accessors"),
    Cause("precedence in augmented assignment", lambda p, why: why.oracle == "behaviour" and _is_loose(p)),
]


def _is_loose(program):
    """Whether some augmented assignment has a value that binds less than its operator."""
    return any(s.form == "augment" and s.value.form == "sum" for s in statements_of(program))


def fault(program, result, raised):
    """What is wrong with what rope makes of a program."""
    return fault_of(program, result, raised, CAUSES, "rope")
