"""LaTeX sets tables in a document of two columns without an error, and nothing sticks out."""

import shutil
import subprocess
from pathlib import Path

import pytest

from harness import api
from harness.tables.render import render
from harness.tables.table import Cell, Column, Missing, Row, Table, Unit

DOCUMENT = r"""\documentclass[twocolumn]{article}
\usepackage{graphicx}
\begin{document}
%s
\end{document}
"""


def table_of(rows: int, columns: int, text: str = "42") -> Table:
    cells = tuple(Cell(Missing("not measured") if at == 1 else text, None) for at in range(columns))
    headings = tuple(Column(f"column {at} [%]", Unit.TEXT, str) for at in range(columns))
    lines = tuple(Row((f"Class_{number}",), cells) for number in range(rows))
    return Table("A title", "A caption with _, % and \\. " * 6, ("subject",), headings, lines, compares=False)


def typeset(texts: list[str], folder: Path) -> str:
    """Compile tables with pdflatex; return its log."""
    if shutil.which("pdflatex") is None:
        pytest.skip("there is no pdflatex here")
    (folder / "tables.tex").write_text(DOCUMENT % "\n\\clearpage\n".join(texts), encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "tables.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
    return done.stdout


def test_narrow_wide_long_and_empty_tables_fit_on_pages_of_two_columns(tmp_path):
    tables = [table_of(3, 2), table_of(3, 30), table_of(100, 4), table_of(0, 3), table_of(2, 3, "x" * 150)]
    log = typeset([render(table, "latex") for table in tables], tmp_path)
    assert "Overfull" not in log
    assert "too large for page" not in log


@pytest.mark.slow
@pytest.mark.parametrize("paper", ["beapi2023", "exhaustive2003", "jtestcraft2010"])
def test_the_tables_of_papers_fit_on_pages_of_two_columns(paper, tmp_path):
    log = typeset([render(table, "latex") for table in api.tables(paper).values()], tmp_path)
    assert "Overfull" not in log
    assert "too large for page" not in log


def test_a_long_table_goes_on_under_the_same_number():
    text = render(table_of(100, 2), "latex")
    assert text.count(r"\begin{table*}") == text.count(r"\end{table*}") == 4
    assert text.count("continued.") == text.count(r"\addtocounter{table}{-1}") == 3
    assert [text.count(rf"Class\_{number} ") for number in range(100)] == [1] * 100
    assert [part.count(r"Class\_") for part in text.split(r"\begin{table*}")[1:]] == [25] * 4
    assert text.count("not measured") == 1, "the footnotes stand below the last part"


@pytest.mark.parametrize(("rows", "parts"), [(32, [32]), (33, [16, 17]), (65, [21, 22, 22])])
def test_the_parts_of_a_long_table_are_of_equal_length(rows, parts):
    text = render(table_of(rows, 2), "latex")
    assert [part.count(r"Class\_") for part in text.split(r"\begin{table*}")[1:]] == parts


def test_a_named_table_has_one_label():
    assert render(table_of(33, 2), "latex", "scopes").count(r"}\label{tab:scopes}") == 1
    assert "label" not in render(table_of(3, 2), "latex")


def test_a_row_that_failed_has_one_mark():
    cells = tuple(Cell(Missing("no input"), None) for _ in range(4))
    headings = tuple(Column(f"column {at}", Unit.COUNT, str) for at in range(4))
    table = Table("A title", "", ("subject",), headings, (Row(("Bag",), cells, "no input"),), compares=False)
    assert render(table, "latex").count(r"--\textsuperscript{1}") == 1
    assert render(table, "md").count("\N{EN DASH} [1]") == render(table, "html").count("<sup>1</sup></td>") == 1
    assert render(table, "csv").splitlines()[1] == "Bag,,,,,no input"


def test_headings_of_many_columns_are_stacked_so_that_the_numbers_stay_readable():
    few, many = (render(table_of(2, columns), "latex") for columns in (9, 10))
    assert (few.count("shortstack"), many.count(r"{\shortstack{\strut column\\{}0\\{}[\%]}}")) == (0, 1)
    assert (few.count("tabcolsep"), many.count(r"\setlength{\tabcolsep}{3pt}")) == (0, 1)
