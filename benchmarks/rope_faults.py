"""Shows every fault that was found in rope, on its smallest program: `python -m benchmarks.rope_faults [CASE ...]`."""

from __future__ import annotations

import argparse
import difflib
import importlib
import sys
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

from harness.kernel.specs.spec import load_spec
from harness.programs import Fault, failure_of

SUBJECTS = Path(__file__).parents[1] / "subjects" / "refactoring"

Expression = tuple[Any, ...]
Program = tuple[str, Expression | None, tuple[tuple[str, Expression | None], ...]]
"""Its shape, its expression and its statements, as forms of the case's driver."""

ONE, X, NAMED = ("one",), ("argument",), ("named", ("one",))
SUM = ("sum", ONE, ONE)

SMALLEST: dict[str, dict[str, Program]] = {
    "encapsulate_single": {
        "assignment chain": ("instance", None, (("chain", ONE),)),
        "precedence in augmented assignment": ("instance", None, (("augment", ("sum", ONE, ("field",))),)),
        "comment behind an assignment": ("instance", None, (("comment", ONE),)),
        "semicolon behind an assignment": ("instance", None, (("semicolon", ONE),)),
        "annotated assignment": ("instance", None, (("annotate", ONE),)),
        "target in brackets": ("instance", None, (("bracket", ONE),)),
        "target of a loop": ("instance", None, (("loop", ONE),)),
        "deletion": ("instance", None, (("delete", None),)),
        "getter there already": ("getter", None, (("read", ONE),)),
    },
    "encapsulate_double": {"getter of a subclass": ("subclass getter", None, (("format", None),))},
    "encapsulate_list": {
        "starred target": ("list", None, (("unpack list", ONE),)),
        "accessors behind a comprehension": ("list", None, (("read", ("elements",)),)),
        "list no longer extended in place": ("list", None, (("alias", None), ("extend", ONE))),
    },
    "encapsulate_two": {"field with the name of the getter": ("two accessors", None, (("read", ONE),))},
    "rename": {
        "new name of a field taken": ("field taken", None, (("text", None),)),
        "new name of a method taken": ("method taken", None, (("format", None),)),
        "new name of a variable taken": ("local taken", None, (("read", ("other",)),)),
        "prefix of a formatted text": ("local", None, (("format", None),)),
        "nonlocal variable that is assigned": ("nonlocal", None, (("write", ONE),)),
        "local variable imported as well": ("local", None, (("import", None),)),
        "global variable imported as well": ("global", None, (("import", None),)),
    },
    "move_method": {
        "self by another name": ("renamed self", None, (("read", ONE),)),
        "default in place of the argument": ("default", None, (("read", ("again",)),)),
        "keyword-only parameter": ("keyword only", None, (("read", ONE),)),
        "positional-only parameter": ("positional only", None, (("read", ONE),)),
        "parameter called host": ("host", None, (("read", ("field",)),)),
        "variable called host": ("method", None, (("host", ONE), ("read", ("field",)))),
        "field that the method replaces": ("method", None, (("exchange", ("function", ONE)),)),
        "method there already": ("taken", None, (("read", ONE),)),
    },
    "inline": {
        "precedence of the value": ("function", SUM, (("twice", None),)),
        "precedence of an argument": ("function twice", X, (("twice", None),)),
        "name of an inner function's parameter": ("variable", X, (("inner", None),)),
        "parameter that is assigned": ("function that assigns", X, (("read", None),)),
        "name of a function's local": ("function with local", X, (("read", None),)),
        "operand that changes before the use": ("variable", X, (("change", None),)),
        "member of a number": ("variable", ONE, (("member", None),)),
        "quotes in a formatted text": ("variable", ("text",), (("format", None),)),
        "lines in a formatted text": ("variable in lines", ONE, (("format", None),)),
        "text on a line of its own": ("variable in lines", ("text",), (("read", None),)),
    },
    "extract_variable": {
        "name of another scope": ("element", ("loop variable",), ()),
        "operand that was not evaluated": ("second", ("loop variable",), ()),
        "condition of a loop": ("turn", ("other",), ()),
        "condition of elif": ("branch", ONE, ()),
        "behind a semicolon": ("after", ("other",), ()),
        "assignment expression": ("function", ("named", X), ()),
    },
    "extract_method": {
        "name of another scope": ("element", ("loop variable",), ()),
        "imported name": ("statements", None, (("import", None),)),
        "starred target": ("statements", None, (("star", ONE),)),
        "deleted variable": ("statements", None, (("delete", None),)),
        "variable set in try": ("statements in try", None, (("read", ONE),)),
        "name that a comprehension has, too": ("statements", None, (("comprehension", None),)),
        "assignment expression": ("statements", None, (("augment", NAMED),)),
    },
}  # fmt: skip
"""The smallest programs by case and name of the fault; faults of several cases are listed with the first one."""


def shown(case: str, name: str) -> tuple[Fault | None, str]:
    """Return the fault that the spec names on its smallest program, and rope's changes to it as a difference."""
    path = SUBJECTS / case / "spec.py"
    spec = load_spec(path.read_text(encoding="utf-8"), str(path))
    driver = importlib.import_module(Path(spec.driver or "").stem)
    program = _program(driver, SMALLEST[case][name])
    raised: BaseException | None = None
    result: Any = None
    try:
        result = getattr(program, spec.finitization(1).targets[0].name)()
    except Exception as error:
        raised = error
    failure = failure_of(result, raised, "rope")
    detail = "" if failure is None else failure.detail
    if result is None:
        before = "\n".join(text.replace("«", "").replace("»", "") for _, text in program.modules(driver.TABLES))
        return spec.module.fault(program, result, raised), f"{before.strip()}\n\n# {detail}"
    lines: list[str] = []
    for (module, old), (_, new) in zip(result[1], result[2], strict=True):
        name = f"{module}.py"
        lines += difflib.unified_diff(old.splitlines(), new.splitlines(), name, name, lineterm="", n=99)
    return spec.module.fault(program, result, raised), "\n".join([*lines, "", f"# {detail}"])


def _program(driver: Any, told: Program) -> Any:
    shape, value, body = told
    first = None
    for form, inner in reversed(body):
        first = driver.Statement(form, _expression(driver, inner), first)
    return driver.Program(shape, _expression(driver, value), first)


def _expression(driver: Any, told: Expression | None) -> Any:
    if told is None:
        return None
    form, left, right = (*told, None, None)[:3]
    return driver.Expression(form, _expression(driver, left), _expression(driver, right))


def case_of(known: Collection[str]) -> Callable[[str], str]:
    """Return a parser of names of cases for argparse."""

    def case(text: str) -> str:
        if text not in known:
            raise argparse.ArgumentTypeError(f"there is no case {text!r}, but {', '.join(known)}")
        return text

    return case


def main(arguments: Sequence[str]) -> int:
    """Print the faults; return exit status 1 if rope does not show a fault any more."""
    parser = argparse.ArgumentParser(description="Shows every fault that was found in rope, on its smallest program.")
    parser.add_argument("cases", nargs="*", type=case_of(SMALLEST), metavar="CASE", help="default: all that there are")
    options = parser.parse_args(arguments)
    if str(SUBJECTS / "engine") not in sys.path:
        sys.path.insert(0, str(SUBJECTS / "engine"))
    missing = 0
    for case in options.cases or SMALLEST:
        for name in SMALLEST[case]:
            fault, text = shown(case, name)
            is_shown = fault is not None and fault.causes == (name,)
            missing += not is_shown
            print(f"{case}: {name}{'' if is_shown else ': not shown by this rope'}\n\n{text}\n")
    return int(missing > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
