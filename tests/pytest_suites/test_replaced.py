"""C code replaces functions of a loaded module, found by the names that its text defines."""

from types import ModuleType

from harness.pytest_suites.original_runs import replaced

TEXT = """\
def insort_right(found, item):
    return item


def bisect(found, item):
    def chain():
        return item

    return chain()


class defaultdict(dict):
    pass


class Kept(list):
    pass


try:
    from _bisect import bisect_right
    from _bisect import insort_right
    from collections import defaultdict
    from itertools import chain
except ImportError:
    pass

try:
    from _heapq import heappush
except ImportError:
    def heappush(heap, item):
        heap.append(item)
"""


def test_names_of_the_text_that_c_code_has_are_told_with_the_module_they_come_from():
    module = ModuleType("own")
    exec(TEXT, vars(module))
    assert replaced(module, TEXT) == {"defaultdict": "collections", "heappush": "_heapq", "insort_right": "_bisect"}
