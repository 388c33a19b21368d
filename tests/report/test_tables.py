"""The tables of the report: which way they run, what they leave out, and that LaTeX takes them."""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from gistmark.analysis import StudyOptions
from gistmark.analysis import study as make_study
from gistmark.analysis.findings.words import show_number
from gistmark.analysis.studies.results import Signature, Study
from gistmark.corpus import Corpus
from gistmark.records import Comparison, ErrorSpan, Machine, Summary
from gistmark.report.figures import all_figures
from gistmark.report.outline import Folded, outline
from gistmark.report.table import Column, Estimate, Label, Missing, Table, without_gaps
from gistmark.report.tables import all_tables
from gistmark.report.views import View
from gistmark.report.writers import csv_table, html_table, latex_table, markdown_table
from gistmark.scoring import score
from report.conftest import big_corpus

LATEX = shutil.which("pdflatex") or shutil.which("tectonic")
PREAMBLE = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{array, booktabs, longtable}
\begin{document}
"""


@pytest.fixture(scope="module")
def tables(big_view: View) -> dict[str, Table]:
    return all_tables(big_view)


def test_many_systems_are_rows_and_main_parts_are_the_first_columns(tables: dict[str, Table]):
    table = tables["systems_by_metric"]
    assert len(table.rows) == 25
    assert [column.key for column in table.columns[:3]] == ["system", "rouge1.f", "rouge2.f"]
    keys = [column.key for column in table.columns]
    assert keys.index("kl") < keys.index("rouge1.precision")
    assert table.columns[1].title == "rouge1.f ↑"


def test_few_systems_are_columns(view: View):
    table = all_tables(view)["systems_by_metric"]
    assert [column.key for column in table.columns] == ["metric", *view.systems]


def test_the_best_mean_is_stressed_whichever_way_the_table_runs(tables: dict[str, Table]):
    table = tables["systems_by_metric"]
    for index, column in enumerate(table.columns[1:], 1):
        means = [row[index].value for row in table.rows if isinstance(row[index], Estimate)]
        best = {row for row, position in table.best if position == index}
        wanted = {"↑": max(means), "↓": min(means)}.get(column.title[-1])
        assert best == {row for row, mean in enumerate(means) if mean == wanted}


def test_a_page_folds_the_columns_that_stand_too_far_right(tables: dict[str, Table]):
    text = html_table(tables["systems_by_metric"])
    widths = [head.count("<th ") for head in re.findall(r"<thead>.*?</thead>", text)]
    assert max(widths) == 9
    assert sum(widths) - len(widths) == len(tables["systems_by_metric"].columns) - 1
    assert text.count("further columns</small>") == len(widths) - 1


def test_levels_of_the_headline_stand_beside_each_other(tables: dict[str, Table], big_view: View):
    table = tables["correlation_headline"]
    assert [column.key for column in table.columns] == ["metric", "system", "summary"]
    assert table.title == "Metrics and people: Spearman with litepyramid recall"
    first = next(row for row in table.rows if row[0] == Label("rouge1.f", "rouge1.f"))
    for cell, level in zip(first[1:], ("system", "summary"), strict=True):
        (record,) = [
            r for r in big_view.plain
            if (r.metric, r.part, r.human, r.level, r.coefficient)
            == ("rouge1", "f", "litepyramid recall", level, "spearman")
        ]  # fmt: skip
        assert cell == Estimate(record.value or 0.0, record.low, record.high)


def test_people_see_the_model_behind_a_metric_and_files_its_name():
    signature = Signature("bertscore", "bertscore|v:1|model:all-MiniLM-L6-v2@0123456789ab|layer:6")
    view = View(Study(signatures=(signature,)), Corpus(), None, "rouge1")
    assert view.named("bertscore", "f") == Label("bertscore.f", "bertscore.f (all-MiniLM-L6-v2)")
    assert view.named("rouge1", "f", " ↑") == Label("rouge1.f", "rouge1.f ↑")


def test_pairs_are_whole_in_the_file_and_the_leading_ranking_comes_first(
    tables: dict[str, Table], big_view: View
):
    rows = list(csv.DictReader(io.StringIO(csv_table(tables["pairs"]))))
    assert len(rows) == len(big_view.study.pairs)
    leading = big_view.pairs(*big_view.rankings[0])
    assert [(r["left"], r["right"]) for r in rows[:300]] == [(p.left, p.right) for p in leading]
    assert float(rows[7]["effect"]) == leading[7].effect
    assert tables["pairs"] in [
        block.table
        for section in outline(big_view, tables, all_figures(big_view))
        for block in section.blocks
        if isinstance(block, Folded)
    ]


def test_differences_name_their_family_and_stand_once(tables: dict[str, Table]):
    table = tables["differences_headline"]
    assert [column.key for column in table.columns] == [
        "metric", "other", "system", "system_p_corrected", "summary", "summary_p_corrected",
        "family",
    ]  # fmt: skip
    pairs = [frozenset(row[:2]) for row in table.rows]
    assert len(pairs) == len(set(pairs))
    assert {row[-1] for row in table.rows} == {f"all pairs ({len(pairs)})"}
    assert f"among the {len(pairs)} pairs of each level." in table.note


def test_nothing_says_that_a_cluster_cannot_be_told_apart(tables: dict[str, Table]):
    for table in tables.values():
        assert "cluster" not in table.note + table.title
        assert "cluster" not in {column.key for column in table.columns}


GAPPY = Table(
    "gaps", "Gaps",
    (Column("name", "Name"), Column("a", "A", "number"), Column("b", "B", "number"),
     Column("c", "C")),
    [["one", 1.0, Missing("Too few."), ""], ["two", None, Missing("Too few."), None],
     ["three", -0.0003, Missing("Too few."), ""]],
    best=frozenset({(2, 1)}), rules=frozenset({1}),
)  # fmt: skip


def test_errors_stand_by_system_category_and_severity():
    spans = (
        ErrorSpan("d", "s", "ann", 0, 1, "grammar", "minor"),
        ErrorSpan("d", "s", "ann", category="missing", severity="major"),
        ErrorSpan("d", "s", "bob", 0, 2, "grammar", "minor"),
        ErrorSpan("d", "t", "ann"),
    )
    corpus = Corpus(summaries=(Summary("d", "s", "Some."), Summary("d", "t", "Any.")), spans=spans)
    study = make_study(corpus, options=StudyOptions(resamples=40))
    tables = all_tables(View(study, corpus, None, "rouge1"))
    titles = [column.title for column in tables["errors"].columns]
    assert titles == [
        "System", "Category", "minor", "major", "All", "Judgements", "Per judgement"
    ]  # fmt: skip
    assert tables["errors"].rows == [
        ["t", "all", 0, 0, 0, 1, 0.0],
        ["t", "grammar", 0, 0, 0, 1, 0.0],
        ["t", "missing", 0, 0, 0, 1, 0.0],
        ["s", "all", 2, 1, 3, 2, 1.5],
        ["s", "grammar", 2, 0, 2, 2, 1.0],
        ["s", "missing", 0, 1, 1, 2, 0.5],
    ]
    assert "0 is a summary without errors" in tables["ranking_spans"].note


def test_a_report_without_errors_has_no_table_of_them(tables: dict[str, Table]):
    assert "errors" not in tables


def test_rows_and_columns_of_dashes_go_into_the_note():
    made = without_gaps(GAPPY)
    assert [row[0] for row in made.rows] == ["one", "three"]
    assert [column.key for column in made.columns] == ["name", "a"]
    assert made.note == "Left out, because no value is defined: B (Too few), C and two (Too few)."
    assert made.best == {(1, 1)}
    assert made.rules == {1}


def test_people_see_no_dashes_but_programs_get_every_row():
    for text in (html_table(GAPPY), markdown_table(GAPPY)):
        assert "—" not in text
    assert "---" not in latex_table(GAPPY)
    assert "The first" not in latex_table(GAPPY)
    assert len(csv_table(GAPPY).splitlines()) == 4


def test_a_table_without_any_value_is_a_sentence_with_the_reasons():
    bare = replace(GAPPY, rows=[["one", None, Missing("Too few."), ""]], best=frozenset())
    said = "Gaps: no value is defined (Too few)."
    assert html_table(bare) == f'<p class="absent">{said}</p>'
    assert markdown_table(bare) == f"{said}\n"
    assert latex_table(bare) == f"% {said}\n"
    assert len(csv_table(bare).splitlines()) == 2


def test_a_small_number_never_looks_like_zero():
    assert show_number(-0.0003) == "-0.0003"
    for text, shown in ((html_table(GAPPY), "−0.0003"), (markdown_table(GAPPY), "-0.0003"),
                        (latex_table(GAPPY), "$-$0.0003")):  # fmt: skip
        assert shown in text


def test_rules_are_lines_in_html_and_latex():
    table = Table("r", "R", (Column("n", "n", "count"),), [[1], [2], [3]], rules=frozenset({2}))
    assert html_table(table).count('<tr class="rule">') == 1
    assert re.search(r"2 \\\\\n\\midrule\n3 ", latex_table(table))


@pytest.mark.parametrize(("name", "lifted"), [("a", False), ("a " * 40, True)])
def test_a_wide_latex_table_has_what_is_always_the_same_in_its_caption(name: str, lifted: bool):
    columns = (Column("s", "System"), Column("o", "Other"), Column("t", "Test"),
               Column("n", "n", "count"))  # fmt: skip
    rows = [[name, name + "x", "sign flips over documents and annotators", n] for n in (1, 2)]
    text = latex_table(Table("t", "T", columns, rows))
    assert (r"\caption{T. Other: " in text) == lifted
    assert ("Test: sign flips over documents and annotators." in text) == lifted
    assert (r"& Test & n \\" in text) != lifted


def test_latex_writes_the_letters_of_many_groups():
    columns = (Column("s", "System"), Column("l", "Letters"))
    assert r"$\beta$$\Omega$" in latex_table(Table("t", "T", columns, [["a", "βΩ"]]))
    assert "LuaLaTeX" not in latex_table(Table("t", "T", columns, [["a", "βΩ"]]))
    assert "% Compile with LuaLaTeX or XeLaTeX" in latex_table(
        Table("t", "T", columns, [["a", "Ж"]])
    )


def test_a_latex_file_of_many_rows_says_where_the_rest_is():
    made = Table("many", "Many", (Column("n", "n", "count"),), [[n] for n in range(900)])
    assert r"The first 500 of 900 rows; all are in many.csv." in latex_table(made)
    assert latex_table(made).count("\\\\\n") < 520


@pytest.mark.skipif(LATEX is None, reason="neither pdflatex nor tectonic is installed")
def test_every_table_compiles_and_fits_the_page(
    tables: dict[str, Table], view: View, tmp_path: Path
):
    nasty = Table(
        "nasty", "Names & co.",
        (Column("name", "Name_with_$"), Column("code", "Code", "code"), Column("n", "n", "count")),
        [["a_b & 50% $x$ #1 {y} ~ ^ \\ [z] *w*", "rouge|v:0.1.0|" * 9, 1], ["x" * 500, "#%", 2]],
    )  # fmt: skip
    made = [*tables.values(), *all_tables(view).values(), GAPPY, nasty]
    body = [
        f"\\typeout{{TABLE {table.name.replace('_', '-')}}}\n{latex_table(table)}\\clearpage"
        for table in made
    ]
    (tmp_path / "all.tex").write_text(
        PREAMBLE + "\n".join(body) + "\n\\end{document}\n", encoding="utf-8"
    )
    done = subprocess.run(
        [LATEX, *(["-interaction=nonstopmode", "-halt-on-error"] if "pdflatex" in LATEX else []),
         "all.tex"],
        cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False,
    )  # fmt: skip
    log = done.stdout + done.stderr
    assert done.returncode == 0, log[-2000:]
    current, wide = "", []
    for line in log.splitlines():
        current = line if line.startswith("TABLE ") else current
        result = re.search(r"Overfull \\hbox \(([\d.]+)pt", line)
        if "Float too large" in line or (result and float(result[1]) > 10):
            wide.append((current, line))
    assert wide == []


@pytest.fixture(scope="module")
def helped() -> View:
    """Half of the documents judged, by people and by a machine."""
    corpus = big_corpus(systems=4, documents=60)
    judged = set(corpus.document_ids[::2])
    ratings = tuple(each for each in corpus.ratings if each.document in judged)
    machine = tuple(replace(each, annotator="model") for each in ratings)
    more = tuple(replace(each, annotator=name) for name in ("ann", "bob") for each in ratings)
    corpus = replace(
        corpus, ratings=(*ratings, *more, *machine), machines=(Machine("model", "tiny"),)
    )
    scores = score(corpus, ["rouge1"], cache=False)
    options = StudyOptions(resamples=40, judges=("model",), helper="rouge1.f")
    return View(make_study(corpus, scores, options), corpus, scores, "rouge1")


def test_a_machine_and_a_judge_have_tables_with_what_they_came_to(helped: View):
    tables = all_tables(helped)
    machines = {(row[3], row[4], row[6]) for row in tables["machines"].rows}
    assert machines == {(r.dimension, r.agreement, r.n) for r in helped.study.machines}
    judges = tables["judges"]
    assert [row[0] for row in judges.rows] == ["model"]
    for row, record in zip(judges.rows, helped.study.judges, strict=True):
        assert row[3] == record.winning_rate or row[3] == Missing(record.reason or "")
        assert (
            row[8] == {True: "yes", False: "no", None: Missing(record.reason or "")}[record.passed]
        )
    for table in (tables["machines"], judges):
        for write in (html_table, markdown_table, latex_table, csv_table):
            assert "model" in write(table)


def test_estimates_with_a_helper_stand_beside_those_of_people_alone(helped: View):
    table = all_tables(helped)["powered"]
    assert len(table.rows) == len(helped.study.powered) > 0
    assert "With rouge1.f [95 %]" in [column.title for column in table.columns]
    for row, record in zip(table.rows, helped.study.powered, strict=True):
        assert (row[0], row[1], row[6], row[7]) == (
            record.human,
            record.left,
            record.n,
            record.extra,
        )
    saved = [record.saved for record in helped.study.powered if record.saved is not None]
    narrower = sum(count > 0 for count in saved)
    assert saved
    assert f"{narrower} of {len(saved)} intervals are narrower by a document or more" in table.note
    assert ("hardly helps" in table.note) == (2 * narrower < len(saved))


def test_votes_with_ties_and_strengths_have_a_table(sample: Corpus):
    """Of six votes between two systems three are for the first, by 1, 2 and 3; one is a tie."""
    votes = [("left", 1), ("left", 2), ("left", 3), ("right", 2), ("right", 2), ("tie", None)]
    left, right = sample.systems[:2]
    comparisons = tuple(
        Comparison(sample.document_ids[0], left, right, f"ann{n}", "overall", choice, strength)
        for n, (choice, strength) in enumerate(votes)
    )
    corpus = replace(sample, ratings=(), comparisons=comparisons)
    view = View(make_study(corpus, None, StudyOptions(resamples=40)), corpus, None, "rouge1")
    table = all_tables(view)["preferences"]
    assert [column.key for column in table.columns][-1] == "strength"
    # (1 + 2 + 3 - 2 - 2 + 0) / 6
    assert table.rows == [[left, right, "overall", 3, 2, 1, 6, pytest.approx(2 / 6)]]
    assert "a tie counts 0" in table.note


def test_who_met_whom_and_whether_choices_fit_has_a_table(sample: Corpus):
    """Two systems alone are always on one line: there is nothing to test, and the table says so."""
    left, right = sample.systems[:2]
    comparisons = tuple(
        Comparison(document, left, right, "ann", "overall", "left")
        for document in sample.document_ids
    )
    corpus = replace(sample, ratings=(), comparisons=comparisons)
    view = View(make_study(corpus, None, StudyOptions(resamples=20)), corpus, None, "rouge1")
    count = len(comparisons)
    assert all_tables(view)["fits"].rows == [
        ["overall", "comparisons", count, count, count,
         Missing("no two systems met both directly and through others"), None, None]
    ]  # fmt: skip


def test_confidence_has_a_section_with_all_its_tables(view: View):
    """The sample's annotators say how sure they are and what counts for them."""
    tables = all_tables(view)
    sections = {section.id: section for section in outline(view, tables, all_figures(view))}
    assert [
        block.table.name if isinstance(block, Folded) else block.name
        for block in sections["confidence"].blocks
    ] == ["confidence", "confidence_agreement", "confidence_details"]
    dimensions = {r.name for r in view.study.confidence if r.by == "dimension"}
    assert {row[0] for row in tables["confidence"].rows} == dimensions
    assert {row[0] for row in tables["confidence_details"].rows} == {
        "system", "document", "annotator",
    }  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(csv_table(tables["hard_documents"]))))
    assert [row["document"] for row in rows] == [r.document for r in view.study.hard_documents]
    assert "no test" in tables["hard_documents"].note


def test_what_nobody_was_asked_has_no_table(view: View):
    unasked = replace(
        view.study, confidence=(), confidence_agreement=(), hard_documents=(), document_tests=()
    )
    bare = replace(view, study=unasked)
    tables = all_tables(bare)
    assert not [name for name in tables if name.startswith(("confidence", "hard"))]
    sections = {section.id for section in outline(bare, tables, all_figures(bare))}
    assert not {"confidence", "hard_documents"} & sections


@pytest.mark.parametrize(("p", "words"), [(0.4, "may be chance"), (0.001, "more in disagreement")])
def test_the_order_of_documents_says_whether_it_may_be_chance(view: View, p: float, words: str):
    tests = [replace(test, p=p) for test in view.study.document_tests if test.statistic == "spread"]
    study = replace(view.study, document_tests=tuple(tests))
    assert words in all_tables(replace(view, study=study))["hard_documents"].note
