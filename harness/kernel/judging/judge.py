"""Decides whether an input distinguishes a mutant from the original, call by call: the hot path of every run.

Of sequences, most calls have been judged with another input, as random sequences extend earlier ones. Prefixes that
were judged before are run again to make their states, but not judged. The verdict on them is known if nothing can have
changed it:

- the behaviour of the program's routines depends only on their objects and arguments (`is_watchable`);
- the spec's functions that judge keep nothing and assign nothing in objects. They call methods that sort, clear or
  update only on containers of their own, and never append to a field or pop from it. An argument of a function may be
  a worklist, and is not checked;
- judging has run nothing of the program, which the caller of `learn` sees to;
- the original had the same outcomes in these calls, as the baseline says.

Steps are counted all the same. If they differ from the earlier ones, every call is judged from then on.

The calls of a sequence that infect a mutant (`harness.kernel.running.probing`) often leave the state that the original
has. From there on, a call that does not infect it does as the original does. So an input cannot kill the mutant if its
state is like the original's and its last call does not infect. A state is like the original's if

- a call that does not infect leads to it from a state that is, or
- the mutant was run, no call killed it, and the results of the calls are isomorphic, object by object (`graph_digest`);

and the program's behaviour depends on nothing else (`is_closed`), and judging runs nothing of it.
"""

from __future__ import annotations

import ast
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from hashlib import blake2b
from itertools import accumulate
from operator import attrgetter
from types import ModuleType
from typing import Any, NamedTuple

from harness.kernel.inputs.suites import NO_STATE, SuiteReader
from harness.kernel.judging.baseline import Baseline, CallExpected, trace_of
from harness.kernel.judging.endless import LoopDetector, graph_key, is_watchable
from harness.kernel.judging.isolation import KEEPS_STATE, names_read
from harness.kernel.judging.oracle import Kill, Oracle
from harness.kernel.judging.prepared import PreparedInput, PreparedSequence
from harness.kernel.program.builtin_effects import BUILTINS, METHODS, CallEffects, named
from harness.kernel.program.loader import LOAD_BUDGET, StepCounter
from harness.kernel.specs.contracts import postconditions
from harness.kernel.specs.spec import Spec
from harness.model.sequence import SequenceScope

_MOST_TRACES = 4096
_STEPS = attrgetter("steps")


