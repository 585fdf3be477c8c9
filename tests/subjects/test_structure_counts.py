"""The numbers of structures and inputs of the finitizations equal formulas and the paper's Table 4."""

import csv
from collections.abc import Collection, Iterator
from itertools import product

import case_studies
import pytest
from subject_samples import COUNTS, FIELD_COUNTS, INPUTS, NAMES, ROOT, loaded, number_of_inputs
from support.documents import number, rows_of
from support.sweeps import WHOLE

from harness.generators.states.reference.search import KoratSearch
from harness.kernel.inputs.state_space import Decoder, StateSpace
from harness.kernel.objects.equality import concrete

NOT_PUBLISHED = ("heapq", "tree_map_black_root")
OPEN = ("av_tree",)  # the paper's finitization is not known
PUBLISHED = [name for name in NAMES if name not in (*NOT_PUBLISHED, *OPEN)]
TITLES = {loaded(name).spec.title: name for name in PUBLISHED}
FIRST_SLOW = {"disj_set": 5, "av_tree": 4}  # scopes from here on take ten seconds or so
LONGEST = {("sorted_list", 7), ("disj_set", 5), ("search_tree", 7)}
LAST = {"disj_set": 5, "fibonacci_heap": 5, "av_tree": 4}


def published_inputs() -> list[tuple[str, int, int]]:
    with (ROOT / "results" / "published" / "exhaustive2003_table4.csv").open() as file:
        return [
            (TITLES[row["benchmark"]], int(row["scope"]), int(row["inputs"]))
            for row in csv.DictReader(file)
            if row["benchmark"] in TITLES
        ]


def names_and_scopes(largest: Collection[str] = NAMES) -> list:
    """Return every subject at every scope that the paper tabulates, slow ones marked; beyond scope 5 some of them."""
    return [
        pytest.param(name, scope, marks=[pytest.mark.slow] * (scope >= FIRST_SLOW.get(name, 6)))
        for name in NAMES
        for scope in range(1, LAST.get(name, 7 if name in largest else 5) + 1)
        if WHOLE or (name, scope) not in LONGEST
    ]


@pytest.mark.parametrize(("name", "scope", "inputs"), published_inputs())
def test_formulas_explain_the_published_inputs(name, scope, inputs):
    assert INPUTS[name](scope) == inputs


def small_spaces() -> Iterator[tuple[str, int]]:
    """Subjects and scopes whose whole state space can be walked through."""
    for name, scope in product((*NAMES, *FIELD_COUNTS), (1, 2, 3)):
        if StateSpace(loaded(name).spec.finitization(scope)).size <= 100_000:
            yield name, scope


def test_every_subject_has_a_small_space():
    assert {name for name, _ in small_spaces()} == {*NAMES, *FIELD_COUNTS}


@pytest.mark.parametrize(("name", "scope"), list(small_spaces()))
def test_brute_force_over_the_whole_space_finds_that_many_isomorphism_classes(name, scope):
    subject = loaded(name)
    space = StateSpace(subject.spec.finitization(scope))
    decoder = Decoder(space, subject.module)
    classes = set()
    for vector in product(*(range(len(field.domain)) for field in space.fields)):
        state = decoder.decode(vector).root
        verdict = subject.spec.rep_ok(state)
        assert verdict in (True, False)
        if verdict:
            classes.add(concrete(state))
    assert len(classes) == (COUNTS | FIELD_COUNTS)[name](scope)


JAVA_EXPLORED = {  # candidates that the original tool explores at scopes 5, 6, 7 under the same bounds
    "search_tree": (8_308, 61_950, 471_708),
    "heap_array": (8_916, 64_533, 519_968),
    "binomial_heap": (8_122, 42_815, 261_788),
}


@pytest.mark.parametrize(("name", "scope"), names_and_scopes(JAVA_EXPLORED))
def test_korat_finds_as_many_states_as_the_formulas_count_and_explores_no_more_than_the_java_tool(name, scope):
    subject = loaded(name)
    search = KoratSearch(StateSpace(subject.spec.finitization(scope)), subject.module, subject.spec.rep_ok)
    assert sum(1 for _ in search) == COUNTS[name](scope)
    if name in JAVA_EXPLORED and scope >= 5:
        assert search.explored <= JAVA_EXPLORED[name][scope - 5]
    if name == "search_tree" and scope in (5, 6):
        assert search.explored == JAVA_EXPLORED[name][scope - 5], "appendix A explores these very candidates"


@pytest.mark.parametrize(("name", "scope"), names_and_scopes())
def test_korat_makes_as_many_inputs_as_the_formulas_count(name, scope):
    assert number_of_inputs(loaded(name), scope) == INPUTS[name](scope)


ROWS = {"TreeMap, black roots": "tree_map_black_root", "AVTree": "av_tree", "heapq": "heapq"} | TITLES


def test_the_document_has_the_states_that_the_formulas_count():
    rows = rows_of("docs/subjects.md", "| states at scope | 1 |")
    assert {ROWS[row[0]] for row in rows} == set(NAMES)
    for title, *cells in rows:
        counts = [number(cell) for cell in cells if cell]
        assert counts == [COUNTS[ROWS[title]](scope) for scope in range(1, len(counts) + 1)], title


@pytest.mark.slow
@pytest.mark.parametrize("title", ["TreeMap, 8", "SortedList, 7"])
def test_the_document_has_the_candidates_that_rep_ok_alone_explores(title, tmp_path):
    (row,) = (row for row in rows_of("docs/subjects.md", "| states at scope | candidates") if row[0] == title)
    name, _, scope = title.partition(", ")
    search, _ = case_studies.searched(TITLES[name], int(scope), tmp_path, prunes=False)
    assert search.explored == number(row[1])
