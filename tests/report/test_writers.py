"""Every writer renders the same table; what is special in a format is escaped there."""

from __future__ import annotations

import csv
import html
import io
import re

import pytest

from gistmark.report.table import Column, Estimate, Missing, Table, best_per_column
from gistmark.report.writers import csv_table, html_table, latex_table, markdown_table
from gistmark.report.writers.latex import escape_latex
from gistmark.report.writers.markdown import escape_markdown

NASTY = "<script>alert('x')</script> | a_b & 50% $x$ #1 {y} ~ ^ \\ [z] *w* `q`\nnext"
COLUMNS = (
    Column("system", "System"),
    Column("mean", "Mean", "estimate"),
    Column("p", "p", "p"),
    Column("n", "n", "count"),
)


@pytest.fixture
def table() -> Table:
    rows = [
        ["one", Estimate(1 / 3, 0.25, 0.5), 0.0004, 1200],
        ["two", Missing("All values are the same."), None, 0],
        [NASTY, Estimate(-0.5, remark="2 of 9 left out."), 0.25, 7],
    ]
    return Table("means", "Means", COLUMNS, rows, note="A note.", best=frozenset({(0, 1)}))


def test_csv_keeps_full_precision_bounds_and_reasons(table: Table):
    rows = list(csv.DictReader(io.StringIO(csv_table(table))))
    assert list(rows[0]) == ["system", "mean", "mean_low", "mean_high", "p", "n", "reason"]
    assert float(rows[0]["mean"]) == 1 / 3
    assert (rows[0]["mean_low"], rows[0]["mean_high"], rows[0]["n"]) == ("0.25", "0.5", "1200")
    assert (rows[1]["mean"], rows[1]["reason"]) == ("", "All values are the same.")
    assert rows[2]["system"] == NASTY


def test_markdown_has_one_line_per_row_and_as_many_cells(table: Table):
    lines = [line for line in markdown_table(table).splitlines() if line.startswith("|")]
    assert len(lines) == 2 + len(table.rows)
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {len(COLUMNS) + 1}
    assert "**0.333 [0.250, 0.500]**" in lines[2]
    assert "— (1)" in lines[3]
    assert "<script>" not in lines[4]
    assert "(1) All values are the same." in markdown_table(table)
    assert "(2) 2 of 9 left out." in markdown_table(table)


def test_a_signature_stays_readable_in_markdown():
    made = Table("s", "S", (Column("s", "S", "code"),), [["rouge|v:0.1.0|n:1_x"]])
    assert r"| `rouge\|v:0.1.0\|n:1_x` |" in markdown_table(made)


def test_latex_escapes_every_special_character():
    assert escape_latex("a_b & 50% $x$ #1 {y}") == r"a\_b \& 50\% \$x\$ \#1 \{y\}"
    assert escape_latex("\\ ~ ^") == r"\textbackslash{} \textasciitilde{} \textasciicircum{}"
    assert escape_latex("[z]*\n\n<|>") == r"{[}z]{*} \textless{}\textbar{}\textgreater{}"


def test_latex_uses_booktabs_and_footnotes(table: Table):
    text = latex_table(table)
    for part in (r"\toprule", r"\midrule", r"\bottomrule", r"\begin{tabular}{@{}>{\raggedright"):
        assert part in text
    assert r"\textbf{0.333 {[}0.250, 0.500]}" in text
    assert r"---\textsuperscript{1}" in text
    assert r"\textsuperscript{1} All values are the same." in text
    assert "$-$0.500" in text
    assert text.count(" \\\\\n") == 1 + len(table.rows)


def test_braces_of_latex_balance(table: Table):
    bare = re.sub(r"\\[{}]", "", latex_table(table))
    assert bare.count("{") == bare.count("}")


def test_a_long_table_is_a_longtable():
    made = Table("long", "Long", (Column("n", "n", "count"),), [[n] for n in range(100)])
    assert r"\begin{longtable}{@{}r@{}}" in latex_table(made)
    assert r"\endhead" in latex_table(made)


def test_html_escapes_and_names_scopes_and_reasons(table: Table):
    text = html_table(table)
    assert "<script>" not in text
    assert html.escape(NASTY) in text
    assert text.count('scope="col"') == len(COLUMNS)
    assert text.count('scope="row"') == len(table.rows)
    assert '<abbr title="All values are the same.">—</abbr><sup>1</sup>' in text
    assert f'data-value="{1 / 3!r}"' in text
    assert "−0.500<sup>2</sup>" in text


def test_html_shows_no_more_rows_than_a_page_bears_and_says_so():
    made = Table("many", "Many", (Column("n", "n", "count"),), [[n] for n in range(900)])
    text = html_table(made)
    assert text.count("<tr>") == 1 + 500
    assert 'The first 500 of 900 rows; all are in <a href="tables/many.csv">' in text


def test_a_table_without_rows_is_a_sentence():
    made = Table("none", "None", COLUMNS, [], empty="Nobody <rated>.")
    assert html_table(made) == '<p class="absent">Nobody &lt;rated&gt;.</p>'
    assert markdown_table(made) == "Nobody &lt;rated&gt;.\n"
    assert csv_table(made) == "system,mean,mean_low,mean_high,p,n\n"


def test_markdown_text_is_shown_as_it_is():
    assert escape_markdown("a*b_c [x](y) <b> `z`") == r"a\*b\_c \[x\](y) &lt;b&gt; \`z\`"


def test_the_best_of_a_column_is_stressed_and_ties_share_it():
    rows = [["a", 1.0, None], ["b", 3.0, 5.0], ["c", 3.0, None]]
    assert best_per_column(rows, (1, 2)) == {(1, 1), (2, 1)}
