"""Extract method in rope: the statements of a method, or an expression in it."""

from harness.programs import Cause, Grammar, expression_forms, fault_of, statement_forms

title = "ExtractMethod"
implementation = "rope.refactor.extract"
driver = "../engine/extracting.py"
helpers = [
    "_ExtractRefactoring.__init__", "_ExtractRefactoring._fix_start", "_ExtractRefactoring._fix_end",
    "_ExtractRefactoring.get_changes", "_ExtractPerformer.extract", "_ExtractPerformer._replace_occurrences",
    "_ExceptionalConditionChecker.__call__", "_ExceptionalConditionChecker.base_conditions",
    "_ExceptionalConditionChecker.one_line_conditions", "_ExceptionalConditionChecker.multi_line_conditions",
    "_ExtractMethodParts.get_definition", "_ExtractMethodParts.get_replacement_pattern",
    "_ExtractMethodParts._get_function_definition", "_ExtractMethodParts._get_function_signature",
    "_ExtractMethodParts._get_self_name", "_ExtractMethodParts._get_function_call",
    "_ExtractMethodParts._find_function_arguments", "_ExtractMethodParts._find_function_returns",
]  # fmt: skip

GRAMMAR = Grammar(
    shapes={
        "statements": "body", "statements in loop": "body", "statements in branch": "body",
        "statements in try": "body", "expression": "value", "element": "value", "format": "value",
        "function": "value", "after": "value",
    },
    statements={
        "read": True, "write": True, "augment": True, "field": True, "delete": False, "loop": True, "branch": True,
        "inner": True, "catch": True, "comprehension": False, "star": True, "import": False, "leave": True,
        "go on": True, "lines": False,
    },
    expressions={
        "one": 0, "argument": 0, "other": 0, "field": 0, "loop variable": 0, "elements": 0, "named": 1,
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
    f.method("extract_method")
    return f


INNER = ("element", "function")
CAUSES = [
    Cause("name of another scope", lambda p, why: "NameError" in why.signature and p.shape in INNER),
    Cause("imported name", lambda p, why: why.oracle == "behaviour" and "import" in statement_forms(p)),
    Cause("starred target", lambda p, why: "star" in statement_forms(p)),
    Cause("deleted variable", lambda p, why: why.oracle == "behaviour" and "delete" in statement_forms(p)),
    Cause("variable set in try", lambda p, why: why.oracle == "behaviour" and p.shape == "statements in try"),
    Cause("name that a comprehension has, too", lambda p, why: "comprehension" in statement_forms(p)),
    Cause("assignment expression", lambda p, why: "named" in expression_forms(p)),
]


def fault(program, result, raised):
    """What is wrong with what rope makes of a program."""
    return fault_of(program, result, raised, CAUSES, "rope")
