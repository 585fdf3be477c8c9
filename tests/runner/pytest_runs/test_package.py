"""A package as a target: each of its modules is one."""

from pathlib import Path

import pytest
from support.levels import without_line_of_levels

from harness import api
from harness.analysis.run_summary import summary_rows
from harness.errors import BaselineError, SourceError
from harness.runner.pytest_runs.project import modules_of
from harness.runner.run import run_experiment
from harness.store import RunStore

FUNCTION = "def larger(left, right):\n    return left if left > right else right\n"
TESTS = "from shop.cart import larger\n\n\ndef test_larger():\n    assert larger(1, 2) == 2\n"


def package(root: Path, files: dict[str, str]) -> Path:
    for name, text in {"pyproject.toml": "", "tests/test_shop.py": TESTS, **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def targets_of(root: Path, target: str = "shop") -> list[str]:
    (suite,) = api.pytest_experiment(target, ["tests"], folder=root).suites
    return [module.target for module in modules_of(suite)]


def run_of(root: Path, target: str = "shop") -> list[str]:
    experiment = api.pytest_experiment(target, ["tests"], folder=root, original_runs=1)
    run_experiment(experiment, root / "out", 1)
    with RunStore.open_existing(root / "out") as store:
        return [trial.subject for trial in store.trials.all()]


def test_a_package_stands_for_its_modules_and_those_of_the_packages_within(tmp_path):
    root = package(
        tmp_path,
        {
            "src/shop/__init__.py": FUNCTION,
            "src/shop/cart.py": FUNCTION,
            "src/shop/data.py": "RATES = {}\n",
            "src/shop/within/__init__.py": "",
            "src/shop/within/deep.py": "class Deep:\n    async def found(self):\n        return 1\n",
            "src/shop/no-module.py": FUNCTION,
            "src/shop/no_package/part.py": FUNCTION,
        },
    )
    assert targets_of(root) == ["shop", "shop.cart", "shop.within.deep"]
    assert targets_of(root, "shop.within") == ["shop.within.deep"]


def test_files_of_tests_within_a_package_are_no_targets(tmp_path):
    names = ["test_cart", "cart_test", "conftest", "tests/__init__", "tests/helpers", "test/__init__"]
    files = {f"shop/{name}.py": FUNCTION for name in ["__init__", "attest", *names]}
    assert targets_of(package(tmp_path, files)) == ["shop", "shop.attest"]


def test_the_file_of_the_package_itself_can_be_named(tmp_path):
    root = package(tmp_path, {"shop/__init__.py": FUNCTION, "shop/cart.py": FUNCTION})
    assert targets_of(root, "shop.__init__") == ["shop"]
    assert targets_of(root, "shop.cart") == ["shop.cart"]


def test_a_package_that_links_to_itself_is_read_once(tmp_path):
    root = package(tmp_path, {"shop/__init__.py": FUNCTION})
    (root / "shop" / "again").symlink_to(root / "shop")
    assert targets_of(root) == ["shop"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def (:\n", r"cart\.py:1: .*; correct it"),
        ("RATE = 3\n", r"shop: no module of this package defines a function; choose another target"),
    ],
)
def test_a_package_that_cannot_be_mutated_is_told_in_one_line(tmp_path, text, message):
    root = package(tmp_path, {"shop/__init__.py": "", "shop/cart.py": text})
    with pytest.raises(SourceError, match=message):
        targets_of(root)


@pytest.mark.slow
def test_each_module_has_a_trial_and_of_those_that_no_test_reaches_all_mutants_survive(tmp_path, capsys):
    files = {"shop/__init__.py": "", "shop/cart.py": FUNCTION, "shop/lonely.py": FUNCTION, "shop/till.py": FUNCTION}
    root = package(tmp_path, files | {"shop/empty.py": "def nothing():\n    pass\n"})
    (root / "tests" / "test_till.py").write_text(TESTS.replace("cart", "till"))
    assert run_of(root) == ["shop.cart", "shop.lonely", "shop.till"]
    scores = {row["subject"]: (row["killed"], row["counted"]) for row in summary_rows(root / "out")}
    killed, counted = scores["shop.lonely"]
    assert killed == 0 < counted <= scores["shop.cart"][1]
    printed = without_line_of_levels(capsys.readouterr().err)
    messages = [line for line in printed.splitlines() if line.startswith("mutascope: ")]
    assert len(messages) == 1
    assert messages[0].startswith("mutascope: shop.lonely: no test reaches any of its ")
    assert messages[0].endswith(" mutants, so all of them survive")


@pytest.mark.slow
def test_a_package_of_which_tests_reach_nothing_is_refused(tmp_path):
    files = {"shop/__init__.py": "", "shop/cart.py": "def larger(*_):\n    pass\n"}
    root = package(tmp_path, files | {f"shop/{name}.py": FUNCTION for name in ("one", "two")})
    (root / "tests" / "test_shop.py").write_text("def test_nothing():\n    assert True\n")
    with pytest.raises(BaselineError, match="no test executes anything that would be mutated"):
        run_of(root)


@pytest.mark.slow
def test_a_module_that_is_named_twice_is_run_once(tmp_path):
    root = package(tmp_path, {"shop/__init__.py": FUNCTION, "shop/cart.py": FUNCTION})
    text = "".join(f'[[suites]]\ntarget = "{name}"\ntests = ["tests"]\nruns = 1\n' for name in ("shop.cart", "shop"))
    (root / "both.toml").write_text(text)
    keys = run_experiment(api.experiment(root / "both.toml"), root / "out", 1)
    with RunStore.open_existing(root / "out") as store:
        assert sorted(trial.key for trial in store.trials.all()) == sorted(keys)
        assert len(keys) == 2
