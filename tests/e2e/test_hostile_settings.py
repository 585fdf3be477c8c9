"""The same sources give the same bytes, whatever the settings of the user and the processor are (decision 082)."""

import os
import subprocess
import sys

import pytest
from command_line import Place

SCRIPT = """
import sys
from pathlib import Path
from harness.command_line.main import main
from harness.store.run_store import export_facts
assert main(["run", "--subject", "pile", "--scope", "2", "--out", "run", "--jobs", sys.argv[1]]) == 0
print(export_facts(Path("run")))
assert main(["tables", "run"]) == 0
assert main(["generate", "pile", "--scope", "2", "--show"]) == 0
"""

SETTINGS = {
    "plain": {"PYTHONHASHSEED": "0"},
    "hostile": {
        "PYTHONHASHSEED": "4242", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0",
        "PYTHONIOENCODING": "utf-8", "TZ": "Pacific/Chatham", "COLUMNS": "40", "OPENBLAS_CORETYPE": "Prescott",
        "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3 AVX512F",
    },
}  # fmt: skip
"""Variables of the environment; the hostile ones have no HOME, and another umask and number of workers."""


def facts_and_tables(place: Place, settings: str) -> list[str]:
    """Return the lines that the script prints, but for those on seconds and on the folder of the cache."""
    is_hostile = settings == "hostile"
    environment = {name: value for name, value in os.environ.items() if not is_hostile or name != "HOME"}
    process = subprocess.run(
        [sys.executable, "-c", SCRIPT, "3" if is_hostile else "1"],
        cwd=place.folder,
        env=environment | {"MUTASCOPE_CACHE": str(place.folder / "cache")} | SETTINGS[settings],
        umask=0o077 if is_hostile else 0o022,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
    )
    assert process.returncode == 0, process.stderr
    own = (" pre-states of ", "seconds: of when", "/cache/")
    return [line for line in process.stdout.splitlines() if not any(text in line for text in own)]


@pytest.mark.slow
def test_facts_and_tables_of_a_run_do_not_depend_on_settings(tmp_path):
    texts = {}
    for settings in SETTINGS:
        place = Place(tmp_path / settings)
        place.subject("pile")
        texts[settings] = facts_and_tables(place, settings)
    assert texts["hostile"] == texts["plain"]
    assert len(texts["plain"]) > 50
