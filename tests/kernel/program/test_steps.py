"""The step budget counts what the program does, and no program escapes it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.kernel.program.loader import ModuleText, StepCounter, StepLimit, execute_with_ticks, step_counter


def load(source: str) -> tuple[object, StepCounter]:
    counter = step_counter()
    counter.start(1_000_000)
    return execute_with_ticks(ModuleText("program", source, "program.py"), counter), counter


@given(st.integers(0, 30), st.integers(0, 5))
@settings(derandomize=True, max_examples=30)
def test_steps_are_function_entries_and_loop_iterations(outer, inner):
    module, counter = load("def f(n, m):\n    for _ in range(n):\n        for _ in range(m):\n            pass\n")
    counter.start(10_000)
    module.f(outer, inner)
    assert counter.spent() == 1 + outer + outer * inner


@pytest.mark.parametrize(
    ("body", "steps"),
    [
        ("return [x for x in range(4)]", 5),
        ("return sum(x for x in range(3) if x)", 4),
        ("return {x: y for x in range(2) for y in range(2)}", 7),
        ("return (lambda x: x)(1)", 2),
        ("return list(map(lambda x: x, range(3)))", 4),
    ],
)
def test_comprehensions_and_lambdas_spend_steps(body, steps):
    module, counter = load(f"def f():\n    {body}\n")
    counter.start(100)
    module.f()
    assert counter.spent() == steps


@pytest.mark.parametrize("handler", ["except Exception", "except BaseException", "except"])
def test_a_program_that_catches_everything_in_an_endless_loop_still_stops(handler):
    module, counter = load(
        f"def f():\n    while True:\n        try:\n            f()\n        {handler}:\n            pass\n"
    )
    counter.start(50)
    with pytest.raises(StepLimit):
        module.f()


def test_a_spent_budget_stays_spent():
    module, counter = load(
        "def g():\n    pass\ndef f():\n    try:\n        g()\n    except BaseException:\n        return 1\n"
    )
    counter.start(1)
    assert module.f() == 1
    assert counter.spent() > 1


def test_docstrings_survive_ticks():
    module, _ = load('def f():\n    """Says what."""\n    return 1\n')
    assert module.f.__doc__ == "Says what."


def test_ticks_keep_line_numbers():
    module, _ = load("def f():\n    x = 1\n    raise ValueError(7)\n")
    with pytest.raises(ValueError, match="7") as caught:
        module.f()
    assert caught.traceback[-1].lineno == 2
