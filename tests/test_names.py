"""Names of subjects, hints behind wrong names, and amounts in messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import api, resources
from harness.amounts import counted, ranges
from harness.command_line.main import main
from harness.did_you_mean import suggestion


def test_subjects_of_one_name_in_several_folders_have_files_of_their_own(tmp_path: Path) -> None:
    assert resources.subject_label("avl_tree") == "avl_tree"
    assert resources.subject_label("containers/avl_tree") == "containers-avl_tree"
    assert api.subject_experiment("real/priority_queue", "beapi", [1]).name == "real-priority_queue-beapi"
    own = tmp_path / "thing"
    own.mkdir()
    (own / "spec.py").write_text("")
    assert resources.subject_label(str(own)) == "thing"


def test_a_count_has_its_noun_in_the_plural_unless_it_is_one() -> None:
    assert [counted(count, "input") for count in (0, 1, 2000)] == ["0 inputs", "1 input", "2,000 inputs"]


def test_neighbours_in_a_list_of_numbers_are_a_range() -> None:
    assert ranges([4, 5, 6, 9, 12, 13]) == "4-6,9,12-13"
    assert ranges([]) == ""


MANY = [f"subject_{number}" for number in range(40)]


def test_a_misspelled_name_is_answered_by_the_one_that_was_meant() -> None:
    assert suggestion("chorat", ["beapi", "korat"]) == "did you mean 'korat'?"


def test_a_name_in_other_letters_is_known() -> None:
    assert suggestion("KORAT", ["beapi", "korat"]) == "did you mean 'korat'?"


def test_a_dotted_name_is_known_by_its_last_part() -> None:
    assert suggestion("lft", ["SearchTree.root", "Node.left"]) == "did you mean 'Node.left'?"
    assert suggestion("Tree.lft", ["SearchTree.root", "Node.left"]) == "did you mean 'Node.left'?"


def test_a_name_like_none_is_answered_by_all_that_there_are() -> None:
    assert suggestion("zzz", ["beapi", "korat"]) == "there are beapi, korat"
    assert suggestion("zzz", []) == "there are none"


def test_what_is_no_text_is_answered_too() -> None:
    assert suggestion(["korat"], ["beapi"]) == "there are beapi"


def test_a_long_list_is_not_printed_where_a_command_lists_it() -> None:
    assert suggestion("zzz", MANY, "mutascope list") == "'mutascope list' names all 40"
    assert suggestion("subjct_7", MANY, "mutascope list") == "did you mean 'subject_7'? 'mutascope list' names all 40"


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ("rum demo", "run"),
        ("check search_tree --scope 1 --mode blackbox", "black-box"),
        ("run --scpoe 3", "--scope"),
        ("generate search_tree --scope 3 --genrator=korat", "--generator"),
        ("run demoo", "demo"),
        ("generate search_tre --scope 3", "search_tree"),
        ("mutate search_tree --operators extendd", "extended"),
        ("generate search_tree --scope 3 --generator field-exhaustiv", "field-exhaustive"),
        ("generate field_search_tree --scope 3 --generator field-exhaustive:fields=lft", "Node.left"),
        ("generate-tests pinguin --target search_tree", "pynguin"),
        ("tables exhaustive203", "exhaustive2003"),
        ("tables exhaustive2003 --table table11", "table1"),
    ],
)
def test_every_command_says_which_name_was_meant(arguments: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments.split()) == 2
    message = capsys.readouterr().err
    assert f"did you mean '{name}'?" in message
    assert len(message) < 250
