"""Inline in rope: a local variable, a function or a method, wherever it is used."""

from itertools import takewhile

from harness.programs import Cause, Grammar, expression_forms, fault_of, statement_forms, statements_of

title = "Inline"
implementation = "rope.refactor.inline"
driver = "../engine/inlining.py"
helpers = [
    "create_inline", "InlineMethod.__init__", "InlineMethod.get_changes", "InlineMethod._defining_file_changes",
    "InlineVariable.__init__", "InlineVariable.get_changes", "_DefinitionGenerator.__init__",
    "_DefinitionGenerator._get_definition_params", "_DefinitionGenerator.get_function_name",
    "_DefinitionGenerator.get_definition", "_DefinitionGenerator._calculate_header",
    "_DefinitionGenerator._calculate_definition", "_DefinitionGenerator._replace_returns_with", "_inline_variable",
    "_getvardef", "_assigned_lineno",
]  # fmt: skip

GRAMMAR = Grammar(
    shapes={
        "variable": "value body", "variable in lines": "value body", "variable annotated": "value body",
        "function": "value body", "function twice": "value body", "function with local": "value body",
        "function that assigns": "value body", "function without": "value body", "method": "value body",
        "function by name": "value body",
    },
    statements={
        "read": False, "twice": False, "less": False, "minus": False, "power": False, "not": False,
        "member": False, "format": False, "change": False, "argument": False, "keyword": False, "compare": False,
        "pair": False, "element": False, "condition": False, "branch": False, "alone": False, "comment": False,
        "again": False, "inner": False,
    },
    expressions={
        "one": 0, "argument": 0, "text": 0, "not": 1, "function": 1, "sum": 2, "choice": 2, "or": 2, "pair": 2,
        "less": 2,
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
    Cause("precedence of the value", lambda p, why: _is_torn(p, why) and p.value.form in LOOSE),
    Cause("precedence of an argument", lambda p, why: _differs(p, why) and p.shape == "function twice"),
    Cause("name of an inner function's parameter", lambda p, why: _differs(p, why) and "inner" in statement_forms(p)),
    Cause("parameter that is assigned", lambda p, why: _differs(p, why) and p.shape == "function that assigns"),
    Cause("name of a function's local", lambda p, why: _differs(p, why) and p.shape == "function with local"),
    Cause("operand that changes before the use", lambda p, why: _differs(p, why) and _changes(p)),
    Cause("member of a number", lambda p, why: _is_broken(p, why) and "member" in statement_forms(p)),
    Cause("quotes in a formatted text", lambda p, why: _is_broken(p, why) and "format" in statement_forms(p)),
    Cause("lines in a formatted text", lambda p, why: why.oracle == "parse" and p.shape == "variable in lines"),
    Cause("text on a line of its own", lambda p, why: why.oracle == "crash" and p.shape == "variable in lines"),
]
LOOSE = ("sum", "choice", "or", "pair", "less", "not")
LEAVING = ("alone", "again", "inner")
"""Statements that do not assign the variable of which a value may be made; behind `inner`, nothing is executed."""


def _is_torn(program, why):
    """Whether the fault may be that of a value without its parentheses; `1 - not x` is no program."""
    return why.oracle == "behaviour" or (_is_broken(program, why) and program.value.form == "not")


def _differs(program, why):
    return why.oracle == "behaviour"


def _changes(program):
    """Whether a variable is inlined behind a statement that changes the one that its value is made of."""
    forms = takewhile(lambda form: form != "inner", [statement.form for statement in statements_of(program)])
    is_changed = any(form not in LEAVING for form in forms)
    return is_changed and program.shape.startswith("variable") and "argument" in expression_forms(program)


def _is_broken(program, why):
    return why.is_text and program.shape != "variable in lines"


def fault(program, result, raised):
    """What is wrong with what rope makes of a program."""
    return fault_of(program, result, raised, CAUSES, "rope")
