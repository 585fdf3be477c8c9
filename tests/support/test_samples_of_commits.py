"""The sample of the slow tests is drawn by the hash of a commit."""

from support.sampling import number_of


def test_a_sample_is_the_same_for_one_commit_and_another_for_the_next():
    names = [f"tests/test_a.py::test_{number}" for number in range(2000)]
    of_one, again, of_next = ([name for name in names if number_of(name, c) % 20 == 0] for c in ("ab", "ab", "cd"))
    assert of_one == again != of_next
    assert 60 < len(of_one) < 140
