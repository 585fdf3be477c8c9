"""A package of two modules with a small suite of pytest."""

from pathlib import Path

from harness import api
from harness.model.experiment import Experiment

CART = """\
def larger(left, right):
    return left if left > right else right


def smaller(left, right):
    return left if left < right else right


def total(prices, reduced):
    paid = 0
    for price in prices:
        paid = paid + price
    return paid - reduced if reduced > 0 else paid
"""

TESTS = """\
from shop.cart import larger, smaller, total


def test_sides():
    assert (larger(1, 2), larger(2, 1), smaller(1, 2), smaller(2, 1)) == (2, 2, 1, 1)


def test_total():
    assert total([1, 2], 0) == 3


def test_reduced():
    assert total([3, 2, 1], 2) == 4
"""


def shop(root: Path, *, matrix: bool) -> Experiment:
    """Write the project below a folder; return the experiment with its suite."""
    files = {
        "pyproject.toml": "",
        "shop/__init__.py": "",
        "shop/cart.py": CART,
        "shop/rates.py": "def rate():\n    return 1 + 2\n",
        "tests/test_shop.py": TESTS,
    }
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return api.pytest_experiment("shop", ["tests"], folder=root, original_runs=1, matrix=matrix)
