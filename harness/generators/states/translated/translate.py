"""Translates a predicate to C: all functions that rep_ok reaches, between the runtime's headers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any

from harness.generators.states.native.untranslatable import Untranslatable
from harness.generators.states.reference.plus_search import Pruning
from harness.generators.states.reference.precondition import Precondition
from harness.generators.states.translated import (  # noqa: F401 (each registers what translates its types of nodes)
    calls,
    expressions,
    statements,
)
from harness.generators.states.translated.emitter import (
    MISSING,
    Emitter,
    FailingPlace,
    TranslatedFunction,
    TranslationUnit,
    class_attribute,
    variable,
)
from harness.generators.states.translated.loops import assign_parameters, is_generator, translate_body

_HEADERS = Path(__file__).parents[1] / "headers"


@dataclass(frozen=True)
class CTranslation:
    """C source, and the meaning of its numbers: places, strings (including attribute names) and classes."""

    text: str
    places: tuple[FailingPlace, ...]
    strings: dict[str, int]
    outcomes: bool


def translate(
    rep_ok: Any, classes: Sequence[type], *, outcomes: bool = False, criterion: Pruning | None = None
) -> CTranslation:
    """Return the C source that searches with `rep_ok`, for any finitization over `classes`.

    Args:
        classes: the classes of the implementation that have objects in the state space, and Token.
        outcomes: whether to use outcome pruning.
        criterion: the criterion of Korat+'s pruning, if that is used.

    Raises:
        Untranslatable: a construct in rep_ok or eq_class, or in a function that they call, is outside the subset.
    """
    predicates, root_call = _root_calls(rep_ok)
    eq_class = None if criterion is None else _root_call(criterion.eq_class)[0]
    roots = predicates if eq_class is None else [*predicates, eq_class]
    for cls in classes:
        _check_class(cls)
    alone = len(predicates) == 1  # else the search cannot resume within one of them
    program, attributes = _translated(roots, TranslationUnit(classes, outcomes), checkpoints=alone)
    if alone and not program.called.isdisjoint(program.function(root).number for root in roots):
        program, attributes = _translated(roots, TranslationUnit(classes, outcomes), checkpoints=False)
    recursive = program.recursive()
    parts = ["#define OUTCOME"] if outcomes else []
    if criterion is not None:
        parts += ["#define CRITERION", f"#define FIRST_ONLY {int(criterion.first_only)}"]
    parts += [header("values.h"), header("operations.h")]
    parts += [_prototype(program, f) + ";" for f in program.functions]
    parts += [attributes, _catches(program)]
    for f in program.functions:
        entered, left = ("ENTER(place)", "LEAVE()") if f.number in recursive else ("((void)0)", "((void)0)")
        parts += [f"#define ENTER_{f.number}(place) {entered}", f"#define LEAVE_{f.number}() {left}", f.text]
    parts += [
        f"static V root_call(void) {{ {root_call.format(*(program.function(each).name for each in predicates))} }}"
    ]
    if eq_class is not None:
        parts += [f"static V class_call(void) {{ {_OF_STATE.format(program.function(eq_class).name)} }}"]
    parts += [header("search.h")]
    return CTranslation("\n".join(parts), tuple(program.places), dict(program.strings), outcomes)


_OF_STATE = "return {}(PURE(WORD(S.space.is_list[0] ? ARRAY : OBJECT, 0)));"


def _root_calls(rep_ok: Any) -> tuple[list[FunctionType], str]:
    """Return the functions that are executed on each candidate, and the statements in C that call them."""
    function, call = _root_call(rep_ok)
    if not isinstance(rep_ok, Precondition) or rep_ok.rep_ok is None:
        return [function], call
    valid, _ = _root_call(rep_ok.rep_ok)
    before, _, last = call.partition("return")
    return [valid, function], (
        f"{before} V valid = {{}}(read_field(0)); if (!truth(valid, 0)) return valid; return {last}"
    )


def _root_call(rep_ok: Any) -> tuple[FunctionType, str]:
    """Return the function that is executed on each candidate, and the statements in C that call it by the name `{}`."""
    parameter_count, problem = 1, "takes other than the state"
    call = _OF_STATE
    if isinstance(rep_ok, Precondition):
        # The record has number 0, and its fields have the first numbers.
        parameter_count, problem = 1 + len(rep_ok.names), "takes other than the state and the arguments"
        names = [f"a{number}" for number in range(1, parameter_count)]
        call = "".join(f"V {name} = read_field({number}); " for number, name in enumerate(names, start=1))
        call += f"return {{}}({', '.join(['read_field(0)', *names])});"
        decoded = any(decode is not None for decode in rep_ok.decoders)
        rep_ok = rep_ok.requires
        if decoded:
            code = getattr(rep_ok, "__code__", None)
            place = (code.co_filename, code.co_firstlineno) if code is not None else ()
            raise Untranslatable("a precondition on structures", *place)
    if not isinstance(rep_ok, FunctionType):
        raise Untranslatable(f"rep_ok is a {type(rep_ok).__name__}, not a function")
    code = rep_ok.__code__
    if is_generator(rep_ok) or code.co_argcount != parameter_count or code.co_kwonlyargcount:
        raise Untranslatable(f"{rep_ok.__name__} is a generator, or {problem}", code.co_filename, code.co_firstlineno)
    return rep_ok, call


def _translated(
    roots: list[FunctionType], program: TranslationUnit, *, checkpoints: bool
) -> tuple[TranslationUnit, str]:
    """Translate all functions that the roots reach, rep_ok first; return the reads of attributes, too."""
    program.place("rep_ok", roots[0].__code__.co_filename, roots[0].__code__.co_firstlineno)
    numbers = {program.function(root).number for root in roots}
    while program.pending:
        function = program.pending.pop(0)
        try:
            if function.is_generator:
                function.text = _generator(program, function)
            else:
                function.text = _function(program, function, function.number in numbers, checkpoints)
        except Untranslatable as refusal:
            function.refusal = refusal
            function.text = _refused(program, function, refusal)
        attributes = _attributes_of_classes(program)
    program.check(numbers)
    return program, attributes


def header(name: str) -> str:
    """Return the text of a header of the runtime."""
    return (_HEADERS / name).read_text(encoding="utf-8")


def _check_class(cls: type) -> None:
    special = ("__len__", "__iter__", "__contains__", "__getitem__", "__call__")
    for name in ("__getattr__", "__getattribute__", *special):
        held = class_attribute(cls, name)
        if isinstance(held, FunctionType):
            raise Untranslatable(f"{cls.__name__}.{name}", held.__code__.co_filename, held.__code__.co_firstlineno)


def _parameters(program: TranslationUnit, function: TranslatedFunction) -> list[str]:
    code, captured = function.python.__code__, program.around(function.python).captured
    return [f"V p{number}" for number in range(code.co_argcount + code.co_kwonlyargcount + len(captured))]


def _prototype(program: TranslationUnit, function: TranslatedFunction) -> str:
    if function.is_generator:
        start = ", ".join([*_parameters(program, function), "int place"])
        return f"static void *start_{function.name}({start});\nstatic int {function.name}(void *, V *)"
    return f"static V {function.name}({', '.join(_parameters(program, function)) or 'void'})"


def _function(program: TranslationUnit, function: TranslatedFunction, is_root: bool, checkpoints: bool) -> str:
    emit = Emitter(program, function, checkpoints=is_root and checkpoints)
    number = function.number

    def leave(value: str) -> None:
        emit.line(f"{{ V result = {value}; LEAVE_{number}(); return result; }}")

    scope = emit.enter(function.python, leave, None)
    emit.scope = scope
    emit.statement_start = len(emit.declared)
    place = emit.place(scope.tree, f"a call of {function.python.__name__}")
    emit.line(f"ENTER_{number}({place});")
    assign_parameters(emit, scope, [f"p{position}" for position in range(len(_parameters(program, function)))])
    translate_body(emit, scope)
    leave("PURE(W_NONE)")
    before, resumptions = _resumptions(emit) if is_root else ([], [])
    head = f"{_prototype(program, function)} {{"
    # A variable that changes between a try's setjmp and the exception must not be in a register.
    kind = "volatile " if emit.has_try else ""
    declared = [f"{kind}{declaration}" for declaration in emit.declared]
    return "\n".join([*before, head, *declared, *resumptions, *emit.lines, "}"])


def _resumptions(emit: Emitter) -> tuple[list[str], list[str]]:
    """Return the C code that continues a root at its checkpoints: declarations and the root's first statements."""
    root = emit.function.number
    names = [f"Saved{root}_{number}" for number in range(1, len(emit.sites) + 1)]
    kind = "class_" if root else ""
    before = [f"struct {name} {{ {' '.join(site)} }};" for name, site in zip(names, emit.sites, strict=True)]
    before += [
        f"union Saved{root} {{ char none[16]; {' '.join(f'struct {name} s{name};' for name in names)} }};",
        f"#define LARGEST_{kind.upper()}SAVED sizeof(union Saved{root})",
        f"#define CHECKPOINT_{root}(site) {kind}checkpoint(site)",
    ]
    lines = ["switch (S.resume) {"]
    last = f"S.{kind}saved + (size_t)(S.{kind}checkpoint_count - 1) * S.{kind}stride"
    for number, (name, site) in enumerate(zip(names, emit.sites, strict=True), start=1):
        lines.append(f"case {number}: {{")
        lines.append(f"const struct {name} *saved = (void *)({last});")
        lines += [f"{variable(declaration)} = saved->{variable(declaration)};" for declaration in site]
        lines.append(f"goto resume{number}; }}")
    return before, [*lines, "default: ; }"]