class Judge:
    """Runs one mutant on inputs and compares it with the original, each call with its own step budget.

    Sequences have a prefix cache; states have none, and may be watched. `judge` is the method of the kind, without a
    frame between: what only sequences need takes 5 % of the time of states.

    Args:
        prepare: makes an input of the mutant ready.
        baseline: the original's outcomes on the inputs.
        watch: ends calls that would never return; None where such calls cannot be detected.
        prefix_cache: remembers calls that need not be judged again.
        propagation: knows inputs that need not be run; None: all are.

    Attributes:
        surplus: the steps of all calls, whatever their outcomes, less those that the original took.
    """

    def __init__(
        self,
        oracle: Oracle,
        prepare: Callable[[int], PreparedInput],
        baseline: Baseline,
        watch: LoopDetector | None = None,
        prefix_cache: PrefixCache | None = None,
        propagation: PropagationFilter | None = None,
    ) -> None:
        self._oracle = oracle
        self._prepare = prepare
        self._baseline = baseline
        self._watch = watch
        self._prefix_cache = prefix_cache
        self._propagation = propagation
        self._trace = lru_cache(_MOST_TRACES)(lambda number: trace_of(baseline.values[number]))
        self.surplus = 0
        self.judge: Callable[[int], Kill | None] = self._judge_state if prefix_cache is None else self._judge_sequence
        """Runs the mutant on the input of a number; returns the kill, or None if its outcome is the original's."""

    def is_known_survivor(self, number: int) -> bool:
        """Return whether input `number` is known not to kill the mutant, without running it; its steps are counted."""
        surplus = None if self._propagation is None or not self._oracle.is_apart else self._propagation.surplus(number)
        if surplus is None:
            return False
        self.surplus += surplus
        return True

    def _judge_state(self, number: int) -> Kill | None:
        baseline, watch = self._baseline, self._watch
        at = number - baseline.first
        outcome, state = baseline.values[baseline.outcomes[at]], baseline.values[baseline.states[at]]
        expected = CallExpected(outcome, baseline.steps[at], state, baseline.judge_steps[at])
        self._oracle.counter.start(LOAD_BUDGET)
        kill, steps = self._oracle.judge(self._prepare(number), expected, watch)
        self.surplus += steps - expected.steps
        if watch is not None and watch.looked:
            watch.forget()
            if not watch.pays:
                self._watch = None
        return kill

    def _judge_sequence(self, number: int) -> Kill | None:
        oracle, baseline, cache, propagation = self._oracle, self._baseline, self._prefix_cache, self._propagation
        oracle.counter.start(LOAD_BUDGET)
        prepared = self._prepare(number)
        assert cache is not None
        assert isinstance(prepared, PreparedSequence)
        # Here, as a judged call is as far above the program.
        prefix = cache.repeat(number, prepared, partial(self._is_same, number))
        spent = prefix.steps
        marks = [spent]
        at = number - baseline.first
        before = self._before(number)[prefix.calls :] if prepared.left > 1 else ()
        outcome, state = baseline.values[baseline.outcomes[at]], baseline.values[baseline.states[at]]
        steps = baseline.steps[at] - prefix.original - sum(map(_STEPS, before))
        for expected in (*before, CallExpected(outcome, steps, state, baseline.judge_steps[at])):
            if propagation is not None:
                self._look(propagation, number, prepared, spent)
            kill, steps = oracle.judge(prepared, expected)
            spent += steps
            marks.append(spent)
            if kill is not None:
                place = prepared.place(prefix.calls + len(marks) - 1)
                kill = Kill(kill.reason, kill.phase, place + kill.detail)
                break
        self.surplus += spent - baseline.steps[at]
        if kill is None and oracle.is_apart:
            self._learn(cache, number, prefix, marks)
            if propagation is not None:
                self._look(propagation, number, prepared, spent)
        return kill

    def _look(self, propagation: PropagationFilter, number: int, prepared: PreparedSequence, spent: int) -> None:
        """Compare the state before or after the last call, to which `spent` steps have led, with the original's."""
        if prepared.left > 1:
            return
        state = propagation.before(number) if prepared.left else propagation.behind(number)
        if state is not None and self._oracle.is_apart:
            all_steps = self._baseline.steps[number - self._baseline.first]
            original = sum(map(_STEPS, self._before(number))) if prepared.left else all_steps
            propagation.look(state, prepared.results, spent - original)

    def _learn(self, cache: PrefixCache, number: int, known: JudgedPrefix, marks: Sequence[int]) -> None:
        """Remember the calls before the last one, and their prefixes.

        Args:
            marks: the mutant's steps after the known calls, and after each of the others.
        """
        if not cache.is_new(number):
            return
        did = self._baseline.befores[number - self._baseline.first]
        original = [0, *accumulate(map(_STEPS, self._before(number)))]
        lengths = range(len(original) - 1, known.calls, -1)
        cache.learn(
            number, [JudgedPrefix(length, marks[length - known.calls], original[length], did) for length in lengths]
        )

    def _is_same(self, number: int, known: JudgedPrefix) -> bool:
        """Return whether the original had the same outcomes in known calls as in those of input `number`."""
        did = self._baseline.befores[number - self._baseline.first]
        return known.did == did or self._trace(known.did)[: known.calls] == self._trace(did)[: known.calls]

    def _before(self, number: int) -> tuple[CallExpected, ...]:
        """Return the original's outcomes in all calls of a sequence but the last."""
        return self._trace(self._baseline.befores[number - self._baseline.first])


MOST_KNOWN = 1 << 18
"""The greatest number of prefixes remembered on one module, of some hundred bytes each."""

_ASSIGNS = frozenset({"STORE_ATTR", "DELETE_ATTR", "STORE_SUBSCR", "DELETE_SUBSCR"})
"""Instructions by which a function changes an object."""

_CHANGING = named(METHODS, has=CallEffects.CHANGES, lacks=CallEffects.IS_OF_WORKLISTS)
"""Methods that change a container, and seldom one that another function made, as those of worklists do."""

_OF_WORKLISTS = named(METHODS, CallEffects.IS_OF_WORKLISTS)
"""Methods that change a container, which may be an argument, but no field."""

_MAKING = named(BUILTINS, CallEffects.MAKES_CONTAINER)
"""Builtins that return a new container, which nobody else refers to."""

_CONTAINER = (ast.List, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp)


class JudgedPrefix(NamedTuple):
    """A judged prefix: the number of its calls, the steps that they took, and those of the original in them.

    `did` is the number of the original's outcomes in the baseline, in these calls and perhaps more.
    """

    calls: int
    steps: int
    original: int
    did: int


NOTHING = JudgedPrefix(0, 0, 0, -1)


