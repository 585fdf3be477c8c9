"""What is legal Python works like any other text: a byte order mark, form feeds, other line ends."""

from __future__ import annotations

import pytest
from command_line import IMPLEMENTATION, SPEC, Place

FORM_FEEDS = IMPLEMENTATION.replace("    def push", "\f\n    def push").replace(
    "        return self.count + number", "\f        text = 'a\fb'\n        return self.count + number + len(text) - 3"
)


def disguised(text: str, disguise: str) -> bytes:
    match disguise:
        case "byte order mark":
            return b"\xef\xbb\xbf" + text.encode()
        case "carriage returns":
            return text.replace("\n", "\r\n").encode()
        case "old line ends":
            return text.replace("\n", "\r").encode()
        case "coding cookie":
            return b"# -*- coding: utf-8 -*-\n" + text.encode()
    return text.encode()


@pytest.mark.parametrize("disguise", ["byte order mark", "carriage returns", "old line ends"])
def test_marks_and_line_ends_change_no_mutant_and_no_verdict(disguise: str, place: Place) -> None:
    place.subject("plain")
    place.subject("other")
    for file, text in (("impl.py", IMPLEMENTATION), ("spec.py", SPEC)):
        (place.folder / "subjects" / "other" / file).write_bytes(disguised(text, disguise))
    plain, other = (place.succeed("mutate", name, "--json").json for name in ("plain", "other"))
    assert other == plain
    runs = [place.succeed("run", "--subject", name, "--scope", 2, "--out", name, "--json") for name in ("plain", "other")]
    told = [run.json["trials"] for run in runs]
    assert [[{**row, "subject": ""} for row in rows] for rows in told] == [
        [{**row, "subject": ""} for row in rows] for rows in (told[0], told[0])
    ]
    assert place.succeed("verify", "other", "--json").json["disagreements"] == []


def test_form_feeds_move_no_position(place: Place) -> None:
    place.subject("pile", FORM_FEEDS, SPEC.replace("def finitization", "\fdef finitization"))
    mutants = place.succeed("mutate", "pile", "--json").json
    lines = FORM_FEEDS.split("\n")
    assert {mutant["function"] for mutant in mutants} == {"Pile.push"}
    for mutant in mutants:
        line, column = map(int, mutant["location"].split("-")[0].split(":"))
        assert lines[line - 1][column:].startswith(mutant["original"].split("\n")[0]), mutant
    place.succeed("run", "--subject", "pile", "--scope", 2, "--out", "run")
    found = place.succeed("verify", "run", "--json").json
    assert found["checked"] == len([mutant for mutant in mutants if mutant["status"] == "viable"])
    assert found["disagreements"] == []
    place.succeed("report", "run")
    place.succeed("suite", "pile", "--scope", 1, "--export", "pytest", "--out", "test_pile.py")
