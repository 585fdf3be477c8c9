"""Form feeds are legal Python, and move no position. (Byte order marks and line ends are gone once a file is read.)"""

from __future__ import annotations

from command_line import IMPLEMENTATION, SPEC, Place

FORM_FEEDS = IMPLEMENTATION.replace("    def push", "\f\n    def push").replace(
    "        return self.count + number", "\f        text = 'a\fb'\n        return self.count + number + len(text) - 3"
)


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
