"""The data of field_exhaustive2016: a run of its subjects, its printed values, and the bugs of a refactoring engine."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from statistics import mean

from harness import resources
from harness.analysis.measures import Proven
from harness.analysis.score_caption import killed
from harness.errors import StoreError
from harness.model.outcome import OracleName, ScorePolicy
from harness.papers.suites import RunSuites, Suite, TrialFacts, executed, shipped_trials
from harness.tables.published import TableInputs
from harness.tables.stored import Run, proven_under
from harness.tables.table import Missing

NAME = "field_exhaustive2016"
OPERATORS = "mujava"
POSTCONDITION, DIFFERENTIAL = OracleName.POSTCONDITION.value, OracleName.DIFFERENTIAL.value
"""The oracles: that of the paper (section 6), and comparison with the original."""

EXHAUSTIVE, FIELD_EXHAUSTIVE, RANDOM = "korat", "field-exhaustive", "random"

SUBJECTS = {
    "SortedSinglyLinkedList": "field_sorted_list",
    "BinarySearchTree": "field_search_tree",
    "TreeSet": "field_tree_set",
    "BinomialHeap": "field_binomial_heap",
}
"""Our subjects that are the paper's, by title, in its order."""

NO_PROCESSOR_SECONDS = Missing("processor seconds of making it were not taken")


FILE = Path("refactoring", "faults.csv")
"""Below `results/frozen`: a row per case, generator, scope and seed (`python -m benchmarks.refactoring`)."""

TECHNIQUES = {"korat": "astgen", "hypothesis": "random", "field-exhaustive": "field_exhaustive"}
"""The technique of the paper that each generator is compared with, by its name without options."""
ALL_PROGRAMS, RANDOM_PROGRAMS, PROGRAMS_OF_FIELDS = TECHNIQUES.values()


@dataclass(frozen=True)
class Refactored:
    """One technique on one refactoring of our engine, over all its seeds.

    `title` is that of the case, the same as of the paper's row beside it where there is one
    (`EncapsulateField.SingleClassFieldRef`). `requested_programs` is the number of programs that a random technique was
    asked for; `inputs`, `bugs` and `faults` are the most of a seed, `seconds` the mean, of generating and testing. A
    bug is a place in the engine that would have to change (`BUGS`), a fault what an oracle can tell apart: one bug
    may cause several.
    """

    title: str
    technique: str
    scope: int
    requested_programs: int | None
    seeds: int
    inputs: int
    seconds: float
    bugs: int
    faults: int


def read_refactored(path: Path) -> Sequence[Refactored]:
    """Return the rows of the file by technique and scope, in its order; none if there is no such file.

    Raises:
        StoreError: the file was changed after it was written.
    """
    if not path.exists():
        return ()
    try:
        with path.open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines))
        groups: dict[tuple[str, str, str], list[Mapping[str, str]]] = {}
        for row in rows:
            if row["generator"].partition(":")[0] in TECHNIQUES:
                groups.setdefault((row["title"], row["generator"], row["scope"]), []).append(row)
        return [_over_seeds(*key, of_seeds) for key, of_seeds in groups.items()]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(f"{path}: not what benchmarks.refactoring has written ({error!r}); restore it") from None


def fault_names(cell: str) -> list[str]:
    """Return the names of the faults in a cell such as `deletion @0; assignment chain @20`, with their first inputs."""
    return [name.rpartition(" @")[0] for name in cell.split("; ") if name]


def _over_seeds(title: str, generator: str, scope: str, rows: Sequence[Mapping[str, str]]) -> Refactored:
    name, _, requested = generator.partition(":")
    technique = TECHNIQUES[name]
    return Refactored(
        title,
        technique,
        int(scope),
        int(requested) if technique == RANDOM_PROGRAMS else None,
        len(rows),
        max(int(row["inputs"]) for row in rows),
        mean(float(row["generating"]) + float(row["testing"]) for row in rows),
        max(len({bug_of(row["subject"], name) for name in fault_names(row["faults"])}) for row in rows),
        max(len(fault_names(row["faults"])) for row in rows),
    )


