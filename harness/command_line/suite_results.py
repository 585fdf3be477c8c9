"""Turns a generated suite into output: its counts, its first states or call sequences, and figures of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.command_line.command import OptionValues
from harness.command_line.output import Output, Screen, Text

if TYPE_CHECKING:
    from harness.kernel.inputs.suites import SuiteReader

SHOWN_STATES = 10
"""The number of states that are shown or drawn if no number is given."""


@dataclass
class _Parts:
    """The output of a suite while it grows: facts as data, and the texts that stand below each other."""

    data: dict[str, Any]
    texts: list[Text] = field(default_factory=list)

    def add_figure(self, name: str, path: Path) -> None:
        """Add the file of a figure."""
        line = self.data[name] = str(path)
        self.texts.append(lambda screen: line)


def generated_suite(suite_and_origin: tuple[SuiteReader, str | None], values: OptionValues) -> Output:
    """Show a suite, where it was made, and what of it is asked for."""
    from harness.report.states.suite_summary import extension_line, suite_facts, suite_text

    suite, origin = suite_and_origin
    subject = values["SUBJECT"]
    parts = _Parts(suite_facts(subject, suite.header, origin), [lambda screen: suite_text(subject, suite, origin)])
    if values["--show"] and suite.holds_sequences:
        _add_sequences(parts, suite, values)
    if values["--figure"] or (values["--show"] and not suite.holds_sequences):
        _add_states(parts, suite, values)
    if (values["--show"] or values["--figure"]) and extension_line(suite.header):
        _add_extension(parts, suite, values)
    return Output(parts.data, lambda screen: "\n".join(text(screen) for text in parts.texts))


def _add_sequences(parts: _Parts, suite: SuiteReader, values: OptionValues) -> None:
    from harness import api
    from harness.report.states.first_inputs import last_calls_as_data, printable_sequences

    sequences = parts.data["sequences"] = api.first_sequences(values["SUBJECT"], suite, values["--show"])
    calls = api.last_calls(values["SUBJECT"], suite, values["--show"])
    parts.data["last_calls"] = last_calls_as_data(calls)
    parts.texts.append(lambda screen: "\n" + printable_sequences(sequences, calls, len(suite), screen.encoding))


def _add_states(parts: _Parts, suite: SuiteReader, values: OptionValues) -> None:
    from harness import api
    from harness.report.states.first_inputs import printable_states, states_as_data

    states = api.first_states(values["SUBJECT"], suite, values["--show"] or SHOWN_STATES)

    def text(screen: Screen) -> str:
        return "\n" + printable_states(states, suite.header.states, screen.width, screen.encoding)

    if values["--show"] and not suite.holds_sequences:
        parts.data["states"] = states_as_data(states)
        parts.texts.append(text)
    if values["--figure"]:
        parts.add_figure("figure", api.draw_states(states, suite, values["--figure"]))


def _add_extension(parts: _Parts, suite: SuiteReader, values: OptionValues) -> None:
    """Add the pairs of each field's extension, if the suite is field-exhaustive."""
    from harness.report.states.extension_view import extension_path, extension_text, grids
    from harness.runner.subjects import finitization_of, load_subject

    grids_of_fields = grids(suite.header, finitization_of(load_subject(values["SUBJECT"]), suite.header.scope))
    if values["--show"]:
        parts.texts.append(lambda screen: "\n" + extension_text(grids_of_fields))
    if values["--figure"]:
        from harness.report.states.extension_figure import draw_extension

        path = draw_extension(grids_of_fields, suite.header, extension_path(values["--figure"]))
        parts.add_figure("extension_figure", path)
