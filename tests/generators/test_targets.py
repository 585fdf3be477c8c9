"""Targets that cannot take their arguments are refused; samples for a second implementation are spread."""

import pytest

from harness.command_line.main import main
from harness.errors import SpecError
from harness.generators.sampled import Sample
from harness.generators.targets import check_targets
from harness.kernel.program.loader import ModuleText, execute
from harness.model.finitization import Finitization

SOURCE = """
class Pile:
    def push(self, number, twice=False): ...
    @staticmethod
    def top(number): ...
    @classmethod
    def of(cls, number): ...
    def all(self, *numbers): ...
    clear = list.clear
    def mark_as(self, mark): self.mark = mark

class Open:
    def __getattr__(self, name): ...

def push(pile, number): ...

from enum import IntFlag
class Mark(IntFlag):
    OLD = 1
    RARE = 2
"""


@pytest.fixture(scope="module")
def module():
    return execute(ModuleText("impl", SOURCE, "impl.py"))


def finitization(name: str, parameters: int, root: str = "Pile", is_function: bool = False) -> Finitization:
    f = Finitization(root)
    (f.function if is_function else f.method)(name, *[range(2)] * parameters)
    return f


@pytest.mark.parametrize(
    ("name", "parameters"), [("push", 1), ("push", 2), ("top", 1), ("of", 1), ("all", 0), ("all", 5), ("clear", 0)]
)
def test_a_method_that_takes_its_arguments_is_accepted(name, parameters, module):
    check_targets(finitization(name, parameters), module)


@pytest.mark.parametrize(("name", "parameters"), [("push", 0), ("push", 3), ("top", 0), ("top", 2), ("of", 2)])
def test_a_method_that_cannot_take_its_arguments_is_refused(name, parameters, module):
    with pytest.raises(SpecError, match=rf"target '{name}' of the finitization is given {parameters} arguments"):
        check_targets(finitization(name, parameters), module)


def test_a_function_takes_the_pre_state_before_its_arguments(module):
    check_targets(finitization("push", 1, is_function=True), module)
    with pytest.raises(SpecError, match="is given 0 arguments"):
        check_targets(finitization("push", 0, is_function=True), module)


def test_a_missing_target_is_refused_unless_the_class_makes_it_up(module):
    with pytest.raises(SpecError, match="names target 'pusch', but Pile has no such method"):
        check_targets(finitization("pusch", 0), module)
    check_targets(finitization("anything", 0, "Open"), module)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("size", "target 'size' of Shelf is not called, but of type property"),
        ("most", "target 'most' of Shelf is not called, but of type int"),
        ("wait", "target 'wait' makes a coroutine, so that no call executes its body"),
    ],
)
def test_a_target_whose_call_executes_nothing_is_refused(name, says):
    source = "class Shelf:\n    most = 3\n    @property\n    def size(self): return 1\n    async def wait(self): ...\n"
    with pytest.raises(SpecError, match=says):
        check_targets(finitization(name, 0, "Shelf"), execute(ModuleText("impl", source, "impl.py")))


@pytest.mark.parametrize("command", ["generate", "generate --generator beapi", "check"])
def test_objects_of_an_enumeration_are_refused(command, tmp_path, capsys):
    (tmp_path / "impl.py").write_text(SOURCE)
    bounds = "f = Finitization('Pile'); f.set('Pile.mark', f.objects('Mark', 2)); f.method('push', 0); return f"
    spec = f"from harness.spec import Finitization\ndef finitization(scope): {bounds}\ndef rep_ok(pile): return True\n"
    (tmp_path / "spec.py").write_text(spec)
    assert main([*command.split(), "--scope", "1", str(tmp_path)]) == 2
    assert 'all its members; give them as values: f.members("Mark", "OLD", "RARE")' in capsys.readouterr().err


@pytest.mark.parametrize(
    ("sample", "numbers"),
    [
        (Sample(first=3, every=8), [0, 1, 2, 7, 15]),
        (Sample(first=0, every=4), [3, 7, 11, 15]),
        (Sample(first=3), [0, 1, 2, 4, 8, 16]),
        (Sample(first=0), [1, 2, 4, 8, 16]),
    ],
)
def test_the_first_items_and_ever_fewer_or_every_so_many_are_in_the_sample(sample, numbers):
    assert [number for number in range(19) if sample.has(number)] == numbers


@pytest.mark.parametrize("sample", [Sample(first=64), Sample(first=0), Sample(first=32, every=100)])
@pytest.mark.parametrize("start", [0, 1, 63, 64, 65, 1000, 1 << 20])
def test_the_numbers_of_a_stretch_are_those_of_its_items_in_the_sample(sample, start):
    for end in (start, start + 1, start + 100, start + 128):
        assert sample.numbers(start, end) == [number for number in range(start, end) if sample.has(number)]
