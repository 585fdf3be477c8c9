"""Paths that end at the end of the stack, and what ends a path, which no handler of a program swallows."""

import sys

import pytest
from support.sequence_suites import bounds_of, suite_of_text

from harness.generators.policies.css.generator import CandidateSequenceSearch
from harness.generators.policies.symstra.generator import Symstra
from harness.generators.symbolic.rewriting import compiled, presets
from harness.generators.symbolic.values import EndlessPath, PathLimit
from harness.kernel.program.loader import TICK, ModuleText, StepLimit

LEAF = "program.py: paths that used up their 20000 steps, 500 forks or 3000 frames, which are no tests: "
ENDLESS = "    def g(self, value):\n        return 1 + self.g(value)\n"
ROUTINES = {
    "calls itself": "return self.f(value) if value > 2 else 0\n",
    "calls itself with more each time": "return self.g(value) if value > 2 else 0\n"
    "    def g(self, value):\n        return self.g(value + 1)\n",
    "calls another that calls it": "return self.g(value) if value > 2 else 0\n"
    "    def g(self, value):\n        return self.f(value)\n",
    "goes on generators that do": "return list(self.g(value)) if value > 2 else 0\n"
    "    def g(self, value):\n        yield from self.g(value)\n",
    "shows itself": "return repr(self) if value > 2 else 0\n    def __repr__(self):\n        return repr(self)\n",
    "is compared with another": "return self == Deep() if value > 2 else 0\n"
    "    def __eq__(self, other):\n        return [self] == [other]\n",
    "catches the error": "try:\n            return self.g(value) if value > 2 else 0\n"
    "        except RecursionError:\n            return 7\n" + ENDLESS,
    "catches everything": "try:\n            return self.g(value) if value > 2 else 0\n"
    "        except:\n            return 7\n" + ENDLESS,
    "leaves by finally": "try:\n            return self.g(value) if value > 2 else 0\n"
    "        finally:\n            return 7\n" + ENDLESS,
    "suppresses the error": "import contextlib\n        with contextlib.suppress(RecursionError):\n"
    "            return self.g(value) if value > 2 else 0\n        return 7\n" + ENDLESS,
    "is in a block that lets nothing out": "with Within():\n            return self.g(value) if value > 2 else 0\n"
    "        return 7\n" + ENDLESS + "class Within:\n    def __enter__(self):\n        return self\n"
    "    def __exit__(self, *error):\n        return True\n",
    "catches it at each depth": "return self.g(value) if value > 2 else 0\n    def g(self, value):\n        try:\n"
    "            return 1 + self.g(value)\n        except RecursionError:\n            return 1\n",
    "allows itself more": "import sys\n        sys.setrecursionlimit(10**6)\n"
    "        return self.g(value) if value > 2 else 0\n" + ENDLESS,
    "allows itself less": "import sys\n        sys.setrecursionlimit(400)\n"
    "        return self.g(value) if value > 2 else 0\n" + ENDLESS,
}


@pytest.mark.parametrize("generator", [Symstra(), CandidateSequenceSearch()], ids=lambda one: one.name)
@pytest.mark.parametrize("body", ROUTINES.values(), ids=ROUTINES)
def test_a_path_to_the_end_of_the_stack_is_a_leaf_of_its_own_and_the_others_are_kept(tmp_path, generator, body):
    before = sys.getrecursionlimit()
    text = f"class Deep:\n    def f(self, value):\n        {body}"
    suite, notices = suite_of_text(tmp_path, generator, text, bounds_of("Deep", f=(range(6),)), scope=1)
    assert [[call.arguments for call in suite.sequence(number)] for number in range(len(suite))] == [[()], [(), (0, 0)]]
    assert notices == [f"{LEAF}1"]
    assert sys.getrecursionlimit() == before


@pytest.mark.slow
@pytest.mark.parametrize("generator", [Symstra(), CandidateSequenceSearch()], ids=lambda one: one.name)
def test_paths_are_the_same_however_deep_the_caller_is(tmp_path, generator):
    text = (
        "class Deep:\n    def f(self, value):\n        return self.g(value - 1) if value > 0 else 0\n"
        "    def g(self, value):\n        return self.h(value)\n    def h(self, value):\n        return self.f(value)\n"
    )

    def trace_at(depth: int) -> tuple[str, list[str]]:
        if depth:
            return trace_at(depth - 1)
        trace_at.count += 1
        folder = tmp_path / str(trace_at.count)
        suite, notices = suite_of_text(folder, generator, text, bounds_of("Deep", f=(range(4),)), scope=1)
        return suite.header.digest, notices

    trace_at.count = 0
    assert trace_at(0) == trace_at(500)


@pytest.mark.parametrize("generator", [Symstra(), CandidateSequenceSearch()], ids=lambda one: one.name)
def test_an_error_of_that_class_that_the_program_raises_for_itself_is_an_outcome(tmp_path, generator):
    text = (
        "class Deep:\n    def f(self, value):\n        if value > 2:\n            raise RecursionError('too deep')\n"
        "    def g(self, value):\n        try:\n            self.f(value)\n"
        "        except RecursionError:\n            return 7\n"
    )
    bounds = bounds_of("Deep", f=(range(6),), g=(range(6),))
    suite, notices = suite_of_text(tmp_path, generator, text, bounds, scope=1)
    assert len(suite) == 5
    assert not notices


@pytest.mark.parametrize("ending", [EndlessPath, PathLimit, StepLimit])
def test_no_handler_swallows_what_ends_a_path(ending):
    def raises() -> None:
        raise ending

    text = (
        "def f(ends):\n    try:\n        ends()\n    except BaseException:\n        return 1\n"
        "def g(ends):\n    try:\n        ends()\n    finally:\n        return 1\n"
    )
    source = ModuleText("program", text, "program.py")
    names = {TICK: lambda: True, **presets(source)}
    exec(compiled(source), names)
    for name in "fg":
        with pytest.raises(ending):
            names[name](raises)
