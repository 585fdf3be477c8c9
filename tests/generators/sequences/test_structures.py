"""Known structures, and sequences put one after the other."""

from harness.generators.sequences.structures import SeenStructures


def test_keys_are_known_before_and_after_they_are_kept_as_digests() -> None:
    structures = SeenStructures(most_whole=3)
    keys = [bytes([number]) * 50 for number in range(6)]
    assert [structures.add(key) for key in keys] == [True] * 6
    assert [structures.add(key) for key in keys] == [False] * 6
    assert len(structures) == 6
    assert keys[0] in structures
    assert keys[5] in structures
    assert b"other" not in structures
    structures.clear()
    assert keys[0] not in structures
    assert structures.add(keys[0])
