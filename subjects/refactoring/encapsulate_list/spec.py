"""Encapsulate field in rope: a field that holds a list, whose elements are read and written."""

from harness.programs import Cause, Grammar, expression_forms, fault_of, statement_forms

title = "EncapsulateField.ClassArrayField"
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
        "list": "body", "class list": "body",
    },
    statements={
        "read": True, "alias": False, "write element": True, "augment element": True, "delete element": False,
        "append": True, "extend": True, "unpack list": True,
    },
    expressions={
        "one": 0, "element": 0, "slice": 0, "elements": 0,
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
    Cause("starred target", lambda p, why: "unpack list" in statement_forms(p)),
    Cause("accessors behind a comprehension", lambda p, why: "elements" in expression_forms(p)),
    Cause("list no longer extended in place", lambda p, why: {"alias", "extend"} <= statement_forms(p)),
]


def fault(program, result, raised):
    """What is wrong with what rope makes of a program."""
    return fault_of(program, result, raised, CAUSES, "rope")
