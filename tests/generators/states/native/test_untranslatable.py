"""The compiled engine names what it does not support, and gives up before it is wrong."""

import pytest
from generator_samples import shared_objects
from support.compiled_samples import by_reference, compiled, finitization, module, of_several, predicate, several

from harness.generators.states.native.untranslatable import Untranslatable
from harness.generators.states.translated.search import CompiledSearch
from harness.kernel.inputs.state_space import StateSpace
from harness.model.finitization import Finitization

FIRST = predicate("return True").rep_ok.__code__.co_firstlineno + 1
"""The line of a predicate's first statement."""


@pytest.mark.parametrize(
    ("body", "construct", "line"),
    [
        ("x = 1\ntry:\n    pass\nfinally:\n    pass", "finally, or the name of an exception,", 1),
        ("try:\n    pass\nexcept ValueError as e:\n    return e", "finally, or the name of an exception,", 0),
        ("return root.size / 2 > 0", "the operator Div", 0),
        ("f = lambda: 1\nreturn f", "the function f as a value", 1),
        ("return f'{root.size}' == '1'", "an f-string", 0),
        ("root.size = 1\nreturn True", "an assignment to an attribute or a slice", 0),
        ("return root.size > 0.5", "a value of type float", 0),
        ("import os\nreturn True", "the statement Import", 0),
        ("return print(root)", "a call of print", 0),
        ("return root.cells[:: root.size] == []", "a slice with a computed step", 0),
        ("return unheard_of > 1", "the name unheard_of", 0),
        (f"return {1 << 70} > 1", "the integer 1180591620717411303424", 0),
        ("return getattr(root, 'size', 0) == 1", "getattr with a default", 0),
        (
            "if root.size:\n    def inner(): return 1\n    return inner()\nreturn 1",
            "the function inner within a loop or a branch",
            1,
        ),
        (
            "def inner(): return 1\nif root.size:\n    inner = len\nreturn inner()",
            "the function inner, whose name has several meanings,",
            0,
        ),
        (
            "n = 0\ndef inner():\n    nonlocal n\n    n = 1\ninner()\nreturn n == 1",
            "a function that changes names around it, or cannot be told from another,",
            1,
        ),
        ("def one(): return other()\ndef other(): return 1\nreturn one() == 1", "a call of other", 0),
        ("return all(map(len, [root.cells]))", "an application of len", 0),
        ("match root.cells:\n    case [first, *rest]:\n        return True\nreturn True", "a pattern of this kind", 1),
        ("return ''.join(map(str, root.cells)) == ''", "the method join", 0),
        ("return sorted(root.cells, reverse=root.size) == []", "the arguments of a call of sorted", 0),
        ("return isinstance(root, collections.abc.Sized)", "isinstance of Sized", 0),
    ],
)
def test_a_construct_outside_the_subset_is_named_with_its_line(body, construct, line):
    code = predicate(body, helpers="import collections.abc")
    with pytest.raises(Untranslatable) as refusal:
        CompiledSearch(StateSpace(finitization()), code, code.rep_ok, shared_objects())
    first = code.rep_ok.__code__.co_firstlineno + 1
    assert refusal.value.construct == construct
    if not construct.startswith("the integer"):
        assert refusal.value.line == first + line


def test_a_method_that_only_shares_its_name_with_a_containers_is_no_obstacle():
    source = "class R:\n    def add(self, x):\n        self.head = A(x)\nclass A:\n    pass\n"
    code = module(source + "def rep_ok(root):\n    seen = set()\n    seen.add(root.size)\n    return 1 in seen\n")
    space = StateSpace(finitization())
    assert compiled(code, space) == by_reference(code, space)


_CAUGHT = "try:\n    return {}\nexcept IndexError:\n    return False\nexcept AttributeError:\n    return True"
"""Python looks a method up, in vain here, before it evaluates the argument."""
GIVEN_UP = (
    ("n = 2\nfor i in range(9):\n    n = n * n + root.size\nreturn n > 0", "beyond 60 bits", "the operator Mult"),
    ("n = root.size\nwhile n < 3:\n    n += 0\nreturn True", "more than", "a loop"),
    ("xs = []\nwhile len(xs) >= 0:\n    xs.append(1)\nreturn True", "needs more than 4 MiB", "rep_ok"),
    ("return deep(root.size)", "calls too deeply", "a call of deep"),
    ("return root.head.value == 0", "raises", "the attribute value"),
    ("return root.cells[2] == 0", "raises", "a subscript"),
    ("return {}[root.size]", "raises", "a subscript"),
    ("return 1 // root.size", "raises", "the operator FloorDiv"),
    ("assert root.size == 5\nreturn True", "raises", "assert"),
    ("raise ValueError(root.size)", "raises", "raise"),
    ("if root.size == 1:\n    x = 1\nreturn x == 1", "raises", "x"),
    ("a, b = [root.size]\nreturn a", "raises", "unpacking"),
    ("for i in {root.size, 3}:\n    return True", "not translated", "what is iterated over"),
    ("return root.head is None and root.tag < 1", "not translated", "the comparison Lt"),
    (_CAUGHT.format("root.head.above(root.cells[2])"), "not translated", "a call of the method above"),
    (_CAUGHT.format("root.tag.append(root.cells[2])"), "not translated", "a call of the method append"),
    (_CAUGHT.format("root.cells.add(root.cells[2])"), "not translated", "a call of the method add"),
)
DEEP = "def deep(n):\n    return deep(n + 1) if n < 9999 else True\n"


@pytest.mark.parametrize("number", range(len(GIVEN_UP)))
def test_a_run_that_cannot_go_on_exactly_gives_up_and_says_where(number):
    code, (_, cause, construct) = several([body for body, _, _ in GIVEN_UP], DEEP), GIVEN_UP[number]
    outcome = compiled(code, of_several(number, finitization()))
    assert cause in outcome.error
    assert outcome.error.startswith(f"{construct} (")


def test_values_of_field_domains_that_c_does_not_know_are_refused():
    f = Finitization("R")
    f.set("R.size", 0, 0.5)
    code = predicate("return root.size == 0")
    with pytest.raises(Untranslatable, match=r"the value 0\.5 of a field domain"):
        CompiledSearch(StateSpace(f), code, code.rep_ok, shared_objects())


@pytest.mark.parametrize(
    "body", ["def __eq__(self, other):\n        return True", "def __bool__(self):\n        return False"]
)
def test_classes_that_compare_in_their_own_way_are_left_to_python(body):
    code = module(
        f"class R:\n    pass\nclass A:\n    {body}\n"
        "def rep_ok(root):\n    return root.head is not None and (root.head == 1 or not root.head)\n"
    )
    assert "not translated" in compiled(code, StateSpace(finitization())).error


def test_a_text_that_has_changed_since_it_was_executed_is_not_translated():
    code = predicate("return root.size == 1")
    other = predicate("return root.size == 2")
    code.rep_ok.__code__ = code.rep_ok.__code__.replace(co_filename=other.rep_ok.__code__.co_filename)
    with pytest.raises(Untranslatable, match="the source of rep_ok cannot be found"):
        CompiledSearch(StateSpace(finitization()), code, code.rep_ok, shared_objects())
