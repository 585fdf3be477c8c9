"""All engines and brute force agree on random small classes, invariants and finitizations."""

from collections import Counter
from textwrap import indent
from typing import Any

import pytest
from generator_samples import Sample, check_against_brute_force
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from random_programs import FieldKind, Program, programs
from random_samples import small
from support.compiled_samples import by_reference, compiled, module
from support.sweeps import examples

from harness.generators.states.native.untranslatable import Untranslatable
from harness.kernel.inputs.state_space import StateSpace

FIELDS = (
    FieldKind("r0", "number", values=(0, 1, 2)),
    FieldKind("r1", "number", values=(-1, 70)),
    FieldKind("r2", "numbers", values=(0, 1), lengths=(0, 1, 2)),
    FieldKind("r3", "choice", values=(True, "x")),
)

NUMBERS = ("root.r0", "root.r1", "len(root.r2)", "sum(root.r2)", "0", "1", "2", "70", "10**2 - 30", "len(xs)", "len(s)")
VALUES = (*NUMBERS, "root.r3", "(root.r0, root.r1)", "None")

ON_LISTS = (
    *("xs.append({n})", "xs.extend(root.r2)", "xs.extend([{n}, {n}])", "xs.insert({n}, {n})", "xs.reverse()"),
    *("xs.sort()", "xs = xs.copy()", "xs.clear()", "xs += [{n}]", "xs = xs + list(root.r2)", "xs = xs[::-1]"),
    *("xs = xs[{n}::2]", "xs = list(root.r2[::-1])", "xs = root.r2[:{n}:-1]", "xs = [{n}] * 2", "xs = xs[1:{n}]"),
    *("xs = sorted(xs, key=lambda x: -x)", "xs = sorted(xs, reverse=True)", "xs = sorted(set(xs))"),
    *("xs = list(map(lambda x: x % 3, xs))", "xs = list(filter(lambda x: x > {n}, xs))", "xs = [*xs, {n}]"),
    *("xs = [x + y for x, y in pairwise(xs)]", "xs = [x - y for x, y in zip(xs, root.r2)]"),
    *(
        "if xs: xs.pop()",
        "if xs: xs.pop(0)",
        "if {n} in xs: xs.remove({n2})",
        "if xs: xs[0] = {n}",
        "if xs: xs[-1] += 1",
    ),
    *("if {n} in xs: xs = [xs.index({n2}), xs.count({n})]", "q, r = divmod({n}, 3); xs = [q, r]"),
)
ON_DEQUES = (
    *("dq.append({n})", "dq.appendleft({n})", "dq.extend(xs)", "dq = deque(xs)", "dq = dq.copy()", "dq.clear()"),
    *("if dq: xs.append(dq.popleft())", "if dq: xs.append(dq.pop())", "xs.extend(dq)", "dq.reverse()"),
)
ON_SETS = (
    *("s.add({v})", "s.discard({v})", "s.update(root.r2)", "s.update(t)", "s = s | t", "s = s & t", "s = s - t"),
    *("s = s ^ t", "t = {{{n}, {n}}}", "t = {{x % 2 for x in xs}}", "t = set(root.r2)", "s = s.copy()", "s.clear()"),
    *("if {n} in s: s.remove({n2})", "t.add({v})", "s = set(d)", "s = set(d.keys())", "t.update(d.values())"),
)
ON_DICTS = (
    *("d[{n}] = {n}", "d[root.r3] = {n}", "d[{n}] = d.get({n}, 0) + 1", "d.setdefault({n}, {n})", "d.clear()"),
    *("d = {{x: i for i, x in enumerate(xs)}}", "e = {{x: {n} for x in xs}}", "e[{n}] = {n}", "e = {{{n}: {n}}}"),
    *("if {n} in d: xs.append(d.pop({n2}))", "xs = [k for k in d if isinstance(k, int)]"),
    *("for k, v in d.items(): e[k] = v", "for k in d.keys(): s.add(k)", "if {n} in d: xs.append(d[{n2}])"),
)
QUESTIONS = (
    *("xs == ys", "xs != list(root.r2)", "root.r2 == xs", "root.r2 == sorted(root.r2)", "xs == list(reversed(xs))"),
    *("s == t", "s != t", "s <= t", "s < t", "s >= t", "s > t", "{v} in s", "{v} not in t", "not s", "len(s) < {n}"),
    *("s == set(xs)", "len(set(xs)) == len(xs)", "d == e", "d != e", "d.keys() == e.keys()", "d.keys() == s"),
    *("s == d.keys()", "d.items() == e.items()", "d.keys() != e.keys()", "d.values() == e.values()"),
    *("{v} in d", "{n} in d.keys()", "{n} in d.values()", "({n}, {n}) in d.items()", "len(d.items()) > {n}"),
    *("not d.keys()", "list(d) == list(e)", "list(d.values()) == xs", "list(d.items()) == list(e.items())"),
    *("dq == deque(xs)", "dq == dq.copy()", "list(dq) == xs", "{n} in dq", "len(dq) > {n}", "not dq"),
    *("max(xs, default=-math.inf) < {n}", "min(xs, default=float('inf')) > {n}", "-10**6 < sum(xs) < 10**6"),
    *(
        "xs and max(xs, key=lambda x: -x) == {n}",
        "all(map(lambda x: x < 3, xs))",
        "any(x > y for x, y in pairwise(xs))",
    ),
    *("(lambda x, y: x < y)({n}, {n2})", "tuple(xs) == (0, 1)", "(*xs,) != (1,)", "xs[:1] == ys[-1:]"),
)


