"""A Table as Markdown, CSV, LaTeX or HTML."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping
from math import ceil
from typing import Any

import jinja2
from tabulate import tabulate

from harness.did_you_mean import suggestion
from harness.errors import UsageError
from harness.model.experiment import EARLIER, EarlierSeconds
from harness.tables.table import MISSING, Cell, Column, Missing, Row, Table, Unit

_LATEX = jinja2.Environment(  # noqa: S701 (LaTeX, not HTML; escaped by the filter)
    block_start_string="<%",
    block_end_string="%>",
    variable_start_string="<<",
    variable_end_string=">>",
    comment_start_string="<#",
    comment_end_string="#>",
    trim_blocks=True,
    keep_trailing_newline=True,
    undefined=jinja2.StrictUndefined,
)
_HTML = jinja2.Environment(
    autoescape=True, trim_blocks=True, keep_trailing_newline=True, undefined=jinja2.StrictUndefined
)

_LATEX_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}", MISSING: "--",
}  # fmt: skip


def latex_escaped(text: str) -> str:
    """Return `text` with every character escaped that LaTeX would interpret."""
    return "".join(_LATEX_SPECIAL.get(character, character) for character in text)


def _stacked(name: str) -> str:
    """Return the heading of a column with each word, and each part of a name with dots, in a line of its own."""
    words = name.replace(".", ". ").split()
    return r"\shortstack{\strut " + r"\\{}".join(map(latex_escaped, words)) + "}"


_FEW_COLUMNS = 10
"""Tables with more columns than these have stacked headings and less space between columns: a page is too narrow."""
_ROWS_OF_A_PAGE = 32
"""The most rows of a table that fit on a page of an article beside a long caption, at the size of its text."""

_LATEX.filters["tex"] = latex_escaped
_LATEX_TABLE = _LATEX.from_string(r"""% needs \usepackage{graphicx}
<% for rows in pages %>
\begin{table*}
<% if loop.first %>
\caption{<< table.title|tex >>. << table.caption|tex >>}<% if name %>\label{tab:<< name >>}<% endif %>

<% else %>
\addtocounter{table}{-1}\caption{<< table.title|tex >>, continued.}
<% endif %>
\par\smallskip\centering<% if is_wide %>\setlength{\tabcolsep}{3pt}<% endif %>

