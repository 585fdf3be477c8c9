"""A generator with a fact of its own is a new module and a line of the registry, or a package beside the sources."""

from __future__ import annotations

import json

import pytest
from walkthroughs.source_copy import SUBJECT, SourceCopy

GENERATOR = '''
"""Every second state of Korat's suite, with the number of those that are left out."""

from harness.generators.protocol import GeneratorBase
from harness.generators.policies.korat.generator import Korat
from harness.generators.protocol import ProductionBase, ProductionFacts


class EverySecond(GeneratorBase):
    name = "every-second"
    version = "1"

    def produce(self, task):
        return Production(Korat().produce(task))


class Production(ProductionBase):
    def __init__(self, search):
        self.search = search
        self.left_out = 0

    explored = property(lambda self: self.search.explored)
    current = property(lambda self: self.search.current)
    structures = property(lambda self: self.search.structures)

    def facts(self):
        return ProductionFacts(details={"second.left_out": self.left_out, "second.by": "order"})

    def __iter__(self):
        for number, group in enumerate(self.search):
            if number % 2 == 0:
                yield group
            else:
                self.left_out += 1
'''


def test_a_built_in_generator_touches_the_registry_alone(sources: SourceCopy) -> None:
    sources.add("harness/generators/policies/every_second.py", GENERATOR.lstrip())
    sources.edit(
        "harness/generators/registry.py",
        '    "brute-force":',
        '    "every-second": "every_second:EverySecond",\n    "brute-force":',
    )
    assert sources.touched() == (["harness/generators/registry.py"], ["harness/generators/policies/every_second.py"])
    shortened, whole = (
        sources.run("generate", SUBJECT, "--generator", name, "--scope", "2") for name in ("every-second", "korat")
    )
    assert shortened["details"] == {
        "second.left_out": whole["pre_states"] - shortened["pre_states"],
        "second.by": "order",
    }


@pytest.mark.slow
def test_the_fact_of_a_plug_in_is_shown_and_verified_though_no_file_was_changed(sources: SourceCopy) -> None:
    sources.add("second/generator.py", GENERATOR.lstrip())
    sources.add("second-1.dist-info/METADATA", "Name: second\nVersion: 1\n")
    point = "[mutascope.generators]\nevery-second = second.generator:EverySecond\n"
    sources.add("second-1.dist-info/entry_points.txt", point)
    changed, _ = sources.touched()
    assert changed == []
    run = ("run", "--subject", SUBJECT, "--scope", "2", "--out", "run", "--generator")
    sources.run(*run, "korat")
    rows = {row["generator"]: row for row in sources.run(*run, "every-second")["trials"]}
    assert (rows["every-second"]["second.by"], rows["korat"]["second.by"]) == ("order", None)
    assert rows["every-second"]["second.left_out"] > 0
    assert "second.left_out" in json.dumps(sources.run("tables", "run", "--table", "scopes"))
    assert sources.run("verify", "run", "--sample", "3")["disagreements"] == []
