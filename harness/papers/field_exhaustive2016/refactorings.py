"""What the second domain gives Table 2: inputs, seconds and distinct bugs by refactoring and technique."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.errors import StoreError

FILE_NAME = "refactorings.csv"
COLUMNS = ("case", "counterpart", "technique", "inputs", "seconds", "bugs")


@dataclass(frozen=True)
class Refactored:
    """One technique on one refactoring of our engine.

    `counterpart` is the row of the paper that it stands beside (`EncapsulateField.SingleClassFieldRef`), empty where it
    has none; `technique` is `astgen` (all programs), `random` or `field_exhaustive`; `bugs` are distinct ones.
    """

    case: str
    counterpart: str
    technique: str
    inputs: int
    seconds: float
    bugs: int


def read_refactored(folder: Path) -> Sequence[Refactored]:
    """The rows of `refactorings.csv` in the folder of a run; none where there is no such file.

    Raises:
        StoreError: it is not what was written.
    """
    path = folder / FILE_NAME
    if not path.exists():
        return ()
    try:
        with path.open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines))
        return [
            Refactored(
                row["case"], row["counterpart"], row["technique"],
                int(row["inputs"]), float(row["seconds"]), int(row["bugs"]),
            )
            for row in rows
        ]  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(f"{path}: not a table with the columns {', '.join(COLUMNS)} ({error}); restore it") from None
