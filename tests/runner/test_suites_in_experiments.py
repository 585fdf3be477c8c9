"""Suites of pytest in the file of an experiment."""

import pytest

from harness import api
from harness.errors import UsageError
from harness.model.pytest_suite import Flaky, PytestSuite
from harness.runner.experiment import experiment as load_experiment


def written(tmp_path, text):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    return str(path)


def test_a_suite_is_seen_from_the_folder_of_the_file(tmp_path):
    text = (
        'mode = "matrix"\nseed = 4\n[[suites]]\ntarget = "till.core"\ntests = ["tests"]\nfolder = "own"\n'
        'flaky = "exclude"\nruns = 5\nblock = ["_heapq"]\n'
    )
    experiment = load_experiment(written(tmp_path, text))
    assert experiment.trials == ()
    assert experiment.suites == (
        PytestSuite("till.core", ("tests",), str(tmp_path / "own"), Flaky.EXCLUDE, 4, 5, ("_heapq",)),
    )
    assert PytestSuite.of_json(experiment.suites[0].to_json()) == experiment.suites[0]


def test_a_suite_has_the_name_of_its_table_or_is_called_what_pytest_is_called_with(tmp_path):
    text = "".join(
        f'[[suites]]\ntarget = "till.core"\n{rest}\n'
        for rest in ('tests = ["a", "b"]', 'tests = ["a"]\nname = "unit"', 'tests = ["a"]\nname = "unit"\nseed = 1')
    )
    assert [suite.name for suite in load_experiment(written(tmp_path, text)).suites] == ["a b", "unit", "unit"]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ('target = "a"\ntests = ["a"]\nruns = 0\n', "runs is a whole number from 1 to 1000, not 0"),
        ('target = "a"\ntests = ["a"]\nruns = 1000000000\n', "runs is a whole number from 1 to 1000, not 1000000000"),
        ('target = "a"\ntests = "a"\n', r"tests is a list of texts, not 'a'; write \['a'\]"),
        ('target = "a"\ntests = ["a"]\nblock = "_a"\n', r"block is a list of texts, not '_a'; write \['_a'\]"),
        (
            'target = "a"\ntests = ["a"]\n[[suites]]\ntarget = "a"\ntests = ["a"]\nruns = 5\n',
            r"\[\[suites\]\] number 2 has the target, seed and name of number 1 \('a'\); give it a name of its own",
        ),
    ],
)
def test_a_suite_that_is_written_wrongly_is_told_in_one_line(tmp_path, table, message):
    with pytest.raises(UsageError, match=message):
        load_experiment(written(tmp_path, f"[[suites]]\n{table}"))


def test_modules_to_block_are_given_as_a_list():
    with pytest.raises(UsageError, match=r"blocked is a list of names of modules, not '_heapq'; write \['_heapq'\]"):
        api.pytest_experiment("till.core", ["tests"], blocked="_heapq")
