"""Results are printed as text or as JSON, and a finding is the exit status 1."""

from __future__ import annotations

import json
from io import BytesIO, StringIO, TextIOWrapper

import pytest

from harness import api
from harness.command_line.main import main
from harness.command_line.output import Output, Screen


def printed(output: Output, as_json: bool) -> str:
    stream = StringIO()
    output.write(stream, as_json)
    return stream.getvalue()


def test_json_is_printed_without_making_the_text() -> None:
    output = Output({"a": [1]}, lambda screen: pytest.fail("the text is not asked for"))
    assert json.loads(printed(output, as_json=True)) == {"a": [1]}


def test_text_is_made_for_the_place_that_it_is_printed_to() -> None:
    output = Output(None, lambda screen: f"{screen.width}")
    assert printed(output, as_json=False) == "100\n"
    assert Screen.of(TextIOWrapper(BytesIO(), encoding="latin-1")) == Screen(100)


def test_lines_stand_below_each_other() -> None:
    assert printed(Output.of_lines([], ["one", "two"]), as_json=False) == "one\ntwo\n"


def test_an_output_above_another_has_the_data_of_both() -> None:
    output = Output.of_lines({"a": 1}, ["one"], is_finding=True).above(Output.of_lines({"b": 2}, ["two"]))
    assert (output.data, printed(output, as_json=False), output.exit_status) == ({"a": 1, "b": 2}, "one\ntwo\n", 1)


def test_the_names_are_listed_by_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert f"experiments: {', '.join(api.available_names()['experiments'])}" in lines
    assert main(["list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == api.available_names()


def test_mutants_are_listed_with_what_they_equal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mutate", "search_tree"]) == 0
    text = capsys.readouterr().out
    assert main(["mutate", "search_tree", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert text.endswith(f"\n{len(rows)} mutants of operator set ferastrau\n")
    assert [row["id"] for row in rows] == [mutant.id for mutant in api.mutants("search_tree")]
    equal = [row for row in rows if row["status"] in ("equivalent", "duplicate")]
    assert all(f"{row['same_as'] or 'the original'} by {row['rule'] or 'code objects'}" in text for row in equal)


@pytest.mark.slow
def test_tables_are_printed_in_the_format_that_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tables", "exhaustive2003", "--table", "table1"]
    assert main([*words, "--format", "csv"]) == 0
    assert capsys.readouterr().out.startswith("benchmark,")
    assert main([*words, "--json"]) == 0
    tables = json.loads(capsys.readouterr().out)
    assert set(tables) == {"table1", "captions"}
    assert set(tables["captions"]) == {"table1"}


def test_what_a_plug_in_prints_does_not_spoil_the_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def noisy() -> dict[str, list[str]]:
        print("noise")
        return {"subjects": []}

    monkeypatch.setattr(api, "available_names", noisy)
    assert main(["list"]) == 0
    assert capsys.readouterr() == ("subjects: none\n", "noise\n")
