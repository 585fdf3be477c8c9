"""A compiled search is compared with the reference engine at its beginning; rep_ok judges samples of the rest."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from pathlib import Path

import pytest
from generator_samples import shared_objects
from support.compiled_samples import finitization, mistaken, predicate
from support.generations import NO_TEXT, generation
from support.subjects import loaded
from written_in_blocks import check, subject_task

from harness.generators.generate import generate
from harness.generators.policies.korat.generator import Korat
from harness.generators.states.engine import Workshop
from harness.generators.states.pace import Pace
from harness.generators.states.translated.comparison import EnoughError, Stretch, compare
from harness.generators.states.translated.search import CompiledSearch
from harness.generators.states.translated.sources import keep_source
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.specs.spec import load_spec

GOOD = "return root.size != 1 and (root.head is None or root.head.value > root.size)"
SPACE = StateSpace(finitization())
SMALL_BLOCKS = Pace(beginning=2, block=2, budget=200)


@pytest.mark.sweep
@pytest.mark.parametrize(
    "body", [GOOD, "return root.size == 2 and root.head is not None and 1 <= root.head.value != 3 > len(root.cells)"]
)
def test_candidates_that_are_refused_without_an_execution_count_one_by_one(body):
    code = predicate(body)
    native = CompiledSearch(SPACE, code, code.rep_ok, shared_objects())
    for most in range(1, 120, 3):
        stretch = Stretch(SPACE, code, code.rep_ok, most)
        counted, vectors = [], iter(stretch)
        with suppress(EnoughError):
            counted.extend((stretch.explored, vector) for vector in islice(vectors, most))
        vectors.close()
        with native.begin() as running:
            compare(running, native, stretch, counted, exactly=True)


@pytest.mark.sweep
def test_blocks_between_stretches_make_the_same_suite():
    check(subject_task("search_tree", 3), pace=SMALL_BLOCKS)


@pytest.mark.end_to_end
def test_after_a_state_that_rep_ok_refuses_the_reference_engine_makes_the_suite_anew(tmp_path):
    (code, spec), (other, _), notices = loaded("search_tree"), loaded("search_tree"), []
    text = Path(spec.module.__file__).read_text(encoding="utf-8")
    last = "    return _is_ordered(tree.root, None, None)\n"
    keep_source("wrong.py", wrong := text.replace(last, last.replace("\n", " or tree.size == 3\n"), 1))
    code.rep_ok, other.rep_ok = spec.rep_ok, load_spec(wrong, "wrong.py").rep_ok
    folder = mistaken(tmp_path / "kept", code, other, StateSpace(spec.finitization(3)))

    def suite_in(name, workshop):
        options = {
            "subject": "s",
            "subject_hash": "0",
            "scope": 3,
            "seed": 0,
            "folder": tmp_path / name,
        }
        return generate(Korat(), generation(spec, code, NO_TEXT, **options), workshop)

    expected = suite_in("reference", None)
    suite = suite_in("anew", Workshop(folder, notices.append, pace=SMALL_BLOCKS))
    assert suite.digest == expected.digest
    assert SuiteReader(tmp_path / "anew").header.explored == expected.explored
    (notice,) = notices
    assert notice.startswith("the compiled engine accepts SearchTree(")
    assert notice.endswith(", which rep_ok refuses; its results are dropped, and the reference engine begins again")