@dataclass(frozen=True)
class FieldExhaustiveInputs(TableInputs):
    """A run, of which only trials of the paper's own subjects and of the operator set `mujava` count."""

    paper = NAME
    proven: Proven = field(default_factory=dict)
    refactored: Sequence[Refactored] = ()

    def suite(self, title: str, generator: str, scope: int) -> Suite | None:
        """Return the suite of a generator that has no seed of its own; None if there is none."""
        return self._suites.get(SUBJECTS.get(title), generator, scope)

    def scopes(self, title: str, *generators: str) -> list[int]:
        """Return the scopes at which one of the generators was run, in ascending order."""
        return self._suites.scopes(SUBJECTS.get(title), *generators)

    def of(self, title: str) -> Sequence[Suite]:
        """Return the suites of a subject, by its title in the paper, in the order of the run."""
        return self._suites.of(SUBJECTS.get(title))

    def random(self, title: str, tests: int, scope: int | None = None) -> Sequence[Suite]:
        """Return the suites of `random:<tests>` by ascending seed, or of the smallest larger number of tests.

        A random suite is the prefix of each larger one of its seed (`harness.generators.policies.random`).

        Args:
            scope: the scope of the values and bounds; None: that of the largest suite of the subject.
        """
        at = self.random_scope(title) if scope is None else scope
        by_seed: dict[int, Suite] = {}
        for requested, suite in sorted(self._random(title), key=lambda pair: pair[0]):
            if min(requested, suite.inputs) >= tests and suite.scope == at:
                by_seed.setdefault(suite.seed, suite)
        return [suite for _, suite in sorted(by_seed.items())]

    def short_random(self, title: str, tests: int, scope: int) -> Sequence[Suite]:
        """Return the random suites of a scope with `tests` or more requested tests that ended earlier; largest last."""
        suites = [suite for number, suite in self._random(title) if number >= tests and suite.scope == scope]
        return sorted((suite for suite in suites if suite.inputs < tests), key=lambda suite: suite.inputs)

    def largest_random(self, title: str) -> Sequence[Suite]:
        """Return, by ascending seed, the largest random suite run with mutants, of the scope of the largest of all."""
        at = self.random_scope(title)
        ran = [pair for pair in self._random(title) if pair[1].scope == at and pair[1].first_kills]
        by_seed = {suite.seed: suite for _, suite in sorted(ran, key=lambda pair: pair[0])}
        return [suite for _, suite in sorted(by_seed.items())]

    def random_scope(self, title: str) -> int | None:
        """Return the scope of the random suite with most requested tests, the largest of several; None if there is
        none.
        """
        return max(((asked, suite.scope) for asked, suite in self._random(title)), default=(0, None))[1]

    def random_scopes(self, title: str, tests: int) -> list[int]:
        """Return the scopes of random suites with so many requested tests or more, in ascending order."""
        return sorted({suite.scope for asked, suite in self._random(title) if asked >= tests})

    def random_sizes(self, title: str, scope: int | None = None) -> list[int]:
        """Return the requested numbers of tests of random suites, in ascending order; `scope` is as for `random`."""
        at = self.random_scope(title) if scope is None else scope
        return sorted({asked for asked, suite in self._random(title) if suite.scope == at})

    def _random(self, title: str) -> list[tuple[int, Suite]]:
        """Return the random suites that are bounded only by their number of tests, with that number."""
        named = ((suite.generator.partition(":"), suite) for suite in self.of(title))
        return [(int(limit), suite) for (name, _, limit), suite in named if name == RANDOM and limit.isdecimal()]

    @property
    def counted(self) -> str:
        """The mutants that scores count, and the oracle that killed them, for captions."""
        return killed(self.policy, [POSTCONDITION], f"operator set {OPERATORS}")

    @cached_property
    def _suites(self) -> RunSuites:
        """Of trials that differ in their mode alone, the latest that was run to its end on mutants."""
        facts = TrialFacts(self.frames, self.policy, self.proven)
        return RunSuites(facts, choice=executed, oracle=OracleName.POSTCONDITION)


