"""coverage.py as it is set up here: nothing leaks in, nothing is left behind, early stop changes nothing."""

from pathlib import Path

import pytest

from harness.kernel.program.loader import ModuleText, execute
from harness.measuring.lines import own_lines
from harness.measuring.meter import FIRST_BLOCK, Meter
from harness.model.coverage import CoverageCounts

SOURCE = """\
def sign(x):
    if x < 0:
        return -1
    if x > 0:  # pragma: no cover
        return 1
    return 0  # pragma: no cover


def never(x):
    while x:
        x -= 1


def inline(x): return x
"""
SPANS = {"sign": (1, 6), "never": (9, 11), "inline": (14, 14)}


def metered(folder: Path, functions=SPANS):
    folder.mkdir(parents=True, exist_ok=True)
    meter = Meter(SOURCE, folder, own_lines(SOURCE, functions))
    module = execute(ModuleText("measured", SOURCE, "impl.py"), meter.compiled())
    return meter, module


def test_a_function_on_one_line_is_covered_by_a_call_not_by_its_definition(tmp_path):
    meter, module = metered(tmp_path)
    assert meter.measure(module.inline(x) for x in range(1))["inline"] == CoverageCounts(1, 1, 0, 0)


def test_steps_behind_the_block_that_completes_coverage_are_left_out(tmp_path):
    meter, module = metered(tmp_path, {"sign": SPANS["sign"]})
    results = []
    counts = meter.measure(results.append(module.sign(x)) for x in (*range(-1, 2), *range(100_000)))
    assert counts["sign"].complete
    assert len(results) == FIRST_BLOCK


@pytest.mark.parametrize("complete_at", [0, FIRST_BLOCK - 1, FIRST_BLOCK, 3 * FIRST_BLOCK, 1000])
def test_what_only_a_late_step_covers_is_counted(tmp_path, complete_at):
    steps = [0] * complete_at + [1, -1] + [0] * 500
    meter, module = metered(tmp_path / "early", {"sign": SPANS["sign"]})
    early = meter.measure(map(module.sign, steps))
    meter, module = metered(tmp_path / "all", {"sign": SPANS["sign"]})
    with meter.running():
        for x in steps:
            module.sign(x)
    assert early == meter.counts()


def test_the_users_configuration_has_no_say(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(".coveragerc").write_text("[run]\nomit = *\n[report]\nexclude_lines = x\n", encoding="utf-8")
    Path("pyproject.toml").write_text('[tool.coverage.run]\nbranch = false\ninclude = ["nothing"]\n', encoding="utf-8")
    meter, module = metered(tmp_path / "in")
    counts = meter.measure(map(module.sign, (-1, 0)))
    assert (counts["sign"], counts["never"]) == (CoverageCounts(5, 4, 4, 3), CoverageCounts(2, 0, 2, 0))


def test_a_folder_whose_name_reads_like_a_pattern_is_taken_by_its_name(tmp_path):
    meter, module = metered(tmp_path / "a[bc]*{d}")
    assert meter.measure(map(module.sign, (0,)))["sign"].statements_executed == 3
