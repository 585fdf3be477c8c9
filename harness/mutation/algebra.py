"""Finds mutants that equal the original, or an earlier mutant, by the algebra of integers.

Likewise for integers only, a mutant that counts a variable up or down after its last use is equivalent to the original.

Types are proven from annotations, and those of a local from all values that its function gives it. A type profile
covers the inputs that were run, and other inputs may bring other types. So the equality of two mutants, which must hold
for all inputs, is decided without a profile.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from harness.kernel.program.builtin_effects import LOOKING_AT_VARIABLES
from harness.kernel.program.splice import line_starts, span_offsets
from harness.model.outcome import Mutant, MutantStatus
from harness.mutation.bindings import Place, bound_names, parameter_names
from harness.mutation.integers import Form, Normaliser
from harness.mutation.program import (
    NONE,
    UNKNOWN,
    WITHIN,
    DeclaredTypes,
    Function,
    FunctionNode,
    Program,
    TypeProfile,
    Types,
    read_program,
)
from harness.mutation.purity import Purity

INTEGERS = "integer algebra"
UNREAD = "unread count"
_BLOCKS = (ast.If, ast.While, ast.For, ast.AsyncFor, ast.With, ast.AsyncWith, ast.Try, ast.Match)


def without_equals(
    source: str, mutants: Iterable[Mutant], profile: TypeProfile, program: Program | None = None
) -> list[Mutant]:
    """Return the mutants in the same order; viable ones that the rules show to be equal are no longer viable.

    They become EQUIVALENT, or a DUPLICATE of the earlier mutant that is named in `same_as`. `program` is the same as
    for `mutate`.
    """
    forms = _Forms(source, profile, program or read_program(source))
    first: dict[Form, str] = {}
    classified = []
    for mutant in mutants:
        if mutant.status is not MutantStatus.VIABLE:
            classified.append(mutant)
            continue
        if forms.counts_unread(mutant):
            classified.append(replace(mutant, status=MutantStatus.EQUIVALENT, rule=UNREAD))
            continue
        original, form = forms.of(mutant)
        if form == original:
            classified.append(replace(mutant, status=MutantStatus.EQUIVALENT, rule=INTEGERS))
        elif form in first:
            classified.append(replace(mutant, status=MutantStatus.DUPLICATE, same_as=first[form], rule=INTEGERS))
        else:
            first[form] = mutant.id
            classified.append(mutant)
    return classified


class _Forms:
    """Normal forms of the statements of one source, mutated and not."""

    def __init__(self, source: str, profile: TypeProfile, program: Program) -> None:
        self._source = source
        self._starts = line_starts(source)
        self._program = program
        self._types = _Types(self._program, profile)
        self._normalisers: dict[str, Normaliser] = {}
        self._statements: dict[tuple[str, int, int], tuple[ast.stmt, Form]] = {}

    def of(self, mutant: Mutant) -> tuple[Form, Form]:
        """Return the form of the statement around the mutant, before and after the mutation.

        Each form contains the statement's place, so that forms of other statements never equal it.
        """
        function = self._program.functions[mutant.function]
        at = self._place(mutant)
        statement = _innermost(function.node, at)
        place = mutant.function, statement.lineno, statement.col_offset
        normaliser = self._normaliser(function)
        if place not in self._statements:
            self._statements[place] = statement, (place, normaliser.form(statement))
        low, high = span_offsets(mutant.location, self._starts)
        if isinstance(statement, _BLOCKS) and self._begins(statement) == low:
            return self._statements[place][1], (place, mutant.id)  # all of it is left out; forms are of heads alone
        text = self._source[:low] + mutant.replacement + self._source[high:]
        start, end = self._span(function.node, len(text) - len(self._source))
        is_indented = bool(function.node.col_offset)
        heading = "if 1:\n" * is_indented  # below which a method keeps its indentation
        mutated = ast.parse(heading + text[start:end]).body[0]
        below = at[0] - function.node.lineno + 1 + is_indented, at[1]
        return self._statements[place][1], (place, normaliser.form(_innermost(mutated, below)))

    def counts_unread(self, mutant: Mutant) -> bool:
        """Return whether the mutant counts an integer variable up or down after the last time that it is read.

        Such a mutant replaces `n` by `(n := n + 1) - 1`, or by the same with a minus.
        """
        try:
            replacement = ast.parse(mutant.replacement, mode="eval").body
        except SyntaxError:
            return False
        match replacement:
            case ast.BinOp(ast.NamedExpr(ast.Name(name), ast.BinOp(ast.Name(read), one, by)), other, back):
                opposite = {type(one), type(other)} == {ast.Add, ast.Sub}
                if not (opposite and name == read == mutant.original and ast.dump(by) == ast.dump(back)):
                    return False
            case _:
                return False
        function = self._program.functions[mutant.function]
        whole = isinstance(by, ast.Constant) and type(by.value) is int
        integer = self._types.is_integer(ast.Name(name, ast.Load()), function.name)
        return whole and integer and is_last_use(function.node, name, self._place(mutant))

    def _place(self, mutant: Mutant) -> Place:
        line, column = mutant.location.line, mutant.location.column
        return line, len(self._line(line)[:column].encode())

    def _begins(self, statement: ast.stmt) -> int:
        """Return the offset of the statement's first character."""
        before = self._line(statement.lineno).encode()[: statement.col_offset].decode()
        return self._starts[statement.lineno - 1] + len(before)

    def _line(self, number: int) -> str:
        return self._source[self._starts[number - 1] :].partition("\n")[0]

    def _span(self, node: ast.stmt, longer: int) -> tuple[int, int]:
        last = node.end_lineno or node.lineno
        end = self._starts[last] if last < len(self._starts) else len(self._source)
        return self._starts[node.lineno - 1], end + longer

    def _normaliser(self, function: Function) -> Normaliser:
        if function.name not in self._normalisers:
            parameters = frozenset(parameter_names(function.node.args)) - {
                n.id for n in ast.walk(function.node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Del)
            }
            self._normalisers[function.name] = Normaliser(
                is_integer=lambda node: self._types.is_integer(node, function.name),
                may_raise=lambda node: not (isinstance(node, ast.Name) and node.id in parameters),
            )
        return self._normalisers[function.name]


