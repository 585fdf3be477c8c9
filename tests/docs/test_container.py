"""The Containerfile installs what the README asks for, and runs its two commands as a user without rights."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINES = re.sub(r"\\\n\s*", "", (ROOT / "Containerfile").read_text(encoding="utf-8")).splitlines()
INSTRUCTIONS = [tuple(line.split(maxsplit=1)) for line in LINES if line and line[0] != "#"]


def arguments(instruction: str) -> list[str]:
    return [argument for name, argument in INSTRUCTIONS if name == instruction]


def test_the_container_runs_the_commands_of_the_readme():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^(make \w+) ", readme, re.M)
    assert commands == ["make demo", "make test"]
    assert commands[0] in arguments("RUN")
    assert arguments("CMD") == ['["make", "test"]']


def test_the_commands_run_as_a_user_who_is_not_root():
    names = [name for name, _ in INSTRUCTIONS]
    assert arguments("USER") == ["mutascope"]
    assert names.index("USER") < names.index("COPY") < INSTRUCTIONS.index(("RUN", "make demo"))


def test_the_container_has_what_the_readme_says_is_needed():
    assert "With Python 3.11 or later, git and make" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert {"python3", "python3-venv", "git", "make"} <= set(arguments("RUN")[0].split())
    assert arguments("FROM") == ["docker.io/library/debian:bookworm"]  # its python3 is 3.11


def test_the_container_installs_the_exact_versions():
    assert (ROOT / "constraints.txt").is_file()
    assert any("CONSTRAINTS=constraints.txt" in argument.split() for argument in arguments("ENV"))