def paper_inputs(run: Run, policy: ScorePolicy) -> FieldExhaustiveInputs:
    """Return the run's trials of subjects as they ship and of the paper's operators, under every oracle.

    Raises:
        StoreError: the results of the second domain are damaged.
    """
    return FieldExhaustiveInputs(
        shipped_trials(run.all_frames, OPERATORS),
        resources.published_folder(),
        proven_under(run, policy),
        read_refactored(resources.shipped("results/frozen") / FILE),
        policy=policy,
    )


@dataclass(frozen=True)
class Bug:
    """A function of rope, as `module.Class.method` below the package, what is wrong there, and the faults it causes.

    `faults` are names by case, as `benchmarks.rope_faults` shows each on its smallest program.
    """

    place: str
    wrong: str
    faults: tuple[tuple[str, str], ...]


def _bug(place: str, wrong: str, case: str, *names: str) -> Bug:
    return Bug(place, wrong, tuple((case, name) for name in names))


_ENCAPSULATE = "refactor.encapsulate_field."
_WRITES = f"{_ENCAPSULATE}_FindChangesForModule.get_changed_module"
_FINDER = "base.worder._RealFinder."
_SCOPES = "base.pyobjectsdef._ScopeVisitor."
_MOVE = "refactor.move.MoveMethod."
_INLINE = "refactor.inline."
_CHECKS = "refactor.extract._ExceptionalConditionChecker.one_line_conditions"
_COLLECTOR = "refactor.extract._FunctionInformationCollector"
_SINGLE = "encapsulate_single"

