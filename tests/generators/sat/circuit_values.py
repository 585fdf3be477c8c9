"""Evaluates circuits."""

from harness.generators.sat.circuits import TRUE, Circuits


def value(circuits: Circuits, literal: int, inputs: dict[int, bool]) -> bool:
    """Return the value of a literal, given those of the inputs."""
    if literal < 0:
        return not value(circuits, -literal, inputs)
    parts = circuits.gates[literal]
    if parts is None:
        return literal == TRUE or inputs[literal]
    return all(value(circuits, part, inputs) for part in parts)
