"""Legal Python that is seldom seen goes the whole way.

(Byte order marks and line ends are gone once a file is read.)
"""

import json
from collections import Counter

import pytest
from command_line import IMPLEMENTATION, SPEC

from harness.store.run_store import export_facts

FORM_FEEDS = IMPLEMENTATION.replace("    def push", "\f\n    def push").replace(
    "        return self.count + number", "\f        text = 'a\fb'\n        return self.count + number + len(text) - 3"
)

ANSWERS = IMPLEMENTATION.replace(
    "class Pile:\n",
    """class Pile:
    __slots__ = ("count", "limit")
    asked = []

    def __getattr__(self, name):
        Pile.asked.append(name)
        self.count = 0
        raise LookupError(name)

""",
)


@pytest.mark.slow
def test_form_feeds_move_no_position(place):
    place.subject("pile", FORM_FEEDS, SPEC.replace("def finitization", "\fdef finitization"))
    mutants = place.succeed("mutate", "pile", "--json").json
    lines = FORM_FEEDS.split("\n")
    assert {mutant["function"] for mutant in mutants} == {"Pile.push"}
    for mutant in mutants:
        line, column = map(int, mutant["location"].split("-")[0].split(":"))
        assert lines[line - 1][column:].startswith(mutant["original"].split("\n")[0]), mutant
    place.succeed("run", "--subject", "pile", "--scope", 2, "--out", "run")
    output = place.succeed("verify", "run", "--json").json
    assert output["checked"] == len([mutant for mutant in mutants if mutant["status"] == "viable"])
    assert output["disagreements"] == []


@pytest.mark.slow
def test_a_class_whose_own_lookup_of_attributes_changes_it_and_raises_is_judged_by_its_fields(place):
    for name, implementation in (("pile", IMPLEMENTATION), ("answering", ANSWERS)):
        place.subject(name, implementation)
        place.succeed("run", "--subject", name, "--scope", 2, "--out", name)
    output = place.succeed("verify", "answering", "--json").json
    assert output["checked"] > 0
    assert output["disagreements"] == []
    verdicts = [
        Counter((fact["reason"], fact["input"]) for fact in facts if fact["table"] == "mutant_result")
        for facts in (map(json.loads, export_facts(place.folder / name).splitlines()) for name in ("pile", "answering"))
    ]
    assert verdicts[0].total() > 10
    assert not verdicts[0] - verdicts[1], "each mutant of the plain class is one of the other, too"
