"""Every command names a rep_ok that changes its state, answers by chance, or remembers what it was asked before."""

import pytest
from support.own_subject import standing_beside

from harness.command_line.main import main

SOURCE = """
class Row:
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)

    def pop(self):
        return self.items.pop() if self.items else None
"""
SPEC = """
import random

from harness.spec import Finitization, SequenceScope

asked = []


def rep_ok(row):
    BODY


def finitization(scope):
    f = Finitization("Row")
    f.set("Row.items", f.lists(1, lengths=range(4), elements=range(3)))
    f.method("push", range(3))
    f.method("pop")
    return f


def sequences(scope):
    s = SequenceScope("Row")
    s.constructor()
    s.method("push", range(3))
    s.method("pop")
    s.elements(3)
    return s
"""
BODIES = {
    "changes": ("row.items[:] = sorted(row.items); return len(row.items) < 4", "rep_ok changes the state"),
    "adds": ("row.seen = True; return len(row.items) < 4", "rep_ok changes the state"),
    "chance": ("return sum(row.items) < 7 and random.SystemRandom().random() < 0.7", "when it is asked again"),
    "toggle": ("asked.append(1); return len(row.items) < 4 and len(asked) % 2 == 1", "when it is asked again"),
    "seen": ("asked.append(repr(row.items)); return asked.count(asked[-1]) < 3", "when it is asked again"),
}
COMMANDS = (
    *(f"generate row --scope 1 --generator {name}" for name in ("korat", "brute-force", "hypothesis")),
    *(f"generate row --scope 3 --generator {name}" for name in ("beapi", "rostra", "random:60", "hypothesis-stateful")),
    "run --subject row --generator korat --scope 1 --jobs 1 --out run",
    "suite row --scope 1 --out test_row.py",
    "check row --scope 1",
    "difference row --scope 1",
)


@pytest.mark.slow
@pytest.mark.parametrize("kind", BODIES)
def test_every_command_names_it_in_one_line(kind, tmp_path, capfd):
    body, told = BODIES[kind]
    with standing_beside(tmp_path, "row", SOURCE, SPEC.replace("BODY", body.replace("; ", "\n    "))):
        for command in COMMANDS:
            assert main(command.split()) == 2, command
            errors = capfd.readouterr().err
            assert told in errors, (command, errors)
            assert "spec.py: rep_ok" in errors, (command, errors)
            assert errors.count("\n") == 1, (command, errors)
