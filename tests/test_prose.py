"""The check of names and sentences that `make lint` runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import prose

LIST = Path("benchmarks", "results", "prose.txt")

FINDINGS = {
    "fragment: Of a trial.": 'class Seconds:\n    """Of a trial."""\n',
    "fragment: What a run holds.": 'def contents():\n    """What a run holds."""\n',
    "no verb: The inputs that a suite holds.": 'def inputs():\n    """The inputs that a suite holds."""\n',
    "whether: Whether a mutant was killed.": 'def is_killed():\n    """Whether a mutant was killed."""\n',
    "name: told_trials": "def told_trials():\n    pass\n",
    "name: Known": "class Known:\n    pass\n",
    "name: given": "def count(given):\n    pass\n",
    "name: kept": "class Cache:\n    def __init__(self):\n        self.kept = []\n",
    "local name: found": "def names():\n    found = []\n    return found\n",
    "relative: the order of what was called": "# Sort by the order of what was called.\n",
    "relative: all that it has": 'raise ValueError("the class lacks all that it has")\n',
    "dialect: hangs on (write: depend on)": 'def seconds():\n    """Return a time that hangs on the machine."""\n',
}

SOUND = {
    "a noun phrase documents a class": 'class Suite:\n    """The inputs that a generator made."""\n',
    "a noun phrase documents a property": '@property\ndef size(self):\n    """The number of inputs."""\n',
    "an imperative has a clause": 'def check():\n    """Check that the suite, which may be empty, has no state."""\n',
    "a sentence has a relative clause": 'def inputs():\n    """The inputs that a suite holds are sorted."""\n',
    "a question asks what": '"""What is a scope?"""\n',
    "a name has a participle and a noun": "def count(given_names):\n    found_builders = given_names\n",
    "a predicate needs no noun": "def is_known(name):\n    return name\n",
    "a flag needs no noun": "def search():\n    found = False\n    return found\n",
    "a variable of a comprehension stands beside its use": "names = [given for given in ()]\n",
    "a string is no comment": 'PROGRAM = """\n# told from each other\n"""\n',
    "a comment exempts its line": "def search(given):  # prose: ok\n    pass\n",
}


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A tree of sources with one module and an empty list of findings."""
    (tmp_path / "harness").mkdir()
    (tmp_path / LIST.parent).mkdir(parents=True)
    (tmp_path / LIST).write_text("", encoding="utf-8")
    return tmp_path


def check(root: Path, text: str, *options: str, name: str = "harness/module.py") -> int:
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_text(text, encoding="utf-8")
    return prose.main(["--root", str(root), *options])


@pytest.mark.parametrize("finding", FINDINGS)
def test_a_new_finding_of_each_kind_fails(sources: Path, capsys: pytest.CaptureFixture[str], finding: str) -> None:
    assert check(sources, FINDINGS[finding]) == 1
    kind, _, excerpt = finding.partition(": ")
    first, last = capsys.readouterr().out.splitlines()
    place, _, message = first.partition(": ")
    assert place.startswith("harness/module.py:")
    assert message.startswith(f"{kind}: ")
    assert excerpt in message
    assert last.startswith("1 new findings")


@pytest.mark.parametrize("reason", SOUND)
def test_sound_names_and_sentences_pass(sources: Path, capsys: pytest.CaptureFixture[str], reason: str) -> None:
    assert check(sources, SOUND[reason]) == 0
    assert capsys.readouterr().out == ""


def test_pages_are_read_without_their_code_and_tables(sources: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = "# A page\n\n```\nmade anew\n```\n\n| made anew |\n|---|\n\n* It calls\n  `anew`, and makes\n  it anew.\n"
    assert check(sources, page, name="docs/page.md") == 1
    assert capsys.readouterr().out.splitlines()[0].startswith("docs/page.md:10: dialect: anew")


def test_a_file_is_named_by_a_noun(sources: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(sources, "", name="harness/told_runs.py") == 1
    assert capsys.readouterr().out.startswith("harness/told_runs.py:1: name: told_runs\n")


def test_a_listed_finding_passes_on_any_line_but_not_twice(sources: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (sources / LIST).write_text("harness/module.py: local name: found\n", encoding="utf-8")
    function = FINDINGS["local name: found"]
    assert check(sources, f"\n\n{function}") == 0
    assert check(sources, f"{function}\n{function}") == 1
    assert "harness/module.py:6: local name: found" in capsys.readouterr().out


def test_the_list_shrinks_and_does_not_grow(sources: Path, capsys: pytest.CaptureFixture[str]) -> None:
    remaining, mended = "harness/module.py: local name: found\n", "harness/module.py: name: given\n"
    (sources / LIST).write_text(remaining + mended, encoding="utf-8")
    text = f"{FINDINGS['local name: found']}\n{FINDINGS['name: Known']}"
    assert check(sources, text) == 1
    assert "1 findings of the list were mended" in capsys.readouterr().out
    assert check(sources, text, "--write") == 1
    assert (sources / LIST).read_text(encoding="utf-8") == remaining


def test_all_findings_of_a_folder_are_printed_or_counted(sources: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (sources / LIST).write_text("harness/module.py: local name: found\n", encoding="utf-8")
    assert check(sources, FINDINGS["local name: found"], str(sources / "harness")) == 0
    assert capsys.readouterr().out == "harness/module.py:2: local name: found\n"
    assert check(sources, FINDINGS["local name: found"], "--summary") == 0
    counts = dict(line.rsplit(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert counts == {**dict.fromkeys(prose.KINDS, "0"), "local name": "1"}
