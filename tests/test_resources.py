"""Subjects are found in folders, and their names are used in names of files."""

from __future__ import annotations

from pathlib import Path

from harness import api, resources


def test_subjects_of_one_name_in_several_folders_have_files_of_their_own(tmp_path: Path) -> None:
    assert resources.subject_label("avl_tree") == "avl_tree"
    assert resources.subject_label("containers/avl_tree") == "containers-avl_tree"
    assert api.subject_experiment("real/priority_queue", "beapi", [1]).name == "real-priority_queue-beapi"
    own = tmp_path / "thing"
    own.mkdir()
    (own / "spec.py").write_text("")
    assert resources.subject_label(str(own)) == "thing"
