"""Extract variable in rope: an expression, wherever it stands."""

from harness.programs import Cause, Grammar, expression_forms, fault_of

title = "ExtractVariable"
implementation = "rope.refactor.extract"
driver = "../engine/extracting.py"
helpers = [
    "_ExtractRefactoring.__init__", "_ExtractRefactoring._fix_start", "_ExtractRefactoring._fix_end",
    "_ExtractRefactoring.get_changes", "ExtractVariable.__init__", "_ExtractPerformer.extract",
    "_ExtractPerformer._replace_occurrences", "_ExceptionalConditionChecker.__call__",
    "_ExceptionalConditionChecker.base_conditions", "_ExceptionalConditionChecker.one_line_conditions",
    "_ExtractVariableParts.get_definition", "_ExtractVariableParts.get_body_pattern",
    "_ExtractVariableParts.get_replacement_pattern", "_ExtractVariableParts.get_checks",
]  # fmt: skip

GRAMMAR = Grammar(
    shapes={
        "expression": "value", "operand": "value", "element": "value", "condition": "value", "branch": "value",
        "turn": "value", "format": "value", "function": "value", "default": "value", "second": "value",
        "after": "value",
    },
    statements={},
    expressions={
        "one": 0, "argument": 0, "other": 0, "field": 0, "loop variable": 0, "elements": 0, "named": 1,
        "function": 1, "sum": 2, "choice": 2, "pair": 2,
    },
)  # fmt: skip


def rep_ok(program):
    """Every form has its parts, and the whole is a tree."""
    return GRAMMAR.accepts(program)


def invariant(program, heap):
    """The same as a formula."""
    return GRAMMAR.invariant(program, heap)


def finitization(scope):
    """Programs of at most `scope` expressions."""
    f = GRAMMAR.finitization(scope)
    f.method("extract_variable")
    return f


INNER = ("element", "function")
CAUSES = [
    Cause("name of another scope", lambda p, why: "NameError" in why.signature and p.shape in INNER),
    Cause("operand that was not evaluated", lambda p, why: why.oracle == "behaviour" and p.shape == "second"),
    Cause("condition of a loop", lambda p, why: why.oracle == "behaviour" and p.shape == "turn"),
    Cause("condition of elif", lambda p, why: why.is_text and p.shape == "branch"),
    Cause("behind a semicolon", lambda p, why: why.oracle == "behaviour" and p.shape == "after"),
    Cause(
        "assignment expression", lambda p, why: "named" in expression_forms(p) and p.shape in ("element", "function")
    ),
]


def fault(program, result, raised):
    """What is wrong with what rope makes of a program."""
    return fault_of(program, result, raised, CAUSES, "rope")
