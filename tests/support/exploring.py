"""Records the results of an exploration, and their path."""

from harness.generators.protocol import SequenceTask
from harness.generators.sequences.exploration import Policy, SequenceExploration


def explored(task: SequenceTask, policy: Policy) -> tuple[list[object], int, int, type]:
    """Sequences to structures with result and names, sequences executed, structures, and the path at the end."""
    exploration = SequenceExploration(task, policy)
    structures = [(exploration.rows.sequence(one.state), one.result, one.names) for one in exploration]
    return structures, exploration.explored, exploration.structures, type(exploration.path)
