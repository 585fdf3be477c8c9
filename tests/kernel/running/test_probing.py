"""Sets of inputs beside the plainest way to keep them."""

from hypothesis import given
from hypothesis import strategies as st

from harness.kernel.running.probing import InputSets

SETS = st.dictionaries(st.integers(0, 2000), st.integers(0, (1 << 5) - 1), max_size=40)


@given(sets=SETS, slices=st.integers(0, 3))
def test_rows_hold_the_inputs_of_each_mutant_wherever_blocks_end(sets, slices):
    first = 8 * slices
    last = first + 2001
    input_sets = InputSets(5, first, last)
    for number, mutants in sorted(sets.items()):
        input_sets.add(mutants, first + number)
    expected = [bytearray((last - first + 7) // 8) for _ in range(5)]
    for number, mutants in sets.items():
        for mutant in range(5):
            expected[mutant][number // 8] |= (mutants >> mutant & 1) << number % 8
    assert input_sets.rows == expected
    assert input_sets.rows == expected
