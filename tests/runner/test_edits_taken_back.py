"""A run after an edit was taken back shows and verifies the version that is there, not the one that was run last."""

import pytest
from support.counter import SOURCE, SPEC
from support.own_project import own_project
from support.own_runs import run_on
from support.own_subject import write_subject

from harness import api
from harness.analysis.run_summary import summary_rows

EDITED = SOURCE.replace("by < 0", "by < 1")


@pytest.mark.slow
def test_a_subject_whose_edit_was_taken_back_has_its_scores_again(tmp_path, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    rows = []
    for source in (SOURCE, EDITED, SOURCE):
        name = write_subject(tmp_path / "counter", source, SPEC)
        rows.append(summary_rows(api.run(api.subject_experiment(name, "korat", [2]), tmp_path / "out", jobs=1)))
        assert api.verify(tmp_path / "out", jobs=1).holds
    first, edited, last = rows
    assert first == last != edited


@pytest.mark.slow
def test_a_suite_whose_edit_was_taken_back_has_its_scores_again(tmp_path):
    weak = "from till.core import more\n\n\ndef test_more():\n    assert more(1)\n"
    folder = own_project(tmp_path / "own", core="def more(value):\n    return value + 1\n", tests=weak)
    rows = []
    for tests in (weak, f"{weak}    assert more(1) == 2\n", weak, weak):
        (folder / "tests" / "test_core.py").write_text(tests)
        run_on(folder, tmp_path / "out", original_runs=1)
        rows.append(summary_rows(tmp_path / "out"))
        assert len(rows[-1]) == 1
        assert api.verify(tmp_path / "out", jobs=1).holds
    first, edited, *later = rows
    assert [first, first] == later
    assert first != edited