def _generator(program: TranslationUnit, function: TranslatedFunction) -> str:
    """Return a frame that holds all variables, and a function that continues from where it yielded last."""
    emit = Emitter(program, function, prefix="F->")
    number, name = function.number, function.name
    resumptions = 0

    def leave(_: str) -> None:
        emit.line(f"{{ F->at = -1; LEAVE_{number}(); return 0; }}")

    def give(value: str) -> None:
        nonlocal resumptions
        resumptions += 1
        emit.line(f"*out = {value}; F->at = {resumptions}; LEAVE_{number}(); return 1;")
        emit.mark(f"case {resumptions}")

    scope = emit.enter(function.python, leave, give)
    emit.scope = scope
    place = emit.place(scope.tree, f"a call of {function.python.__name__}")
    start = emit.lines
    assign_parameters(emit, scope, [f"p{position}" for position in range(len(_parameters(program, function)))])
    emit.lines = []
    translate_body(emit, scope)
    parameters = ", ".join([*_parameters(program, function), "int place"])
    return "\n".join(
        [
            f"typedef struct {{ int at; {' '.join(emit.declared)} }} Frame{number};",
            f"static void *start_{name}({parameters}) {{",
            f"Frame{number} *F = allocate(sizeof *F, place); F->at = 0;",
            *start,
            "return F; }",
            f"static int {name}(void *frame, V *out) {{",
            f"Frame{number} *F = frame; CHANGES(F, sizeof *F);",
            f"ENTER_{number}({place});",
            "switch (F->at) { case 0: ;",
            *emit.lines,
            "}",
            f"F->at = -1; LEAVE_{number}(); return 0; }}",
        ]
    )