def _innermost(node: ast.stmt, at: Place) -> ast.stmt:
    """Return the innermost statement that holds the place."""
    return [node, *_around(node, at)][-1]


class _Types:
    """Decides which names and attributes of one program are surely integers and are read without side effects."""

    def __init__(self, program: Program, profile: TypeProfile) -> None:
        self._program = program
        self._profile = profile
        self._proven = ProvenTypes(program)
        self._purity = Purity(program.tree)

    def is_integer(self, node: ast.expr, function: str) -> bool:
        """Return whether a name, an attribute or a call of len is surely an integer and read without side effects."""
        if isinstance(node, ast.Call):
            counted = node.args[0]
            return _is_chain(counted) and self._purity.pure(node) and "len" not in self._proven.variables(function)
        if not _is_chain(node):
            return False
        return self._types(node, function) == _INT and self._purity.pure(node)

    def _types(self, node: ast.expr, function: str) -> Types:
        """Return the proven types and the observed ones, since an annotation may lie; UNKNOWN if no type is proven."""
        if isinstance(node, ast.Name):
            proven = self._proven.variables(function).get(node.id, UNKNOWN)
            observed = self._profile.variables.get(function.partition(WITHIN)[0], {})
            return proven and proven | observed.get(node.id, UNKNOWN)
        if not isinstance(node, ast.Attribute):
            return UNKNOWN
        names: set[str] = set()
        for owner in self._types(node.value, function) - {NONE}:
            types = self._proven.fields(owner).get(node.attr, UNKNOWN)
            names |= types or {"object"}
            for above in self._program.lineage(owner):
                names |= self._profile.attributes.get(above.name, {}).get(node.attr, UNKNOWN)
        return frozenset(names)


