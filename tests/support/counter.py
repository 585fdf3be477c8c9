"""A tiny subject with a suite made by hand, for tests of the execution of mutants."""

from pathlib import Path
from typing import Any

from harness.kernel.inputs.state_space import StateSpace, item_size
from harness.kernel.inputs.suites import Call, SuiteHeader, SuiteReader, SuiteWriter
from harness.kernel.program.loader import ModuleText
from harness.kernel.running.job import RunJob
from harness.model.finitization import Finitization

SOURCE = """
class Counter:
    def __init__(self):
        self.value = 0

    def up(self, by):
        if by < 0:
            raise ValueError(by)
        for _ in range(by):
            self.value += 1
        return self.value
"""

SPEC = """
from harness.spec import Finitization

def rep_ok(counter):
    return counter.value >= 0

def finitization(scope):
    f = Finitization("Counter")
    f.set("Counter.value", range(scope + 1))
    f.method("up", range(-1, scope + 1))
    return f
"""

SCOPE = 2
INPUTS = (SCOPE + 1) * (SCOPE + 2)


def write_suite(folder: Path, scope: int = SCOPE) -> SuiteReader:
    names: dict[str, Any] = {}
    exec(SPEC, names)
    finitization: Finitization = names["finitization"](scope)
    space = StateSpace(finitization)
    header = SuiteHeader("counter", "", "by hand", "1", scope, 0, space.width, item_size(space), ["up"])
    with SuiteWriter(folder, header) as writer:
        for value in range(scope + 1):
            state = writer.add_state((value,))
            for argument in range(scope + 2):
                writer.add_input(state, Call(0, (argument,)))
        writer.close()
    return SuiteReader(folder)


def job(folder: Path, source: str = SOURCE, spec: str = SPEC, scope: int = SCOPE, **fields: Any) -> Path:
    suite = folder / "suite"
    if not suite.exists():
        write_suite(suite, scope)
    text = ModuleText("impl", source, "impl.py")
    RunJob(text, spec, "spec.py", scope, str(suite), **fields).write(folder / "job.json")
    return folder / "job.json"