@st.composite
def container_programs(draw: st.DrawFn) -> Program:
    """Draw a program of some operations, in loops and branches, and a question."""

    def pick(*options: Any) -> Any:
        return draw(st.sampled_from(options))

    def filled(text: str) -> str:
        number = pick(*NUMBERS)
        for _ in range(text.count("{n}")):
            text = text.replace("{n}", number, 1) if "{n2}" in text else text.replace("{n}", pick(*NUMBERS), 1)
        text = text.replace("{n2}", number).replace("{v}", pick(*VALUES))
        return text.replace("{{", "{").replace("}}", "}")

    def operation() -> str:
        return filled(pick(*pick(ON_LISTS, ON_DEQUES, ON_SETS, ON_SETS, ON_DICTS, ON_DICTS)))

    lines = ["xs, ys, dq, s, t, d, e = [], [{0}], deque(), set(), {{1}}, {{}}, {{1: 0}}".replace("{0}", "root.r0")]
    lines = [lines[0].replace("{{", "{").replace("}}", "}")]
    for _ in range(draw(st.integers(2, 6))):
        kind = pick("plain", "plain", "plain", "loop", "branch", "keep")
        if kind == "loop":
            lines.append(f"for n in range(2):\n{indent(operation(), '    ')}")
        elif kind == "branch":
            lines.append(f"if {filled(pick(*QUESTIONS))}:\n{indent(operation(), '    ')}")
        elif kind == "keep":
            lines.append("ys = list(xs)")
        else:
            lines.append(operation())
    lines += [f"{name} = bool({filled(pick(*QUESTIONS))})" for name in ("one", "other")]
    lines.append(f"return one {pick('and', 'or', '!=')} other")
    head = "import math\nfrom collections import deque\nfrom itertools import pairwise\n\nclass R:\n    pass\n"
    body = indent("\n".join(lines), "    ")
    return Program(f"{head}\ndef rep_ok(root):\n{body}\n", {"R": FIELDS}, {})


ENDS: Counter[str] = Counter()
QUIETLY = {"deadline": None, "derandomize": True, "suppress_health_check": list(HealthCheck)}


def check(program: Program) -> None:
    code, space = module(program.source), StateSpace(program.finitization())
    expected = by_reference(code, space)
    for outcomes in (False, True):
        if outcomes and "try:" in program.source:
            with pytest.raises(Untranslatable, match="Try in a generator, or with outcome pruning"):
                compiled(code, space, outcomes=True)
            continue
        outcome = compiled(code, space, outcomes=outcomes)  # the subset contains more than the drawn programs
        if expected.error or outcome.error:
            assert bool(expected.error) <= bool(outcome.error)
            assert expected.vectors[: len(outcome.vectors)] == outcome.vectors
        else:
            assert outcome.vectors == expected.vectors
            assert outcome.explored == expected.explored or (outcomes and outcome.explored < expected.explored)
        ENDS[
            "raises"
            if expected.error
            else "gave up"
            if outcome.error
            else "nothing"
            if not outcome.vectors
            else "found"
        ] += 1


@given(programs())
@settings(max_examples=examples(40), **QUIETLY)
def random_program(program):
    assume(StateSpace(program.finitization()).size <= 20_000)
    check(program)


@pytest.mark.slow
def test_all_engines_agree_on_random_programs_of_which_a_good_part_finds_something():
    ENDS.clear()
    random_program()
    assert ENDS["found"] > ENDS.total() / 5 > 0
    assert ENDS["raises"] + ENDS["gave up"] < 0.2 * ENDS.total()


@pytest.mark.slow
@given(programs())
@settings(max_examples=examples(40), **QUIETLY)
def test_what_is_found_of_random_programs_is_what_brute_force_finds(program):
    assume(small(program.finitization()))
    code = module(program.source)

    def survives(root):
        try:
            return code.rep_ok(root)
        except Exception:
            return False

    check_against_brute_force(Sample("random", program.source, program.finitization, survives))


@pytest.mark.slow
@given(container_programs())
@settings(max_examples=examples(16), **QUIETLY)
def test_all_engines_agree_on_random_programs_about_containers(program):
    check(program)
