"""Suites on disk hold what was written, or are refused."""

import hashlib
import itertools
import struct
from array import array
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import StoreError
from harness.kernel.inputs.suites import Call, SuiteHeader, SuiteReader, SuiteWriter, calls_as_bytes, write_header
from harness.kernel.naive.inputs import SuiteContents


def header(itemsize: int = 1, width: int = 3) -> SuiteHeader:
    return SuiteHeader("s", "hash", "g", "1", 1, 0, width, itemsize, ["add", "remove"])


def write(folder: Path, states: list[tuple[int, ...]], inputs: list[tuple[int, Call]]) -> SuiteHeader:
    with SuiteWriter(folder, header()) as writer:
        for state in states:
            writer.add_state(state)
        for state, call in inputs:
            writer.add_input(state, call)
        return writer.close()


rows = st.lists(st.builds(Call, st.integers(0, 1), st.tuples(st.integers(0, 3))), max_size=4)


@given(st.lists(st.tuples(st.integers(0, 255), st.booleans(), rows), min_size=1), rows, st.sampled_from([1, 2]))
@settings(derandomize=True, max_examples=100)
def test_both_readers_give_back_what_was_written(tmp_path_factory, states, common, itemsize):
    folder = tmp_path_factory.mktemp("suites") / "suite"
    calls = [common if is_common else own for _, is_common, own in states]
    inputs = [(state, call) for state, made in enumerate(calls) for call in made]
    with SuiteWriter(folder, header(itemsize)) as writer:
        for (value, _, _), made in zip(states, calls, strict=True):
            writer.add_inputs(writer.add_state((value, 0, 1)), writer.row(made))
        written = writer.close()
        pairs = b"".join(struct.pack("<2I", state, writer.call_number(call)) for state, call in inputs)
    digest = hashlib.sha256((folder / "states.bin").read_bytes())
    digest.update(hashlib.sha256(pairs).digest() + calls_as_bytes(written))
    assert written.digest == digest.hexdigest()
    assert sum(written.inputs_by_target.values()) == written.inputs == len(inputs)
    reader, naive = SuiteReader(folder), SuiteContents(folder)
    reader.check()
    assert [tuple(vector) for vector in reader.vectors()] == [(value, 0, 1) for value, _, _ in states]
    read = [reader.input(number) for number in reversed(range(len(reader)))][::-1]
    assert [(state, reader.calls[call]) for state, call in read] == inputs
    assert [naive.input(number) for number in range(naive.inputs)] == [
        (array("BH"[itemsize - 1], (states[state][0], 0, 1)), call.target, [*call.arguments]) for state, call in inputs
    ]


def test_states_with_the_same_calls_take_no_more_than_one_run(tmp_path):
    for count in (10, 70_000):
        with SuiteWriter(tmp_path / f"{count}", header()) as writer:
            row = writer.row([Call(0, (at,)) for at in range(3)])
            for _ in range(count):
                writer.add_inputs(writer.add_state((1, 2, 3)), row)
            writer.close()
        SuiteReader(tmp_path / f"{count}").check()
    assert [(tmp_path / name / "inputs.bin").stat().st_size for name in ("10", "70000")] == [24, 24]
    assert SuiteReader(tmp_path / "70000").input(209_999) == (69_999, 2)


@pytest.mark.parametrize("runs", [(0, 0, 0, 1, 1, 0), (1, 0, 0, 2, 1, 0), (0, 0, 0, 1 << 60, 1, 0), (0, 0, 0, 1, 1, 9)])
def test_runs_that_no_writer_writes_are_refused(tmp_path, runs):
    write(tmp_path / "suite", [(1, 2, 3), (4, 5, 6)], [(0, Call(0, (1,))), (1, Call(0, (2,)))])
    (tmp_path / "suite" / "inputs.bin").write_bytes(struct.pack("<6Q", *runs))
    with pytest.raises(StoreError, match="not what was written there"):
        SuiteReader(tmp_path / "suite").check()


def test_a_routine_that_is_declared_twice_has_the_inputs_of_both_declarations(tmp_path):
    declared = replace(header(), targets=["Account", "Account", "add"])
    with SuiteWriter(tmp_path / "suite", declared) as writer:
        writer.add_state((1, 2, 3))
        for target in (0, 1, 1, 2):
            writer.add_input(0, Call(target, ()))
        written = writer.close()
    assert written.inputs_by_target == {"Account": 3, "add": 1}


def test_the_processor_time_of_each_block_of_inputs_is_kept_of_their_suite(tmp_path):
    seconds = itertools.count(5.0)
    with SuiteWriter(tmp_path / "suite", header(), lambda: next(seconds)) as writer:
        writer.add_state((1, 2, 3))
        for _ in range(40):
            writer.add_input(0, Call(0, ()))
        writer.add_inputs(0, writer.row([Call(0, (at,)) for at in range(60)]))
        writer.add_inputs(0, writer.row([Call(0, (1,)), Call(0, (2,))]), 32)
        assert writer.close().made == [1, 2, 2, 3, 3], "blocks end at 32, 64, 96, 128 and 160 of 164 inputs"


def test_a_suite_with_another_state_or_call_is_refused(tmp_path):
    folder = tmp_path / "suite"
    write(folder, [(1, 2, 3), (4, 5, 6)], [(0, Call(0, (1,))), (1, Call(1, ())), (1, Call(0, (2,)))])
    (folder / "states.bin").write_bytes(bytes([1, 2, 3, 4, 5, 7]))
    with pytest.raises(StoreError, match="not what was written there"):
        SuiteReader(folder).check()
    (folder / "states.bin").write_bytes(bytes([1, 2, 3, 4, 5, 6]))
    SuiteReader(folder).check()
    write_header(folder, replace(SuiteReader(folder).header, calls=[[0, [1]], [1, []], [0, [3]]]))
    with pytest.raises(StoreError, match="not what was written there"):
        SuiteReader(folder).check()


def test_an_interrupted_writer_leaves_no_suite_behind(tmp_path):
    def interrupted() -> None:
        with SuiteWriter(tmp_path / "suite", header()) as writer:
            writer.add_state((1, 2, 3))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(tmp_path.iterdir()) == []


def test_a_truncated_suite_is_refused(tmp_path):
    write(tmp_path / "suite", [(1, 2, 3)], [(0, Call(0, ()))])
    (tmp_path / "suite" / "states.bin").write_bytes(b"\1")
    with pytest.raises(StoreError, match=r"states\.bin: 1 bytes, not 3"):
        SuiteReader(tmp_path / "suite")


@pytest.mark.parametrize("text", ["", "[]", '{"format": 99}', '{"format": 1}'])
def test_a_folder_that_is_no_suite_is_refused(tmp_path, text):
    (tmp_path / "header.json").write_text(text)
    with pytest.raises(StoreError):
        SuiteReader(tmp_path)
