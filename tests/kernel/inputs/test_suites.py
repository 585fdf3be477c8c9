"""Suites on disk hold what was written, or are refused."""

import itertools
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import StoreError
from harness.kernel.inputs.suite_header import SuiteHeader
from harness.kernel.inputs.suites import Call, SuiteReader, SuiteWriter


def header(itemsize: int = 1, width: int = 3) -> SuiteHeader:
    return SuiteHeader("s", "hash", "g", "1", 1, 0, width, itemsize, ["add", "remove"])


def write(
    folder: Path, states: list[tuple[int, ...]], inputs: list[tuple[int, Call]], itemsize: int = 1
) -> SuiteHeader:
    with SuiteWriter(folder, header(itemsize)) as writer:
        for state in states:
            writer.add_state(state)
        for state, call in inputs:
            writer.add_input(state, call)
        return writer.close()


calls = st.builds(Call, st.integers(0, 1), st.tuples(st.integers(0, 3)))


@given(
    st.lists(st.tuples(*[st.integers(0, 255)] * 3), min_size=1, max_size=20),
    st.lists(st.tuples(st.integers(0, 9), calls), max_size=30),
    st.sampled_from([1, 2]),
)
@settings(derandomize=True, max_examples=40)
def test_reading_gives_back_what_was_written(tmp_path_factory, states, inputs, itemsize):
    folder = tmp_path_factory.mktemp("suites") / "suite"
    written = write(folder, states, inputs, itemsize)
    reader = SuiteReader(folder)
    assert [tuple(vector) for vector in reader.vectors()] == states
    assert [(reader.input(i)[0], reader.calls[reader.input(i)[1]]) for i in range(len(reader))] == inputs
    assert reader.header == written
    assert sum(written.inputs_by_target.values()) == len(inputs)


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
        writer.add_inputs(0, writer.block([Call(0, (at,)) for at in range(60)]))
        writer.add_block(memoryview(bytes(3)), memoryview(bytes(8 * 64)), 1, [64, 0])
        assert writer.close().made == [1, 2, 2, 3, 3], "blocks end at 32, 64, 96, 128 and 160 of 164 inputs"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("written") / "suite"
    write(folder, [(1, 2, 3), (4, 5, 6)], [(0, Call(0, (1,))), (1, Call(1, ())), (1, Call(0, (2,)))])
    return folder


@pytest.mark.sweep
@given(st.data())
@settings(derandomize=True, max_examples=400, deadline=None)
def test_no_changed_byte_of_a_suite_goes_unnoticed(written, tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("changed")
    for path in written.iterdir():
        shutil.copyfile(path, folder / path.name)
    path = folder / data.draw(st.sampled_from(sorted(path.name for path in written.iterdir())))
    text = bytearray(path.read_bytes())
    at = data.draw(st.integers(0, len(text) - 1))
    text[at] ^= data.draw(st.integers(1, 255))
    path.write_bytes(text)
    try:
        changed = SuiteReader(folder)
        changed.check()
    except StoreError:
        return
    assert path.name == "header.json", "only white space may change"
    assert changed.header == SuiteReader(written).header


def test_equal_contents_have_equal_digests_and_others_differ(tmp_path):
    inputs = [(0, Call(0, (1,)))]
    first = write(tmp_path / "a", [(1, 2, 3)], inputs)
    again = write(tmp_path / "b", [(1, 2, 3)], inputs)
    assert first.digest == again.digest
    assert write(tmp_path / "c", [(1, 2, 4)], inputs).digest != first.digest
    assert write(tmp_path / "d", [(1, 2, 3)], [(0, Call(1, (1,)))]).digest != first.digest


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


def test_a_second_writer_of_the_same_suite_keeps_the_first(tmp_path):
    first = write(tmp_path / "suite", [(1, 2, 3)], [(0, Call(0, ()))])
    second = write(tmp_path / "suite", [(1, 2, 3)], [(0, Call(0, ()))])
    assert first.digest == second.digest == SuiteReader(tmp_path / "suite").header.digest
    assert [entry.name for entry in tmp_path.iterdir()] == ["suite"]
