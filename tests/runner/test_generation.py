"""The sandboxed generation of a suite depends on few of its surroundings, and ends all processes that it starts."""

import logging
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from e2e.command_line import IMPLEMENTATION, SPEC
from support.subjects import load_subject

from harness.errors import MutascopeError
from harness.model.experiment import Trial
from harness.model.subject import Subject
from harness.resources import cache_folder
from harness.runner.suites import ensure_suite

SUBJECT, _ = load_subject("search_tree")
TRIAL = Trial("search_tree", "korat", 6)


@pytest.mark.slow
def test_the_compiler_is_looked_for_on_the_users_path(tmp_path, monkeypatch, caplog):
    with caplog.at_level(logging.WARNING):
        monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "compiled"))
        expected = ensure_suite(SUBJECT, TRIAL).header
        assert caplog.text == ""
        broken = tmp_path / "cc"
        broken.write_text("#!/bin/sh\necho out of order >&2\nexit 1\n")
        broken.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))
        monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "not compiled"))
        header = ensure_suite(SUBJECT, TRIAL).header
    assert f"{broken} fails: out of order; correct it, or install another C compiler" in caplog.text
    assert (header.digest, header.explored) == (expected.digest, expected.explored)


@pytest.mark.slow
def test_the_files_of_a_subject_need_not_be_there_to_have_its_rep_ok_compiled(tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path))
    moved = replace(SUBJECT, source_path=Path("/x/impl.py"), spec_path=Path("/x/spec.py"))
    with caplog.at_level(logging.WARNING):
        assert ensure_suite(moved, TRIAL).header.explored > 10_000
    assert caplog.text == ""


@pytest.fixture
def hurried(tmp_path, monkeypatch):
    """Little time for a candidate, and a cache of its own."""
    monkeypatch.setenv("MUTASCOPE_CANDIDATE_SECONDS", "0.15")
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "cache"))


def pile(implementation: str = IMPLEMENTATION, spec: str = SPEC) -> Subject:
    return Subject("pile", "Pile", "impl", Path("/x/impl.py"), implementation, Path("/x/spec.py"), spec)


ENDLESS_IN_C = "all(__import__('itertools').repeat(1))"
DEAF = "__import__('signal').pthread_sigmask(0, {14}), __import__('time').sleep(999)"


@pytest.mark.slow
@pytest.mark.parametrize("deed", [ENDLESS_IN_C, DEAF])
@pytest.mark.parametrize(
    ("place", "at"),
    [
        ("implementation", "while loading /x/impl.py: "),
        ("spec", "while loading /x/spec.py: "),
        ("finitization", "while executing finitization(2) of /x/spec.py: "),
        ("rep_ok", "while executing rep_ok of /x/spec.py with the reference engine: "),
    ],
)
def test_code_that_hears_no_signal_is_ended_by_the_parent_in_one_line(hurried, deed, place, at, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_CANDIDATE_SECONDS", "0.15" if deed == ENDLESS_IN_C else "0.05")
    if place == "implementation":
        subject = pile(f"{deed}\n{IMPLEMENTATION}")
    elif place == "spec":
        subject = pile(spec=f"{deed}\n{SPEC}")
    else:
        line = "    return 0 <=" if place == "rep_ok" else "    f = F"
        subject = pile(spec=SPEC.replace(line, f"    {deed}\n{line}"))
    with pytest.raises(MutascopeError) as failure:
        ensure_suite(subject, Trial("pile", "korat", 2))
    message = str(failure.value)
    limit = "1.8 s of processor time" if deed == ENDLESS_IN_C else "6 s of wall clock, as it sleeps or waits"
    assert f"{at}no word within {limit}" in message
    assert "MUTASCOPE_CANDIDATE_SECONDS" in message
    assert "\n" not in message
    assert list((cache_folder() / "suites").iterdir()) == []


@pytest.mark.parametrize(
    ("file", "subject"),
    [
        ("impl.py", pile(implementation=f"{IMPLEMENTATION}\nwhile True: pass\n")),
        ("spec.py", pile(spec=f"{SPEC}\nwhile True: pass\n")),
    ],
)
def test_a_file_that_loops_while_it_is_loaded_is_named(hurried, file, subject):
    with pytest.raises(MutascopeError, match=f"/x/{file} did not load within 0.15 s of processor time; make it end"):
        ensure_suite(subject, Trial("pile", "korat", 2))


def test_a_generation_that_dies_says_what_it_was_at_and_leaves_nothing(hurried):
    subject = pile(spec=SPEC.replace("    return 0 <=", "    __import__('os')._exit(3)\n    return 0 <="))
    with pytest.raises(
        MutascopeError, match=r"failed while executing rep_ok of /x/spec.py .*: ended with exit status 3"
    ):
        ensure_suite(subject, Trial("pile", "korat", 2))
    assert list((cache_folder() / "suites").iterdir()) == []


@pytest.mark.slow
def test_where_the_engines_disagree_the_reference_makes_the_same_suite_and_it_is_told(tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "right"))
    expected = ensure_suite(SUBJECT, TRIAL).header
    compiler = tmp_path / "bin" / "cc"
    compiler.parent.mkdir()
    fault = "s/S.valid = execute();/S.valid = !execute();/"
    compiler.write_text(f"#!/bin/sh\n[ -f search.c ] && sed -i '{fault}' search.c\nexec /usr/bin/cc \"$@\"\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", f"{compiler.parent}:/usr/bin:/bin")
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "wrong"))
    with caplog.at_level(logging.WARNING):
        header = ensure_suite(SUBJECT, TRIAL).header
    assert (header.digest, header.explored) == (expected.digest, expected.explored)
    (message,) = [record.getMessage() for record in caplog.records]
    assert "the engines disagree" in message


@pytest.mark.slow
def test_a_compiled_search_that_ends_its_process_is_to_be_removed_and_an_empty_one_is_made_again(
    tmp_path, monkeypatch, caplog
):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path))
    expected = ensure_suite(SUBJECT, TRIAL).header
    (library,) = (tmp_path / "compiled").glob("*/*.so")
    whole = library.read_bytes()
    for content in (whole[:5000], b""):
        shutil.rmtree(tmp_path / "suites")
        library.write_bytes(content)
        if content:
            with pytest.raises(MutascopeError, match=r"ended by SIG\w+; remove .*compiled.*, run it again, and report"):
                ensure_suite(SUBJECT, TRIAL)
    assert ensure_suite(SUBJECT, TRIAL).header.digest == expected.digest
    assert "a library that cannot be used" in caplog.text
    assert not library.exists()


@pytest.mark.slow
def test_subjects_do_not_share_a_folder_of_compiled_searches(tmp_path, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path))
    ensure_suite(SUBJECT, TRIAL)
    changed = replace(SUBJECT, spec_source=SUBJECT.spec_source + "\n")
    ensure_suite(changed, TRIAL)
    folders = {entry.name for entry in (tmp_path / "compiled").iterdir()}
    assert folders == {SUBJECT.content_hash[:32], changed.content_hash[:32]}
