"""Encapsulate field in rope: a class with a field, and another one with a method that refers to it."""

from harness.programs import Cause, Grammar, fault_of, statement_forms, statements_of

title = "EncapsulateField.DoubleClassFieldRef"
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
        "subclass": "body", "subclass getter": "body", "holder": "body", "local": "body", "imported": "body",
        "imported subclass": "body",
    },
    statements={
        "read": True, "write": True, "augment": True, "chain": True, "delete": False, "loop": True,
        "annotate": True, "comment": True, "semicolon": True, "bracket": True, "unpack": True, "format": False,
    },
    expressions={
        "one": 0, "argument": 0, "field": 0, "called": 1, "sum": 2, "choice": 2,
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
    Cause("assignment chain", lambda p, why: why.oracle == "behaviour" and "chain" in statement_forms(p)),
    Cause("precedence in augmented assignment", lambda p, why: why.oracle == "behaviour" and _is_loose(p)),
    Cause("comment behind an assignment", lambda p, why: why.is_text and "comment" in statement_forms(p)),
    Cause("semicolon behind an assignment", lambda p, why: why.is_text and "semicolon" in statement_forms(p)),
    Cause("annotated assignment", lambda p, why: why.is_text and "annotate" in statement_forms(p)),
    Cause("target in brackets", lambda p, why: why.is_text and "bracket" in statement_forms(p)),
    Cause("target of a loop", lambda p, why: why.is_text and "loop" in statement_forms(p)),
    Cause("deletion", lambda p, why: why.is_text and "delete" in statement_forms(p)),
    Cause("getter of a subclass", lambda p, why: why.oracle == "behaviour" and p.shape == "subclass getter"),
]


def _is_loose(program):
    """Whether some augmented assignment has a value that binds less than its operator."""
    return any(s.form == "augment" and s.value.form in ("sum", "choice") for s in statements_of(program))


def fault(program, result, raised):
    """What is wrong with what rope makes of a program."""
    return fault_of(program, result, raised, CAUSES, "rope")
