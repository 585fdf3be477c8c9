"""Marked metamutants: each mutant reports that its own code is executed."""

from harness.kernel.program.loader import MARK, SELECTOR
from harness.mutation.mutate import mutate
from harness.mutation.profile import TypeProfile
from harness.mutation.schemata import metamutant

SOURCE = """\
def chosen(left: int, right: int) -> int:
    if left > 10:
        return left + right * 2
    return left
"""


def test_a_mutant_calls_the_mark_where_its_own_code_is_executed_and_nowhere_else():
    mutants = mutate(SOURCE, ["chosen"], TypeProfile())
    text, numbers = metamutant(SOURCE, mutants, marked=True)
    for mutant in mutants:
        calls: list[int] = []
        module = {SELECTOR: 0, MARK: lambda calls=calls: calls.append(1) or True}
        exec(text, module)
        module["chosen"](11, 5)
        module["chosen"](1, 5)
        assert calls == []
        module[SELECTOR] = numbers[mutant.id]
        for values, lines in (((11, 5), (2, 3)), ((-9, -9), (2, 4))):
            calls.clear()
            module["chosen"](*values)
            assert bool(calls) == (mutant.location.line in lines), mutant.id


def test_a_marked_metamutant_does_what_the_plain_one_does():
    mutants = mutate(SOURCE, ["chosen"], TypeProfile())
    texts = [metamutant(SOURCE, mutants, marked=marked) for marked in (False, True)]
    for number in (0, *texts[0][1].values()):
        results = []
        for text, _ in texts:
            module = {SELECTOR: number, MARK: lambda: True}
            exec(text, module)
            results.append([module["chosen"](*values) for values in ((11, 5), (1, 5), (10, 0))])
        assert results[0] == results[1]
