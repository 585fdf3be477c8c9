"""A rep_ok that raises says where, on which candidate, and what to correct, in one line."""

import re

import pytest
from generator_samples import TREE, module, tree_finitization

from harness.errors import SpecError
from harness.generators.states.reference.search import KoratSearch
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.specs.spec import load_spec
from harness.model.finitization import Finitization

SPEC = "from harness.spec import Finitization\ndef finitization(scope):\n    pass\n"


def failure(rep_ok_text: str, finitization: Finitization | None = None) -> str:
    spec = load_spec(SPEC + rep_ok_text, "spec.py")
    space = StateSpace(finitization or tree_finitization(2))
    with pytest.raises(SpecError) as caught:
        list(KoratSearch(space, module(TREE), spec.rep_ok))
    message = str(caught.value)
    assert "\n" not in message
    return message


WITHOUT_RIGHT = Finitization("SearchTree")
WITHOUT_RIGHT.set("SearchTree.root", None, WITHOUT_RIGHT.objects("Node", 1))
WITHOUT_RIGHT.set("Node.left", None)


@pytest.mark.parametrize(
    ("rep_ok", "message", "finitization"),
    [
        (
            "    return tree.root is None or tree.root.left.info < tree.root.info\n",
            "rep_ok raised AttributeError: 'NoneType' object has no attribute 'info' (spec.py:5) on candidate "
            "SearchTree(root=Node0(left=None, right=?, info=?), size=?); make it return True or False there",
            None,
        ),
        (
            "    return tree.root is None or tree.root.right is None\n",
            "Node.right has no field domain, but rep_ok reads it (spec.py:5); "
            'add f.set("Node.right", ...) to finitization',
            WITHOUT_RIGHT,
        ),
        (
            "    return tree.rooot is None\n",
            "rep_ok reads SearchTree.rooot (spec.py:5), which no code of the implementation assigns; "
            "correct the name (fields set in finitization: root, size)",
            None,
        ),
        (
            "    del tree.root\n    return tree.root\n",
            "rep_ok deletes SearchTree.root and then reads it (spec.py:6)",
            None,
        ),
        ("    return rep_ok(tree)\n", "rep_ok raised RecursionError: ", None),
        (
            "    return Odd()\nclass Odd:\n    def __bool__(self):\n        raise OverflowError('odd')\n",
            "rep_ok raised OverflowError: odd (spec.py:8)",
            None,
        ),
    ],
    ids=["exception", "forgotten field", "misspelt field", "deleted field", "recursion", "truth value"],
)
def test_the_exception_the_line_and_the_candidate_are_named(rep_ok, message, finitization):
    told = failure(f"def rep_ok(tree):\n{rep_ok}", finitization)
    assert told.startswith(message)


def test_an_exception_raised_in_the_implementation_names_both_lines():
    message = failure("def rep_ok(tree):\n    return type(tree.root)(tree, 2)\n")
    assert "TypeError" in message
    assert "(spec.py:5)" in message
    implementation = TREE + "    def check(self):\n        raise ValueError('no')\n"
    spec = load_spec(SPEC + "def rep_ok(tree):\n    return tree.root is None or tree.root.check()\n", "spec.py")
    with pytest.raises(SpecError, match=re.escape("ValueError: no (spec.py:5, in impl.py:13) on candidate")):
        list(KoratSearch(StateSpace(tree_finitization(1)), module(implementation), spec.rep_ok))


def test_methods_and_class_attributes_are_not_fields():
    source = TREE + "    limit = 3\n    def half(self):\n        return self.limit // 2\n"
    source += "    @property\n    def one(self):\n        return 1\n"
    f = tree_finitization(1)
    search = KoratSearch(
        StateSpace(f), module(source), lambda t: t.root is not None and t.root.half() == t.root.one == t.root.limit - 2
    )
    assert len(list(search)) == 2 * 2 * 2
