"""Results of the second domain of field_exhaustive2016 are merged over seeds, and bugs are distinguished from
faults.
"""

import pytest
from support.run_samples import frames_of_rows, trial_row

from harness import resources
from harness.errors import StoreError
from harness.papers.field_exhaustive2016 import TABLES
from harness.papers.field_exhaustive2016.refactorings import FILE, Refactored, read_refactored
from harness.papers.field_exhaustive2016.run import FieldExhaustiveInputs


def test_results_of_the_second_domain_are_put_together_over_their_seeds(tmp_path):
    path = tmp_path / "faults.csv"
    assert read_refactored(path) == ()
    heading = "subject,title,generator,scope,seed,inputs,generating,testing,distinct,faults"
    name_bugs = "new name of a field taken @0; new name of a method taken @3; new name of a variable taken @7"
    other = "prefix of a formatted text @1; new name of a field taken @2"
    path.write_text(
        f"{heading}\nrename,Rename,hypothesis:50,1,0,46,1.5,0.5,3,{name_bugs}\n"
        f"rename,Rename,hypothesis:50,1,1,50,3.5,0.5,2,{other}\nrename,Rename,hypothesis:50,1,2,50,3.5,0.5,0,\n"
    )
    (refactored,) = read_refactored(path)
    assert refactored == Refactored("Rename", "random", 1, 50, 3, 50, pytest.approx(10 / 3), bugs=2, faults=3)
    for text in ("title,generator\nRename,korat\n", f"{heading}\nrename,Rename,korat,1,0,9,1,1,1,nothing known @0\n"):
        path.write_text(text)
        with pytest.raises(StoreError, match=r"faults\.csv: not what benchmarks\.refactoring has written"):
            read_refactored(path)


def test_bugs_of_the_frozen_rows_are_fewer_than_the_faults_that_they_cause():
    programs = read_refactored(resources.shipped("results/frozen") / FILE)
    counts = {
        (row.title, row.technique, row.scope): (row.bugs, row.faults)
        for row in programs
        if row.requested_programs is None
    }
    assert [counts["EncapsulateField.SingleClassFieldRef", "astgen", scope] for scope in (2, 3)] == [(5, 8), (6, 9)]
    assert counts["ExtractVariable", "astgen", 2] == (3, 6)
    assert counts["ExtractVariable", "field_exhaustive", 2] == (3, 5)
    assert all(bugs <= faults for bugs, faults in counts.values())
    frames = frames_of_rows([trial_row("search_tree", "SearchTree", 3)])
    table = TABLES["claims"](FieldExhaustiveInputs(frames, resources.published_folder(), refactored=programs))
    (row,) = [row for row in table.rows if row.labels == ("refactoring bugs", "ExtractVariable")]
    assert row.cells[0].measured == "HOLDS"
    assert row.cells[1].measured == "bugs of all 198 programs: 3, of 23 field-exhaustive ones: 3"
