"""Random programs for the mutator's properties."""

import ast
from collections.abc import Callable

from hypothesis import strategies as st

_LEAVES = st.sampled_from(["i", "j", "k", "0", "1", "7", "f(i)", "s[j]", "n.a"])


def _chains(
    operators: list[str], signs: list[str], least: int = 1
) -> Callable[[st.SearchStrategy[str]], st.SearchStrategy[str]]:
    """Operands in a row without parentheses, so that only precedence tells their structure."""

    def chains(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        operand = st.builds("{}{}".format, st.sampled_from(signs), inner)
        link = st.builds("{0}{1}{0}{2}".format, st.sampled_from([" ", ""]), st.sampled_from(operators), operand)
        return st.builds("{}{}".format, operand, st.lists(link, min_size=least, max_size=3).map("".join))

    return chains


def _nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    form = st.sampled_from(["({})", "(\n   {} # é\n)", "f('é', {})", "s[{}]", "('é' if n.a else {})"])
    return st.builds(lambda text, inside: text.format(inside), form, inner)


_ARITHMETIC = ["+", "-", "*", "//", "%", "**", "/", "&", "|", "^", "<<", ">>"]
_RELATIONS = [" < ", " <= ", ">", ">=", "==", "!=", " is ", " not in "]
_arithmetic_chains = _chains(_ARITHMETIC, ["", "", "", "-", "~", "+", "- "])
arithmetic = _arithmetic_chains(st.one_of(_LEAVES, _LEAVES, _nested(_arithmetic_chains(_LEAVES))))
_comparisons = _chains(_RELATIONS, [""])(_chains(["+", "|", "*"], ["", "-"], least=0)(_LEAVES))
_conditions = _chains([" and ", " or "], ["", "", "not "])
conditions = _conditions(st.one_of(_comparisons, _LEAVES, _nested(_conditions(st.one_of(_comparisons, _LEAVES)))))


def parses(expression: str) -> bool:
    """Return whether the text, drawn without care for precedence, is an expression."""
    try:
        ast.parse(f"({expression})", mode="eval")
    except SyntaxError:
        return False
    return True


# -- whole functions that run: numbers stay small, loops end with the step budget -----------------

_number = st.recursive(
    st.sampled_from(["i", "j", "k", "1", "3", "self.a", "self.b", "len(items)"]),
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(["+", "-", "//", "%"]), inner),
        st.builds("-{}".format, inner),
        st.builds("self.up({})".format, inner),
        st.builds("sum(x for x in items if x < {})".format, inner),
        st.builds("(lambda y: y + i)({})".format, inner),
    ),
    max_leaves=3,
)
_test = st.recursive(
    st.builds("{} {} {}".format, _number, st.sampled_from(["<", "<=", "==", "!="]), _number),
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(["and", "or"]), inner),
        st.builds("not ({})".format, inner),
        st.just("n.left is not None"),
        st.just("items"),
    ),
    max_leaves=3,
)
_simple = st.one_of(
    st.builds("{} = {} % 97".format, st.sampled_from(["i", "j", "k", "self.a", "items[0]"]), _number),
    st.builds("{} += {}".format, st.sampled_from(["i", "self.b"]), st.sampled_from(["1", "j", "k"])),
    st.sampled_from(
        ["n.left = n.right", "n = n.left", "i, j = j, i", "self.up(i)", "items.append(k)", "del items[:1]"]
    ),
    st.builds("return {}".format, _number),
)


def _block(statements: list[str]) -> str:
    return "\n".join("    " + line for statement in statements for line in statement.splitlines())


def _compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    blocks = st.lists(inner, min_size=1, max_size=3).map(_block)
    return st.one_of(
        st.builds("if {}:\n{}\nelse:\n{}".format, _test, blocks, blocks),
        st.builds("while {}:\n{}".format, _test, blocks),
        st.builds("for k in items[:3]:\n{}".format, blocks),
        st.builds("try:\n{}\nexcept IndexError:\n{}".format, blocks, blocks),
    )


_HEAD = '''
class Node:
    def __init__(self):
        self.left: Node | None = None
        self.right: Node | None = None

class Machine:
    def __init__(self, a: int, b: int):
        self.a: int = a
        self.b: int = b

    def up(self, y: int) -> int:
        """Not code: `y + 1`."""
        self.a += 1
        return y + 1

    def down(self, y: int) -> int:
        return y - self.b

    def run(self, i: int, j: int, items: list[int], n: Node | None) -> int:
        k: int = i; self.b += 1
'''

_bodies = st.lists(st.recursive(_simple, _compound, max_leaves=6), min_size=1, max_size=4).map(_block)
programs = _bodies.map(lambda body: _HEAD + "\n".join("    " + line for line in body.splitlines()) + "\n")
RUNS = ("Machine.run", "Machine.up", "Machine.down")