class PrefixCache:
    """The judged prefixes of one suite's sequences on one module.

    Args:
        is_closed: whether calls can be left unjudged at all; called after the first input that passed.
    """

    def __init__(self, suite: SuiteReader, counter: StepCounter, is_closed: Callable[[], bool]) -> None:
        self._suite = suite
        self._counter = counter
        self._is_closed = is_closed
        self._prefixes: dict[int, JudgedPrefix] | None = {}

    def repeat(self, number: int, sequence: PreparedSequence, is_same: Callable[[JudgedPrefix], bool]) -> JudgedPrefix:
        """Run the longest known prefix of input `number`, without judging it.

        Args:
            sequence: the input, before its first call.
            is_same: whether the original had the same outcomes in these calls.

        Returns:
            The prefix that was run; NOTHING if none is known.
        """
        prefixes = self._prefixes
        if not prefixes:
            return NOTHING
        state, _ = self._suite.input(number)
        prefix = prefixes.get(state)
        while prefix is None and state != NO_STATE:
            state = self._suite.before(state)
            prefix = prefixes.get(state)
        if prefix is None or not is_same(prefix):
            return NOTHING
        self._counter.start(prefix.steps)
        sequence.repeat(prefix.calls)
        if self._counter.spent() != prefix.steps:
            self._prefixes = None
            sequence.restart()
            return NOTHING
        return prefix

    def is_new(self, number: int) -> bool:
        """Return whether all calls of input `number` but the last are worth remembering."""
        if self._prefixes is None or len(self._prefixes) >= MOST_KNOWN:
            return False
        state, _ = self._suite.input(number)
        if state == NO_STATE or state in self._prefixes:
            return False
        if not self._is_closed():
            self._prefixes = None
        return self._prefixes is not None

    def learn(self, number: int, prefixes: Iterable[JudgedPrefix]) -> None:
        """Remember the calls of input `number` before its last one, and their prefixes: the longest comes first."""
        if self._prefixes is None:
            return
        state, _ = self._suite.input(number)
        for prefix in prefixes:
            if state in self._prefixes or len(self._prefixes) >= MOST_KNOWN:
                break
            self._prefixes[state] = prefix
            state = self._suite.before(state)


def is_closed(module: ModuleType, spec: Spec, source: str, bounds: SequenceScope, by_promises: bool) -> bool:
    """Return whether calls of the routines do the same each time on the same objects, and their judges keep nothing.

    Args:
        source: the text of the spec.
        by_promises: whether the spec's postconditions judge.
    """
    posts = [*postconditions(spec.module).values()] if by_promises else []
    if any("program" in post.extras for post in posts):
        return False
    functions = [post.holds for post in posts]
    functions += [routine.requires for routine in bounds.routines if routine.requires is not None]
    names = names_read(spec, functions, KEEPS_STATE | _ASSIGNS)
    looks_only = names is not None and not names & _changing_others(source, spec.module)
    return looks_only and is_watchable(module, [routine.name for routine in bounds.routines])


@cache
def _changing_others(source: str, spec: ModuleType) -> frozenset[str]:
    """Return methods by which a function of a spec may change a container that neither it nor its caller has made."""
    parts = list(ast.walk(ast.parse(source)))
    functions = [part for part in parts if isinstance(part, ast.FunctionDef)]
    making = _MAKING - vars(spec).keys()
    on_own = {id(part) for each in functions for part in _methods_of(each, _own_containers(each, making))}
    of_fields = {id(part) for each in functions for part in _methods_of(each, _variables_with_fields(each))}
    methods = [part for part in parts if isinstance(part, ast.Attribute) and id(part) not in on_own]
    on_fields = [part for part in methods if isinstance(part.value, ast.Attribute) or id(part) in of_fields]
    return _CHANGING & {part.attr for part in methods} | _OF_WORKLISTS & {part.attr for part in on_fields}


def _methods_of(function: ast.FunctionDef, names: set[str]) -> list[ast.Attribute]:
    """Return the attributes of these local variables that the function reads."""
    read = [part for part in ast.walk(function) if isinstance(part, ast.Attribute)]
    return [part for part in read if isinstance(part.value, ast.Name) and part.value.id in names]


def _variables_with_fields(function: ast.FunctionDef) -> set[str]:
    """Return the local variables of a function that are assigned the content of a field."""
    assigned = [part for part in ast.walk(function) if isinstance(part, ast.Assign)]
    from_fields = [each for each in assigned if isinstance(each.value, ast.Attribute)]
    return {target.id for each in from_fields for target in each.targets if isinstance(target, ast.Name)}


def _own_containers(function: ast.FunctionDef, making: frozenset[str]) -> set[str]:
    """Return the local variables of a function that are only ever assigned a container which is made there."""
    parts = list(ast.walk(function))
    within = (ast.FunctionDef, ast.Lambda, ast.ClassDef, ast.Global, ast.Nonlocal)
    if any(isinstance(part, within) for part in parts[1:]):
        return set()
    own_names = [
        target.id
        for part in parts
        if isinstance(part, ast.Assign) and _is_made(part.value, making)
        for target in part.targets
        if isinstance(target, ast.Name)
    ]
    stored = [part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]
    parameters = {part.arg for part in parts if isinstance(part, ast.arg)}
    return {name for name in own_names if own_names.count(name) == stored.count(name)} - parameters


