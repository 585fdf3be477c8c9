"""Generators by name, built in and plugged in."""

from importlib.metadata import EntryPoint

import pytest

from harness.errors import UsageError
from harness.generators import registry
from harness.generators.policies.korat.generator import Korat
from harness.generators.protocol import GeneratorBase
from harness.generators.registry import find_generator, generator_names, makes_sequences
from harness.kernel.inputs.suites import InputKind


class Mine(GeneratorBase):
    name = "mine"
    version = "3"

    def produce(self, task):
        return iter(())


class Counted(GeneratorBase):
    input_kind = InputKind.SEQUENCES
    version = "1"

    def __init__(self, text="1"):
        self.name = "counted" if text == "1" else f"counted:{text}"

    def with_parameter(self, text):
        return Counted(text)

    def explore(self, task):
        return iter(())


class Lacking:
    name = "lacking"


@pytest.fixture
def plug_ins(monkeypatch):
    names = {
        "mine": "Mine",
        "counted": "Counted",
        "lacking": "Lacking",
        "misnamed": "Mine",
        "broken": "NoSuch",
        "korat": "Mine",
    }
    entries = [EntryPoint(name, f"{__name__}:{value}", registry.ENTRY_POINTS) for name, value in names.items()]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: entries)


def test_built_in_generators_are_found_by_their_name():
    assert set(registry.BUILT_IN) <= set(generator_names())
    for name in registry.BUILT_IN:
        assert find_generator(name).name == name


@pytest.mark.usefixtures("plug_ins")
def test_a_plug_in_is_found_and_does_not_replace_a_built_in_one():
    assert generator_names() == [*registry.BUILT_IN, "broken", "counted", "lacking", "mine", "misnamed"]
    assert find_generator("mine").version == "3"
    assert type(find_generator("korat")) is Korat


@pytest.mark.usefixtures("plug_ins")
def test_a_plug_in_has_the_parts_of_the_base_that_it_does_not_define():
    mine, counted = find_generator("mine"), find_generator("counted:7")
    assert not makes_sequences(mine)
    assert makes_sequences(counted)
    assert counted.name == "counted:7"
    assert mine.repeating(5) == mine
    with pytest.raises(UsageError, match="generator 'mine' takes nothing behind a colon; leave out ':7'"):
        find_generator("mine:7")


@pytest.mark.usefixtures("plug_ins")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("lacking", "lacks version, input_kind, imports, with_parameter, repeating, produce"),
        ("misnamed", "calls itself 'mine'"),
        ("broken", "cannot be loaded: AttributeError"),
    ],
)
def test_an_unusable_plug_in_is_named(name, message):
    with pytest.raises(UsageError, match=message):
        find_generator(name)