def _refused(program: TranslationUnit, function: TranslatedFunction, refusal: Untranslatable) -> str:
    place = program.place(refusal.construct, refusal.filename, refusal.line)
    failing = f"{{ fail(FAILED_UNSUPPORTED, {place}); }}"
    return "\n".join(f"{prototype} {failing}" for prototype in _named(_prototype(program, function)).split(";\n"))


def _catches(program: TranslationUnit) -> str:
    """Return a C function that decides whether an except clause catches an exception, both by number."""
    errors = range(len(program.errors))
    rows = [
        "{" + ", ".join(str(int(issubclass(program.errors[error], classes))) for error in errors) + "}"
        for classes in program.clauses
    ]
    table = f"static const uint8_t table[][{len(errors)}] = {{{', '.join(rows or ['{0}'])}}};"
    return f"static inline int catches(int clause, int error) {{ {table} return table[clause][error]; }}"


def _named(prototype: str) -> str:
    return prototype.replace("(void *, V *)", "(void *frame, V *out)")


def _attributes_of_classes(program: TranslationUnit) -> str:
    """Return reads of attributes: fields first, then attributes of classes; translate the properties among them."""
    cases = []
    for name, number in list(program.attributes.items()):
        for index, cls in enumerate(program.classes):
            held = class_attribute(cls, name)
            if isinstance(held, property) and isinstance(held.fget, FunctionType):
                getter = program.function(held.fget)
                for caller in program.functions:
                    caller.may_call.add(getter.number)  # whichever reads the attribute: more recursion than there is
                cases.append((number, index, f"return {getter.name}(owner);"))
            elif held is not MISSING and (constant := program.constant(held)) is not None:
                cases.append((number, index, f"return {constant};"))
    lines = [f"if (name == {number} && type == {index}) {{ {what} }}" for number, index, what in cases]
    special = " || ".join(["0", *(f"name == {n}" for name, n in program.attributes.items() if hasattr(None, name))])
    return "\n".join(
        [
            "static COLD V class_attribute(int name, V owner, int place) {",
            f"if (TAG(W(owner)) == NONE && !({special})) raise_error(ATTRIBUTE_ERROR, place);",
            "if (TAG(W(owner)) != OBJECT) fail(FAILED_UNSUPPORTED, place);",
            "fix(owner);",
            "int type = S.space.type[PAYLOAD(W(owner))]; (void)type;",
            *lines,
            "fail(FAILED_UNSUPPORTED, place); }",
            _ATTRIBUTE,
        ]
    )


