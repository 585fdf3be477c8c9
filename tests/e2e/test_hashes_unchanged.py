"""`benchmarks.unchanged` names what a change has changed."""

import sys

import pytest

from benchmarks import unchanged

NAME = "numbers: beapi2023 killed / all viable mutants table1"


def compared(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["unchanged", "--part", "numbers", *arguments])
    monkeypatch.setenv("MUTASCOPE_CACHE", "")  # what it sets is taken back behind the test
    return unchanged.main()


@pytest.mark.slow
def test_a_hash_that_differs_is_named_with_exit_status_one(tmp_path, monkeypatch, capsys):
    file = tmp_path / "unchanged.txt"
    monkeypatch.setattr(unchanged, "FILE", file)
    assert compared(monkeypatch, "--write") == 0
    capsys.readouterr()
    assert compared(monkeypatch) == 0
    first, *lines = file.read_text().splitlines()
    forged = [f"{'0' * 16}{line[16:]}" if line.endswith(NAME) else line for line in lines]
    file.write_text("\n".join([first, *forged, f"{'0' * 16}  numbers: gone"]) + "\n")
    capsys.readouterr()
    assert compared(monkeypatch) == 1
    assert capsys.readouterr().out.splitlines() == [NAME, "numbers: gone"]
