"""heapq is taken in pure Python and behaves as a sorted list does."""

import heapq as installed

from subject_samples import loaded

SUBJECT = loaded("heapq")


def test_its_functions_are_the_python_ones_and_the_interpreter_keeps_the_c_ones():
    for target in SUBJECT.spec.finitization(1).targets:
        assert hasattr(getattr(SUBJECT.module, target.name), "__code__")
        assert not hasattr(getattr(installed, target.name), "__code__")