\resizebox{\ifdim\width>\textwidth\textwidth\else\width\fi}{!}{%
\begin{tabular}{<< layout >>}
\hline
<% for label in table.labels %><% if not loop.first %> & <% endif %><< label|tex >><% endfor %>
<% for heading, width in headings %> & \multicolumn{<< width >>}{c}{<< heading >>}<% endfor %> \\
<% if table.compares %>
<% for label in table.labels[1:] %> & <% endfor %>
<% for name in parts %> & << name|tex >><% endfor %> \\
<% endif %>
\hline
<% for row in rows %>
<% for text, note in row %><% if not loop.first %> & <% endif %><< text|tex >>
<%- if note %>\textsuperscript{<< note >>}<% endif %><% endfor %> \\
<% endfor %>
\hline
\end{tabular}}
<% if loop.last %>
<% for reason, number in table.footnotes.items() %>
\par\footnotesize \textsuperscript{<< number >>} << reason|tex >>
<% endfor %>
<% endif %>
\end{table*}
<% endfor %>
""")
_HTML_TABLE = _HTML.from_string("""<table class="comparison">
<caption><strong>{{ table.title }}.</strong> {{ table.caption }}</caption>
<thead>
<tr>{% for label in table.labels %}<th{% if table.compares %} rowspan="2"{% endif %}>{{ label }}</th>{% endfor %}
{% for column, width in spans %}<th colspan="{{ width }}">{{ column.name }}</th>{% endfor %}</tr>
{% if table.compares %}
<tr>{% for name in parts %}<th>{{ name }}</th>{% endfor %}</tr>
{% endif %}
</thead>
<tbody>
{% for row in rows %}
<tr>{% for text, note in row %}<td{% if numeric[loop.index0] %} class="number"{% endif %}>{{ text }}
{%- if note %}<sup>{{ note }}</sup>{% endif %}</td>{% endfor %}</tr>
{% endfor %}
</tbody>
{% if table.footnotes %}
<tfoot>
{% for reason, number in table.footnotes.items() %}
<tr><td colspan="{{ numeric|length }}"><sup>{{ number }}</sup> {{ reason }}</td></tr>
{% endfor %}
</tfoot>
{% endif %}
</table>
""")

_Text = tuple[str, int | str | None]
"""The text of a cell, and the mark of its footnote: a number if the value is missing."""


def render(table: Table, form: str, name: str = "") -> str:
    """Return the table as `md`, `csv`, `latex` or `html`, with a newline at its end.

    CSV has no caption and no dashes: a missing value is an empty cell. Seconds keep their mark there. If a trial could
    not be run, the last column of CSV says why.

    Args:
        name: of the table; LaTeX has the label `tab:NAME`.

    Raises:
        UsageError: another format.
    """
    if form not in FORMATS:
        raise UsageError(f"no format {form!r} for tables; {suggestion(form, FORMATS)}")
    return _latex(table, name) if form == "latex" else FORMATS[form](table)


def _markdown(table: Table) -> str:
    rows = [[f"{text} [{note}]" if note else text for text, note in row] for row in _lines(table)]
    rows = [[text.replace("|", "\\|") for text in row] for row in rows]
    aligned = ["right" if number else "left" for number in _numeric(table)]
    body = tabulate(rows, _heading(table), tablefmt="pipe", disable_numparse=True, colalign=aligned if rows else None)
    notes = [f"[{number}] {reason}" for reason, number in table.footnotes.items()]
    return "\n\n".join([f"**{table.title}.** {table.caption}", body, *notes]) + "\n"


def _csv(table: Table) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    failed = [[failure] for failure in table.failures] or [[] for _ in table.rows]
    writer.writerow([*_heading(table), *(["failed"] if table.failures else [])])
    writer.writerows(
        [*("" if text == MISSING else f"{text}{note or ''}" for text, note in row), *reason]
        for row, reason in zip(_body(table), failed, strict=True)
    )
    return out.getvalue()


def _latex(table: Table, name: str = "") -> str:
    layout = "".join("r" if number else "l" for number in _numeric(table))
    rows = _lines(table)
    parts = max(1, ceil(len(rows) / _ROWS_OF_A_PAGE))
    pages = [rows[len(rows) * part // parts : len(rows) * (part + 1) // parts] for part in range(parts)]
    is_wide = len(layout) > _FEW_COLUMNS
    heading = _stacked if is_wide else latex_escaped
    return _LATEX_TABLE.render(
        table=table,
        name=name,
        layout=layout,
        headings=[(heading(column.name), width) for column, width in _spans(table)],
        parts=_all_parts(table),
        pages=pages,
        is_wide=is_wide,
    )


def _html(table: Table) -> str:
    return _HTML_TABLE.render(
        table=table, numeric=_numeric(table), spans=_spans(table), parts=_all_parts(table), rows=_body(table)
    )


FORMATS: dict[str, Callable[[Table], str]] = {"md": _markdown, "csv": _csv, "latex": _latex, "html": _html}


def _parts(column: Column[Any]) -> tuple[str, ...]:
    """Return the parts of a column: values without a published one are single, and some have no difference."""
    if not column.published:
        return ("measured",)
    return ("measured", "published", "difference") if column.has_difference else ("measured", "published")


def _all_parts(table: Table) -> list[str]:
    return [part for column in table.columns for part in _parts(column)]


def _spans(table: Table) -> list[tuple[Column[Any], int]]:
    return [(column, len(_parts(column))) for column in table.columns]


def _heading(table: Table) -> list[str]:
    names = [
        column.name if part == "measured" else f"{column.name}, {part}"
        for column in table.columns
        for part in _parts(column)
    ]
    return [*table.labels, *names]


def _numeric(table: Table) -> list[bool]:
    return [False] * len(table.labels) + [c.unit is not Unit.TEXT for c in table.columns for _ in _parts(c)]


def _body(table: Table) -> list[list[_Text]]:
    notes = table.footnotes
    return [[*((label, None) for label in row.labels), *_cells(row, table.columns, notes)] for row in table.rows]


def _lines(table: Table) -> list[list[_Text]]:
    """Return the body with each text in one line, for formats in which a line break ends a row or a paragraph."""
    return [[(" ".join(text.split()), note) for text, note in row] for row in _body(table)]


def _cells(row: Row, columns: Iterable[Column[Any]], notes: Mapping[str, int | str]) -> list[_Text]:
    """Return the texts of a row behind its labels; if its trial failed, the first one has the mark of the reason."""
    texts = [text for column, cell in zip(columns, row.cells, strict=True) for text in _texts(cell, column, notes)]
    return [(text, None if row.failure and at else note) for at, (text, note) in enumerate(texts)]


def _texts(cell: Cell, column: Column[Any], notes: Mapping[str, int | str]) -> list[_Text]:
    note: int | str | None = None
    if isinstance(cell.measured, Missing):
        note = notes[cell.measured.reason]
    elif isinstance(cell.measured, EarlierSeconds):
        note = EARLIER
    texts = [cell.measured_text(column.unit), cell.published_text, cell.difference_text(column.unit)]
    return [(text, note if not position else None) for position, text in enumerate(texts[: len(_parts(column))])]
