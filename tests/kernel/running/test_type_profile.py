"""Types seen while the original runs."""

import sys

from harness.codec.codec import codec_of
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.running.job import ObservedTypes
from harness.kernel.running.type_profile import profile
from harness.mutation.program import TypeProfile

SOURCE = """
class Node:
    __slots__ = ("left", "info")
    def __init__(self, info):
        self.info = info
        self.left = None

class Tree:
    class Inner: pass
    def __init__(self):
        self.root = None
        self.inner = [Tree.Inner()]

def link(tree, n):
    node = Node(n)
    node.left = Node(True)
    tree.root = node
    total = 0
    total = [x for x in (n, 'a')]
    return tree.root

def fail(n):
    raise ValueError

def survive(n):
    try:
        fail(n)
    except ValueError:
        pass
    return 1.5

def generate():
    yield 1
"""


def observed(*calls: str) -> TypeProfile:
    module = execute(ModuleText("impl", SOURCE, "/nowhere/impl.py"))
    types = profile([lambda call=call: eval(call, vars(module)) for call in calls], module)
    return TypeProfile.from_json(codec_of(ObservedTypes).to_data(types))


def test_variables_have_all_their_types_over_time_comprehensions_included():
    variables = observed("link(Tree(), 3)").variables["link"]
    assert variables["tree"] == {"Tree"}
    assert variables["node"] == {"Node"}
    assert variables["total"] == {"int", "list"}
    assert variables["x"] == {"int", "str"}


def test_attributes_of_objects_that_no_variable_holds_are_seen():
    attributes = observed("link(Tree(), 3)").attributes
    assert attributes["Node"] == {"info": {"int", "bool"}, "left": {"Node", "NoneType"}}
    assert attributes["Tree"] == {"root": {"Node", "NoneType"}, "inner": {"list"}}


def test_results_are_seen_but_not_those_of_calls_that_raise():
    returns = observed("link(Tree(), 3)", "survive(2)", "list(generate())", "fail(0)").returns
    assert returns["link"] == {"Node"}
    assert returns["survive"] == {"float"}
    assert returns["generate"] == {"generator"}
    assert "fail" not in returns


def test_tracing_ends_with_the_execution():
    before = sys.gettrace()
    observed("fail(0)")
    assert sys.gettrace() is before


def test_an_execution_that_takes_more_than_its_share_runs_on_unseen_and_the_next_is_seen():
    source = "def count(n):\n    for i in range(n):\n        last = i\n    return last\n\ndef name():\n    return 'x'\n"
    module = execute(ModuleText("impl", source, "/nowhere/impl.py"))
    returned: list[int] = []
    calls = [lambda: returned.append(vars(module)["count"](1000)), lambda: vars(module)["name"]()]
    functions = profile(calls, module, most_of_each=50).functions
    assert returned == [999]
    assert functions["count"].variables["last"] == ("int",)
    assert (functions["count"].returns, functions["name"].returns) == ((), ("str",))


def test_slots_are_seen_by_the_names_that_the_class_gives_them_and_private_ones_are_not():
    source = """class List:
    __slots__ = ("size", "__last")

    def __init__(self):
        self.size = 0
        self.__last = 1

class Other:
    def __init__(self):
        self.__size = 0
"""
    module = execute(ModuleText("impl", source, "/nowhere/impl.py"))
    classes = profile([vars(module)["List"], vars(module)["Other"]], module).classes
    assert classes == {"List": {"size": ("int",)}, "Other": {"_Other__size": ("int",)}}