_ATTRIBUTE = """
static inline __attribute__((always_inline)) V attribute(int name, V owner, int place) {
    if (LIKELY(TAG(W(owner)) == OBJECT)) {
        int field = S.field_of[name * S.space.object_count + PAYLOAD(W(owner))];
        if (LIKELY(field >= 0)) { fix(owner); return read_field(field); }
    }
    return class_attribute(name, owner, place);
}
static inline V attribute_to_compare(int name, V owner, int place) {
#ifndef OUTCOME
    if (LIKELY(TAG(W(owner)) == OBJECT)) {
        int field = S.field_of[name * S.space.object_count + PAYLOAD(W(owner))];
        if (LIKELY(field >= 0)) return read_to_compare(compared = field);
    }
#endif
    V found = attribute(name, owner, place);
    compared = -1; /* a property may have compared */
    return found;
}
static inline V attribute_named(V name, V owner, int place) {
    fix(name);
    if (TAG(W(name)) != STRING || PAYLOAD(W(name)) >= S.space.name_count) fail(FAILED_UNSUPPORTED, place);
    return attribute((int)PAYLOAD(W(name)), owner, place);
}
static inline int has_attribute(V owner, V name, int place) {
    if (TAG(W(owner)) != OBJECT || TAG(W(name)) != STRING || PAYLOAD(W(name)) >= S.space.name_count)
        fail(FAILED_UNSUPPORTED, place);
    fix(owner), fix(name);
    int field = S.field_of[PAYLOAD(W(name)) * S.space.object_count + PAYLOAD(W(owner))];
    if (field < 0) fail(FAILED_UNSUPPORTED, place);
    read_field(field);
    return 1;
}
"""