def _is_made(value: ast.expr, making: frozenset[str]) -> bool:
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id in making
    return isinstance(value, _CONTAINER)


MOST_STATES = 1 << 20
"""The greatest number of states remembered of one mutant, of some hundred bytes each."""

_DIGEST = 16


@dataclass(frozen=True)
class InfectingCalls:
    """Bits that say, for inputs from `first` on, whether their last calls may infect a mutant.

    Input `i` has bit `i % 8` of byte `i // 8 - first // 8` of `row`.
    """

    first: int
    row: bytes

    def may_infect(self, number: int) -> bool:
        """Return whether the last call of input `number` may infect the mutant, or this is unknown."""
        at = (number >> 3) - (self.first >> 3)
        return number < self.first or at >= len(self.row) or bool(self.row[at] >> (number & 7) & 1)


class Lineage:
    """The relation between the states and the inputs of a suite of sequences; NO_STATE stands for none.

    Attributes:
        makers: by state, the first input whose calls are those that lead to it.
        made: by input, the state that its calls lead to, if the input is the state's maker.
        uses: by state, the first input that starts from it.
    """

    def __init__(self, suite: SuiteReader) -> None:
        self.makers = suite.makers()
        self.resulting_states = array("I", [NO_STATE]) * len(suite)
        self.uses = array("I", [NO_STATE]) * len(self.makers)
        for state, number in enumerate(self.makers):
            if number != NO_STATE:
                self.resulting_states[number] = state
        for number in range(len(suite) - 1, -1, -1):
            state, _ = suite.input(number)
            if state != NO_STATE:
                self.uses[state] = number


class PropagationFilter:
    """The states of a suite of sequences in which one mutant is like the original.

    Args:
        is_closed: whether the behaviour of calls depends only on their objects and arguments; called once, when needed.
    """

    def __init__(
        self,
        suite: SuiteReader,
        lineage: Lineage,
        baseline: Baseline,
        last_calls: InfectingCalls,
        module: ModuleType,
        is_closed: Callable[[], bool],
    ) -> None:
        self._suite = suite
        self._lineage = lineage
        self._baseline = baseline
        self._last_calls = last_calls
        self._module = module
        self._is_closed = is_closed
        self._closed: bool | None = None
        self._surplus: dict[int, int | None] = {NO_STATE: 0}

    def surplus(self, number: int) -> int | None:
        """Return how many more steps than the original the mutant takes on an input that cannot kill it.

        None if the input has to be run, as far as is known.
        """
        if self._last_calls.may_infect(number) or not self._baseline.key(number):
            return None
        if self._closed is None:
            self._closed = self._is_closed()
        return self._of(self._suite.input(number)[0]) if self._closed else None

    def before(self, number: int) -> int | None:
        """Return the state before the last call of input `number`, if it pays to `look` at it."""
        return self._state_to_compare(self._suite.input(number)[0])

    def behind(self, number: int) -> int | None:
        """Return the state that the last call of input `number` leads to, if it pays to `look` at it."""
        return self._state_to_compare(self._lineage.resulting_states[number])

    def look(self, state: int, results: Sequence[Any], surplus: int) -> None:
        """Learn a state from the results of its calls, none of which killed the mutant, and their surplus of steps."""
        digest = graph_digest(results, self._module)
        expected = self._baseline.key(self._lineage.uses[state])
        self._surplus[state] = surplus if digest and digest == expected else None

    def _state_to_compare(self, state: int) -> int | None:
        surpluses = self._surplus
        if (
            not self._closed
            or state in surpluses
            or len(surpluses) >= MOST_STATES
            or self._lineage.uses[state] == NO_STATE
        ):
            return None
        return state

    def _of(self, state: int) -> int | None:
        """Return the surplus of the calls that lead to a state which is known to be like the original's."""
        surpluses, passed = self._surplus, []
        while state not in surpluses:
            maker = self._lineage.makers[state]
            if maker == NO_STATE or self._last_calls.may_infect(maker):
                return None
            passed.append(state)
            state = self._suite.before(state)
        surplus = surpluses[state]
        if surplus is not None and len(surpluses) + len(passed) < MOST_STATES:
            surpluses |= dict.fromkeys(passed, surplus)
        return surplus


def graph_digest(results: Sequence[Any], module: ModuleType) -> bytes:
    """Return the digest of the key of the results of calls; b"" if they have none."""
    key = graph_key(results, module)
    return blake2b(key, digest_size=_DIGEST).digest() if key else b""
