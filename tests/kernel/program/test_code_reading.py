"""Compiled code is read the same whether a name, an instruction or a function within it is sought."""

from types import CodeType

import pytest

from harness.kernel.program.code_reading import (
    codes_of,
    codes_within,
    global_loads,
    handles_exceptions,
    is_of_function,
    names_of,
    operations,
    stored_attributes,
)

SOURCE = """
class Pile:
    def put(self, item):
        self.items = [item, *self.items]
        self.size += 1
        return sorted(self.items, key=lambda one: one.weight)

def outer(limit):
    def inner():
        return limit
    return inner
"""


def module_of(source: str) -> CodeType:
    return compile(source, "pile.py", "exec")


def code_named(name: str, source: str = SOURCE) -> CodeType:
    return next(code for code in codes_of(module_of(source)) if code.co_name == name)


def test_the_code_within_code_comes_outer_ones_first():
    module = module_of(SOURCE)
    names = ["Pile", "put", "<lambda>", "outer", "inner"]
    assert [code.co_name for code in codes_within(module)] == names
    assert [code.co_name for code in codes_of(module)] == ["<module>", *names]


def test_code_of_functions_is_told_from_that_of_modules_and_classes():
    assert [code.co_name for code in codes_of(module_of(SOURCE)) if not is_of_function(code)] == ["<module>", "Pile"]


def test_names_are_those_of_inner_functions_as_well():
    assert {"items", "size", "sorted", "weight"} <= set(names_of(code_named("put")))
    assert "item" not in set(names_of(code_named("put")))


def test_assigned_attributes_come_in_their_order_and_without_those_that_are_read():
    assert list(stored_attributes(code_named("put"))) == ["items", "size"]
    assert list(stored_attributes(code_named("<lambda>"))) == []


def test_globals_are_read_off_the_code_with_whether_they_are_called():
    source = (
        "def push(self, value):\n    if value > LIMIT:\n        raise ValueError(value)\n    self.top = Node(value)\n"
    )
    assert global_loads(code_named("push", source)) == {("LIMIT", False), ("ValueError", True), ("Node", True)}
    assert len(operations(code_named("push", source))) * 2 == len(code_named("push", source).co_code)


def test_globals_are_read_off_code_with_more_names_than_a_byte_counts():
    names = "".join(f"    x = n{number}\n" for number in range(300))
    long = code_named("long", f"def long():\n{names}    return last()\n")
    assert global_loads(long) == {*((f"n{number}", False) for number in range(300)), ("last", True)}


@pytest.mark.parametrize(
    ("body", "handles"),
    [
        ("try:\n        f()\n    except ValueError:\n        pass", True),
        ("try:\n        f()\n    finally:\n        g()", True),
        ("with f():\n        g()", True),
        ("return [one for one in f()]", False),
        ("raise ValueError", False),
    ],
)
def test_code_handles_exceptions_by_except_finally_and_with(body, handles):
    assert handles_exceptions(code_named("body", f"def body():\n    {body}\n")) == handles
