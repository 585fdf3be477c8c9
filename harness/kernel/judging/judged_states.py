"""Remembers judged post-states: most inputs lead to one of few, and judging one costs more than running a mutant.

Answers of rep_ok and abstraction are taken from memory only if they must be the same again:

- the state has a key (`state_key`), and with it everything that may be read of it;
- the spec's functions use nothing but their argument: no state of their own, no address. They read no attribute by a
  computed name, and none that a class of the implementation has a value for;
- no step of the implementation was run, by its methods or operators, during the answer;
- they answered within the steps that every input may take.

A mutant that changes the interpreter itself (patched builtins) is not detected.
"""

from __future__ import annotations

import builtins
import dis
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from types import FunctionType, ModuleType
from typing import Any, ClassVar

from harness.kernel.judging.baseline import Baseline
from harness.kernel.judging.oracle import INVALID, Kill
from harness.kernel.judging.state_key import KeyFunction, instances, key_function, kinds_of
from harness.kernel.objects.encoding import EncodedClass
from harness.kernel.objects.reading import ATOMS
from harness.kernel.program.builtin_effects import BUILTINS, CallEffects, is_exception, named
from harness.kernel.program.code_reading import codes_of
from harness.kernel.program.steps import BUDGET_CONSTANT, TICK, StepCounter
from harness.kernel.specs.spec import Spec
from harness.model.targets import StateBounds

MOST_STATES = 1 << 17
"""The greatest number of post-states remembered of one mutant, of some hundred bytes each."""

TRIED = 4096
"""The number of states remembered before checking whether that pays."""

LONGEST_KEY = 4096

ANSWERING = named(BUILTINS, CallEffects.DEPENDS_ON_CONTENT)
"""Builtins that the spec's functions may call."""

_FORBIDDEN = {name for name in vars(builtins) if name not in ANSWERING and not is_exception(name)}
KEEPS_STATE = frozenset(
    {"STORE_GLOBAL", "DELETE_GLOBAL", "STORE_ATTR", "DELETE_ATTR", "IMPORT_NAME", "LOAD_BUILD_CLASS"}
)
"""Instructions of functions whose answers may change from one call to the next."""


def names_read(
    spec: Spec, more: Iterable[Callable[..., Any]] = (), refused: frozenset[str] = KEEPS_STATE
) -> frozenset[str] | None:
    """Return the names of attributes that judging a state may read; None if it may read more than the state.

    Args:
        more: functions of the spec that are called, too.
        refused: instructions that none of these functions may have.
    """
    functions = [*more, spec.rep_ok] if spec.abstraction is None else [*more, spec.rep_ok, spec.abstraction]
    names: set[str] = set()
    seen: set[object] = set()
    while functions:
        function = functions.pop()
        if function in seen:
            continue
        seen.add(function)
        if not isinstance(function, FunctionType) or function.__globals__ is not vars(spec.module):
            return None
        referenced = (
            *(function.__defaults__ or ()),
            *(function.__kwdefaults__ or {}).values(),
            *vars(function).values(),
        )
        if function.__closure__ or not ATOMS.issuperset(map(type, referenced)):
            return None
        for code in codes_of(function.__code__):
            if any(instruction.opname in refused for instruction in dis.get_instructions(code)):
                return None
            names.update(code.co_names)
        for name in names - {TICK}:
            value = vars(spec.module).get(name)
            if isinstance(value, FunctionType):
                functions.append(value)
            elif name.startswith("__") or type(value) not in ATOMS or name in _FORBIDDEN:
                return None
    return frozenset(names)


class JudgedStates:
    """The judgements of one mutant's post-states, by key.

    `judgement_of` holds the state's number in the baseline, DIFFERENT where it has none, INVALID where rep_ok fails.
    """

    DIFFERENT: ClassVar[int] = -1
    INVALID: ClassVar[int] = -2

    def __init__(
        self, module: ModuleType, finitization: StateBounds, names: frozenset[str], baseline: Baseline
    ) -> None:
        self._module = module
        self._finitization = finitization
        self._kinds: list[EncodedClass] | None = None
        self._classes: list[type] = []
        self.judgement_of: dict[bytes | None, int] = {}
        self.hits = 0
        self._misses = 0
        self._names = names
        self._baseline = baseline

    @classmethod
    def of(
        cls,
        module: ModuleType,
        finitization: StateBounds,
        names: frozenset[str] | None,
        baseline: Baseline,
        closed: bool = False,
    ) -> JudgedStates | None:
        """Return the memory for the mutant `module` and a spec that reads `names`; None if nothing can be remembered.

        A mutant of a closed program is not inspected before a key is needed: its classes are those of the original.
        """
        if names is None or TICK not in vars(module):
            return None
        judged_states = cls(module, finitization, names, baseline)
        return judged_states if closed or judged_states._look() else None

    def _look(self) -> bool:
        """Find out the kinds of objects in states. Return whether they have keys."""
        self._kinds = kinds_of(self._finitization, self._module)
        if self._kinds is None:
            return False
        self._classes = [base for cls in instances(self._kinds) for base in cls.__mro__ if base is not object]
        return True

    @cached_property
    def key(self) -> KeyFunction:
        """The function that makes keys of states; compiled when it is first used, as most mutants die before."""
        if self._kinds is None:
            self._look()
        return _no_key if self._kinds is None else key_function(self._kinds)

    def key_of(self, root: Any, changeable: Sequence[Any]) -> bytes | None:
        """Return the key of a state, as `key` does."""
        return self.key(root, changeable)

    @property
    def pays(self) -> bool:
        """Whether states recur: remembering one costs about half as much as judging it again."""
        return self._misses < TRIED or self.hits > self._misses // 2

    def learn(self, key: bytes | None, state: bytes | Kill, counter: StepCounter) -> None:
        """Remember a result of `Oracle.state_of`, if it would be the same at any other time."""
        self._misses += 1
        if key is None:
            return
        if isinstance(state, Kill):
            if state is not INVALID:
                return
            judgement = self.INVALID
        else:
            number = self._baseline.number_of(state)
            judgement = self.DIFFERENT if number is None else number
        if counter.spent_by_others() or counter.spent() > BUDGET_CONSTANT or len(self.judgement_of) >= MOST_STATES:
            return
        if len(key) <= LONGEST_KEY and not self._class_has_a_value():
            self.judgement_of[key] = judgement

    def _class_has_a_value(self) -> bool:
        """Return whether a class has a value, other than a method, for a name that the spec reads."""
        return any(
            not isinstance(vars(cls)[name], FunctionType)
            for cls in self._classes
            for name in self._names & vars(cls).keys()
        )


def _no_key(root: Any, changeable: Sequence[Any]) -> None:
    """Return None: states have no keys."""
