"""The subjects of exhaustive2003 have enough mutants to sample the paper's numbers from (Table 1)."""

from pathlib import Path

import pytest

from harness.codec.codec import codec_of
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.program.splice import mutated_source
from harness.kernel.running.job import ObservedTypes
from harness.kernel.running.type_profile import profile
from harness.kernel.specs.spec import load_spec
from harness.model.interface import Interface
from harness.model.mutant import MutantStatus
from harness.model.subject import Subject
from harness.mutation.derive import derive
from harness.mutation.operator_sets import EXTENDED
from harness.mutation.profile import TypeProfile
from harness.mutation.reach import target_names

FOLDER = Path(__file__).parents[2] / "subjects"


def exercise_tree(module):
    for order in ((2, 1, 3), (4, 1, 3, 2), (4, 1, 2, 3, 5)):
        for key in order:
            tree = module.SearchTree()
            for other in order:
                tree.add(other)
            tree.remove(key)
            tree.contains(key)


def exercise_array(module):
    heap = module.HeapArray()
    for key in (1, 3, 2, 5, 4):
        heap.insert(key)
    while heap.size:
        heap.extract_max()


def exercise_binomial(module):
    heap, other = module.BinomialHeap(), module.BinomialHeap()
    for key in (5, 3, 1, 4, 2, 0, 6):
        heap.insert(key)
        other.insert(key)
    heap.union(other)
    for key in (4, 5, 9):
        heap.contains(key)
        heap.delete(key)
    heap.extract_min()
    heap.find_min()


@pytest.mark.parametrize(
    ("name", "exercise", "number"),
    [
        ("search_tree", exercise_tree, 272),
        ("heap_array", exercise_array, 274),
        ("binomial_heap", exercise_binomial, 292),
    ],
)
def test_a_subject_has_at_least_the_papers_number_of_viable_mutants_and_each_has_a_text_of_its_own(
    name, exercise, number
):
    path, spec_path = FOLDER / name / "impl.py", FOLDER / name / "spec.py"
    spec = load_spec(spec_path.read_text(encoding="utf-8"), str(spec_path))
    source = path.read_text(encoding="utf-8")
    subject = Subject(name, name, "impl", path, source, spec_path, "", helpers=spec.helpers)
    module = execute(ModuleText("impl", source, str(path)))
    types = profile([lambda: exercise(module)], module)
    targets = target_names(Interface.of_finitization(spec.finitization(2)))
    mutants = derive(subject, targets, TypeProfile.from_json(codec_of(ObservedTypes).to_data(types)), EXTENDED)
    viable = [m for m in mutants if m.status is MutantStatus.VIABLE]
    assert len(viable) >= number
    assert len({m.id for m in mutants}) == len(mutants)
    assert len({mutated_source(source, m) for m in viable} | {source}) == len(viable) + 1