BUGS = (
    _bug(_WRITES, "takes the rest of the line for the value that is assigned", _SINGLE,
         "comment behind an assignment", "semicolon behind an assignment"),
    _bug(_WRITES, "puts a call of the setter, which gives None, in the place of a target within a chain", _SINGLE,
         "assignment chain"),
    _bug(_WRITES, "puts the value of an augmented assignment behind its operator without parentheses", _SINGLE,
         "precedence in augmented assignment"),
    _bug(_WRITES, "writes an augmented assignment as a plain one, which changes no list in place", "encapsulate_list",
         "list no longer extended in place"),
    _bug(f"{_FINDER}get_assignment_type", "takes for written only what stands before a `=`", _SINGLE,
         "annotated assignment", "target of a loop", "deletion"),
    Bug(f"{_FINDER}is_assigned_in_a_tuple_assignment", "knows targets like `(x, y)` alone, as a comment there says",
        ((_SINGLE, "target in brackets"), ("encapsulate_list", "starred target"))),
    Bug(f"{_ENCAPSULATE}EncapsulateField.get_changes", "does not look whether the names of the accessors are taken",
        ((_SINGLE, "getter there already"), ("encapsulate_double", "getter of a subclass"),
         ("encapsulate_two", "field with the name of the getter"))),
    _bug("refactor.sourceutils.add_methods", "takes a comprehension for the last method of the class",
         "encapsulate_list", "accessors behind a comprehension"),
    _bug("refactor.rename.Rename.validate_changes", "refuses keywords, and no name that is taken", "rename",
         "new name of a field taken", "new name of a method taken", "new name of a variable taken"),
    _bug("refactor.occurrences._TextualFinder._get_occurrence_pattern",
         "takes the prefix of a formatted text for a name", "rename", "prefix of a formatted text"),
    _bug(f"{_SCOPES}_Global", "has no counterpart for `nonlocal`", "rename", "nonlocal variable that is assigned"),
    _bug(f"{_SCOPES}_Import", "makes the name one of the function, whatever `global` says", "rename",
         "global variable imported as well"),
    _bug("refactor.rename.Rename._is_allowed_to_move", "asks for the file of a module that is none of the project's",
         "rename", "local variable imported as well"),
    _bug(f"{_MOVE}_get_changes_made_by_old_class", "writes `self`, whatever the first parameter is called",
         "move_method", "self by another name"),
    _bug(f"{_MOVE}_get_passed_arguments_string", "hands on parameters as they are declared, with their defaults",
         "move_method", "default in place of the argument"),
    _bug("refactor.functionutils._FunctionDefParser.get_parameters", "loses keyword-only ones, as a comment fears",
         "move_method", "keyword-only parameter"),
    _bug("base.pyobjectsdef.PyFunction.get_param_names", "leaves out positional-only ones", "move_method",
         "positional-only parameter"),
    _bug(f"{_MOVE}_get_body", "does not look whether the name `host` is taken", "move_method",
         "parameter called host", "variable called host"),
    _bug(f"{_MOVE}_get_changes_made_by_new_class", "takes the field's class from one of several assignments",
         "move_method", "field that the method replaces"),
    _bug(f"{_MOVE}_get_changes_made_by_new_class", "does not look whether the class has such a method", "move_method",
         "method there already"),
    _bug(f"{_INLINE}_InlineFunctionCallsForModuleHandle.occurred_outside_skip",
         "puts what a function returns where the call was, without parentheses", "inline", "precedence of the value"),
    _bug(f"{_INLINE}_inline_variable", "puts a value where the name was, without parentheses", "inline",
         "precedence of an argument", "member of a number"),
    _bug(f"{_INLINE}_inline_variable", "puts a value into a formatted text as it is", "inline",
         "quotes in a formatted text", "lines in a formatted text"),
    _bug(f"{_INLINE}InlineVariable._check_exceptional_conditions",
         "does not look whether the value's names mean the same where it is put", "inline",
         "name of an inner function's parameter"),
    _bug(f"{_INLINE}InlineVariable._check_exceptional_conditions",
         "does not look whether the value's names are assigned before it is put there", "inline",
         "operand that changes before the use"),
    _bug(f"{_INLINE}_DefinitionGenerator._calculate_definition",
         "inlines parameters that are assigned, though a comment there says otherwise", "inline",
         "parameter that is assigned"),
    _bug(f"{_INLINE}_DefinitionGenerator._calculate_definition",
         "renames the caller's names in arguments with the function's own", "inline", "name of a function's local"),
    _bug("refactor.move.moving_code_with_imports", "puts imports behind a text as if that were a module's", "inline",
         "text on a line of its own"),
    Bug(_CHECKS, "does not look whether the expression has names of a comprehension or lambda around it",
        (("extract_variable", "name of another scope"), ("extract_method", "name of another scope"),
         ("extract_variable", "assignment expression"))),
    _bug(_CHECKS, "does not look whether the statement evaluates the expression just once, and first",
         "extract_variable", "operand that was not evaluated", "condition of a loop"),
    _bug("refactor.extract._DefinitionLocationFinder._get_before_line", "takes each line for a statement",
         "extract_variable", "condition of elif", "behind a semicolon"),
    _bug(_COLLECTOR, "has no case for imports", "extract_method", "imported name"),
    _bug(f"{_COLLECTOR}._Name", "takes a deleted name for one that is read", "extract_method", "deleted variable"),
    _bug(f"{_COLLECTOR}._read_variable", "takes what is written on an earlier line for written, in whatever branch",
         "extract_method", "variable set in try"),
    _bug(f"{_COLLECTOR}._comp_exp", "forgets what a comprehension reads under the name of its variable",
         "extract_method", "name that a comprehension has, too"),
    _bug(f"{_COLLECTOR}._AugAssign", "looks at the value before the target, which is read first", "extract_method",
         "assignment expression"),
    _bug("refactor.patchedast._PatchingASTWalker._Starred", "does not count the star to its expression",
         "extract_method", "starred target"),
)  # fmt: skip


def bug_of(case: str, fault: str) -> Bug:
    """Return the bug that causes a fault, also if another case of the same refactoring shows it.

    Raises:
        KeyError: no bug is recorded for the fault.
    """
    bug_of_fault = {named: bug for bug in BUGS for named in bug.faults}
    if (case, fault) in bug_of_fault:
        return bug_of_fault[case, fault]
    kind = case.partition("_")[0]
    similar_bugs = [
        bug for (other, name), bug in bug_of_fault.items() if name == fault and other.partition("_")[0] == kind
    ]
    if not similar_bugs:
        raise KeyError(f"{case}: {fault}")
    return similar_bugs[0]
