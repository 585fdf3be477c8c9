"""Compiled code is read off its bytes."""

from harness.kernel.program.code_reading import codes_of, global_loads


def test_globals_are_read_off_code_with_more_names_than_a_byte_counts():
    names = "".join(f"    x = n{number}\n" for number in range(300))
    _, long = codes_of(compile(f"def long():\n{names}    return last()\n", "long.py", "exec"))
    assert global_loads(long) == {*((f"n{number}", False) for number in range(300)), ("last", True)}
