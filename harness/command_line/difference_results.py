"""Turns a comparison of rep_ok with an API or an invariant into output, with the structures on one side only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.command_line.command import OptionValues
from harness.command_line.output import Output, Screen

if TYPE_CHECKING:
    from harness.difference.invariant_result import InvariantDifference
    from harness.difference.result import Difference


def difference(result: Difference | InvariantDifference, values: OptionValues) -> Output:
    """Show how both sides differ, and draw the differences if a folder is given."""
    from harness.difference.result import Difference

    return _of_api(result, values) if isinstance(result, Difference) else _of_invariant(result, values)


def _of_api(result: Difference, values: OptionValues) -> Output:
    from harness import api
    from harness.report.states.difference_view import draw, text
    from harness.report.states.first_inputs import states_as_data

    states = api.structures_of_rep_ok(values["SUBJECT"], result)
    data = {**result.as_dict(), "structures_of_rep_ok": states_as_data(states)}
    figures = [str(draw(result, states, values["--figure"]))] if values["--figure"] and states else []
    if figures:
        data["figure"] = figures[0]

    def lines(screen: Screen) -> str:
        return "\n".join([text(result, states, screen.width, screen.encoding), *figures])

    return Output(data, lines, is_finding=result.relation.is_finding)


def _of_invariant(result: InvariantDifference, values: OptionValues) -> Output:
    from harness.report.states.difference_view import draw_sides, sides, sides_text
    from harness.report.states.first_inputs import states_as_data
    from harness.runner.subjects import finitization_of, load_subject

    states_by_side = sides(result, finitization_of(load_subject(values["SUBJECT"]), result.scope))
    data = {**result.as_dict(), "alone": {side: states_as_data(states) for side, states in states_by_side.items()}}
    figures: list[str] = []
    if values["--figure"]:
        figures = data["figures"] = [str(path) for path in draw_sides(result, states_by_side, values["--figure"])]

    def lines(screen: Screen) -> str:
        return "\n".join([sides_text(result, states_by_side, screen.width, screen.encoding), *figures])

    return Output(data, lines, is_finding=result.is_finding)