def _is_chain(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


_INNER = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def is_last_use(function: FunctionNode, name: str, place: Place) -> bool:
    """Return whether `function` surely never reads the variable `name` again after it has read it at `place`.

    The answer is cautious. It is True only if the use lies in no loop, all other uses stand before the statement that
    holds it, and no scope within the function knows the name. Without a loop around them, statements are never followed
    by earlier ones.
    """
    if name not in bound_names(function):
        return False
    for node in ast.walk(function):
        if node is not function and isinstance(node, _INNER) and name in _names(node):
            return False
    if not LOOKING_AT_VARIABLES.isdisjoint(_names(function)):
        return False
    statement: ast.stmt | None = None
    for outer in _around(function, place):
        if isinstance(outer, _LOOPS):
            return False
        statement = outer
    if statement is None:
        return False
    start = statement.lineno, statement.col_offset
    return all(at == place or at < start for at in _uses(function, name))


def _names(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def _around(outer: ast.stmt, place: Place) -> Iterator[ast.stmt]:
    """Yield the statements within one that hold the place, outer ones first."""
    for node in ast.walk(outer):  # level by level
        if isinstance(node, ast.stmt) and node is not outer:
            end = node.end_lineno or node.lineno, node.end_col_offset or 0
            if (node.lineno, node.col_offset) <= place < end:
                yield node


def _uses(function: FunctionNode, name: str) -> Iterator[Place]:
    """Yield the places where the variable is read, augmented or deleted."""
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Store):
            yield node.lineno, node.col_offset
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id == name:
            yield node.target.lineno, node.target.col_offset


_INT: Types = frozenset({"int"})
_OF_INTEGERS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor)
"""Operators that make an integer of two integers. A power may be a fraction."""
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_KEEP_THE_RESULT = frozenset({"staticmethod", "classmethod"})

_TypesByName = Mapping[str, Types | None]
"""Types of variables; None where they are unknown, and the empty set as long as no binding has been read."""


class ProvenTypes(DeclaredTypes):
    """Types of variables and fields of one program; UNKNOWN if its source does not determine them."""

    def __init__(self, program: Program) -> None:
        super().__init__(program, TypeProfile())
        self._proven: dict[str, dict[str, Types]] = {}
        self._named = frozenset(name for name, _ in _bindings(program.tree))

    def variables(self, function: str) -> Mapping[str, Types]:
        """Return the types of parameters and locals: annotated types, else those of all values assigned to a local.

        The types are UNKNOWN for a name that a comprehension, a lambda or a function within `function` binds, because
        it is another variable there.
        """
        if function not in self._proven:
            node = self.program.functions[function].node
            self._proven[function] = self._variables_of(node, super().variables(function))
        return self._proven[function]

    def _variables_of(self, node: FunctionNode, declared: Mapping[str, Types]) -> dict[str, Types]:
        """Find the smallest types that agree with all bindings."""
        variables: dict[str, Types | None] = dict.fromkeys(bound_names(node) - set(parameter_names(node.args)), UNKNOWN)
        variables |= declared
        variables |= dict.fromkeys(_names_of_inner_scopes(node))
        bindings = [(name, value) for name, value in _bindings(node) if name in variables and name not in declared]
        changed = True
        while changed:
            changed = False
            for name, value in bindings:
                before = variables[name]
                if before is not None:
                    variables[name] = _either([before, None if value is None else self._types(value, variables)])
                    changed = changed or variables[name] != before
        return {name: types or UNKNOWN for name, types in variables.items()}

    def _types(self, node: ast.expr, variables: _TypesByName) -> Types | None:  # noqa: C901 (a case for each expression)
        """Return the types of an expression; None if they are unknown."""
        match node:
            case ast.Constant(value=value):
                return frozenset({type(value).__name__})
            case ast.Name(id=name):
                return variables.get(name)
            case ast.NamedExpr(value=value):
                return self._types(value, variables)
            case ast.Attribute(value=receiver, attr=name):
                return self._field(self._types(receiver, variables), name)
            case ast.IfExp(body=one, orelse=other):
                return _either([self._types(one, variables), self._types(other, variables)])
            case ast.BoolOp(values=values):
                return _either([self._types(value, variables) for value in values])
            case ast.UnaryOp(op=ast.UAdd() | ast.USub() | ast.Invert(), operand=operand):
                return _of_integers([self._types(operand, variables)])
            case ast.BinOp(left=left, op=operator, right=right) if isinstance(operator, _OF_INTEGERS):
                return _of_integers([self._types(left, variables), self._types(right, variables)])
            case ast.Subscript(value=ast.Call(func=ast.Name(id="range"))) if self._is_builtin("range", variables):
                return _INT
            case ast.Subscript(value=ast.Attribute(value=receiver, attr=name), slice=index):
                position = _of_integers([self._types(index, variables)])
                return position and self._item(self._types(receiver, variables), name)
            case ast.Call(func=called):
                return self._result(called, variables)
        return None

    def _field(self, owners: Types | None, name: str) -> Types | None:
        if owners is None:
            return None
        return _either([self.fields(owner).get(name) or None for owner in sorted(owners - {NONE})])

    def _item(self, owners: Types | None, name: str) -> Types | None:
        """Return the types of an item of a field that all of its owners annotate as a list."""
        types: list[Types | None] = [None] if owners is None else []
        for owner in sorted((owners or UNKNOWN) - {NONE}):
            annotations = (above.fields[name] for above in self.program.lineage(owner) if name in above.fields)
            match next(annotations, None):
                case ast.Subscript(value=ast.Name(id="list"), slice=item):
                    types.append(self.annotated(item) or None)
                case _:
                    types.append(None)
        return _either(types)

    def _result(self, called: ast.expr, variables: _TypesByName) -> Types | None:
        match called:
            case ast.Name(id="len") if self._is_builtin("len", variables):
                return _INT
            case ast.Name(id=name) if name not in variables and name not in self._named:
                if name in self.program.classes:
                    return frozenset({name})
                return self._returned(self.program.functions.get(name))
            case ast.Attribute(value=receiver, attr=name):
                owners = self._types(receiver, variables)
                methods = [self.program.method(owner, name) for owner in sorted((owners or UNKNOWN) - {NONE})]
                return None if owners is None else _either([self._returned(method) for method in methods])
        return None

    def _is_builtin(self, name: str, variables: _TypesByName) -> bool:
        namespaces = (variables, self._named, self.program.functions, self.program.classes)
        return "*" not in self._named and not any(name in names for names in namespaces)

    def _returned(self, function: Function | None) -> Types | None:
        if function is None or isinstance(function.node, ast.AsyncFunctionDef):
            return None
        decorators = [getattr(decorator, "id", "") for decorator in function.node.decorator_list]
        return (self.result(function) or None) if _KEEP_THE_RESULT.issuperset(decorators) else None


