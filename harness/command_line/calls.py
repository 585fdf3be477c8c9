"""Calls the function of `harness.api` that a command stands for, with the values of its options.

Functions import what they need when they are called: `--help` and wrong use answer at once, without pandas.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from harness.command_line.command import Command, CommandForm, OptionValues
from harness.errors import FailedTrialsError, UsageError

if TYPE_CHECKING:
    from harness.kernel.inputs.suites import SuiteReader


def call(command: Command, values: OptionValues) -> Any:
    """Call the function of the form that the values choose. Each value is passed to the function that can take it.

    Raises:
        UsageError: options do not go together, or one is missing.
    """
    form = chosen_form(command, values)
    check_options(command, form, values)
    result = _call_function(form.function, command, values)
    return _call_function(command.then.function, command, values, result) if command.then else result


def chosen_form(command: Command, values: OptionValues) -> CommandForm:
    """Return the first form whose option is given.

    Raises:
        UsageError: none or several of the command's alternatives are given.
    """
    alternatives = command.alternatives
    if alternatives and sum(map(values.is_given, alternatives.options)) != 1:
        raise UsageError(alternatives.refusal)
    return next(form for form in command.forms if not form.option or values.is_given(form.option))


def check_options(command: Command, form: CommandForm, values: OptionValues) -> None:
    """Check that each option that is given goes with the others, and that none is missing.

    Raises:
        UsageError: an option goes with another one that is not given, or the form needs one.
    """
    for option in command.options:
        requirement = option.requirement
        if requirement and values.is_given(option.name) and not any(map(values.is_given, requirement.options)):
            refusal = requirement.refusal or form.refusal
            raise UsageError(refusal.format(option=option.name, form=form.option, requirement=requirement))
    for name, refusal in form.needs.items():
        if not values.is_given(name):
            raise UsageError(refusal)


def _call_function(name: str, command: Command, values: OptionValues, *first: object) -> Any:
    from harness import api

    function = getattr(api, name)
    parameters = inspect.signature(function).parameters
    options = [option for option in command.options_of(name) if option.parameter in parameters]
    arguments = {option.parameter: values[option.name] for option in options if values[option.name] is not None}
    return function(*first, **arguments)


def generate(command: Command, values: OptionValues) -> tuple[SuiteReader, str | None]:
    """Return the suite, and where and when it was made; None if that is here and now."""
    from harness.runner.making_record import MakingRecord

    if values["--figure"]:
        from harness.analysis.plots import check_suffix

        check_suffix(values["--figure"])
    now = MakingRecord.now()
    suite: SuiteReader = call(command, values)
    return suite, now.origin_of(suite.header)


def run(command: Command, values: OptionValues) -> Any:
    """Run the experiment, or the one that the options describe; return its folder, or the error of failed trials.

    Raises:
        UsageError: as `call`, or an option of call sequences is given for a generator of states.
    """
    from harness.generators.registry import find_generator, makes_sequences

    is_checked = all(map(values.is_given, ("--subject", "--scope", "--observe")))
    names = (*(values["--generator"] or ()), *values["--suite"])
    if is_checked and not any(makes_sequences(find_generator(generator)) for generator in names):
        raise UsageError("--observe goes with a generator of sequences: beapi, random, rostra")
    try:
        return call(command, values)
    except FailedTrialsError as error:
        return error  # which is shown behind the trials that were run


def shard(command: Command, values: OptionValues) -> Any:
    """Run a shard of the experiment, or return the text of a job array.

    Raises:
        UsageError: neither or both are asked for; or as `call`.
    """
    if values.is_given("--print-slurm") == (values["K/N"] is not None):
        raise UsageError("give the shard as K/N, such as 3/64, or --print-slurm with a number of shards, one of them")
    if values["K/N"] is not None:
        return call(command, values)
    from harness import api

    return api.slurm_script(values["EXPERIMENT"], values["--print-slurm"], values["--out"])


def of_paper_or_run(command: Command, values: OptionValues) -> Any:
    """Call the function for the paper or the folder that the first argument names."""
    from harness.papers import paper_or_run

    paper, folder = paper_or_run(values["PAPER|DIR"], values["--from"])
    return call(command, values.replaced({"PAPER|DIR": paper, "--from": folder}))