def _either(operands: Sequence[Types | None]) -> Types | None:
    """Return the union of types; None if any are unknown."""
    sets = [types for types in operands if types is not None]
    return frozenset[str]().union(*sets) if len(sets) == len(operands) else None


def _of_integers(operands: Sequence[Types | None]) -> Types | None:
    """Return the types of an operation that makes an integer of integers, and may make anything of anything else."""
    union = _either(operands)
    if union is None or not union <= _INT:
        return None
    return union if all(operands) else UNKNOWN


def _bindings(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:  # noqa: C901 (a case for each statement)
    """Yield all bindings of names below a node, definitions left out, with the value; None if no expression is it."""
    paired: set[int] = set()
    for inner in ast.walk(node):
        match inner:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield from _paired(target, value, paired)
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
                yield from _paired(target, value, paired)
            case ast.AugAssign(target=ast.Name(id=name) as target, op=operator, value=value):
                paired.add(id(target))
                yield name, ast.BinOp(ast.Name(name, ast.Load()), operator, value)
            case ast.For(target=target, iter=walked):
                yield from _paired(target, ast.Subscript(walked, ast.Constant(0), ast.Load()), paired)
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if id(inner) not in paired:
                yield name, None
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name, None
            case ast.MatchMapping(rest=str(name)):
                yield name, None
            case ast.alias(name=name, asname=other):
                yield other or name.partition(".")[0], None
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                yield from ((name, None) for name in names)


def _paired(target: ast.expr, value: ast.expr, paired: set[int]) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names of a target that surely get a value, with that value, and add their nodes to `paired`."""
    match target, value:
        case ast.Name(id=name), _:
            paired.add(id(target))
            yield name, value
        case ((ast.Tuple(elts=targets) | ast.List(elts=targets)), (ast.Tuple(elts=values) | ast.List(elts=values))):
            starred = any(isinstance(node, ast.Starred) for node in (*targets, *values))
            if len(targets) == len(values) and not starred:
                for one, part in zip(targets, values, strict=True):
                    yield from _paired(one, part, paired)


def _names_of_inner_scopes(function: FunctionNode) -> frozenset[str]:
    """Return the names of, and within, the comprehensions, lambdas, functions and classes of a function."""
    names: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.comprehension):
            names.update(inner.id for inner in ast.walk(node.target) if isinstance(inner, ast.Name))
        elif isinstance(node, _SCOPES) and node is not function:
            names |= bound_names(node)
        if isinstance(node, _DEFINITIONS) and node is not function:
            names.add(node.name)
    return frozenset(names)
