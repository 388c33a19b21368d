"""The report folder: the same numbers everywhere, the same bytes every time."""

from __future__ import annotations

import csv
import json
import re
import xml.etree.ElementTree as ElementTree
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from gistmark.analysis import StudyOptions
from gistmark.analysis import study as make_study
from gistmark.analysis.findings.words import show_number
from gistmark.analysis.studies.pipeline import people_study
from gistmark.analysis.studies.records import Note
from gistmark.analysis.studies.results import Study
from gistmark.corpus import Corpus
from gistmark.records import Document, Rating, Summary
from gistmark.report import write_report
from gistmark.report.writers.html import minus
from gistmark.scoring import Scores, score

PAIR = {
    "metric": "rouge2", "part": "f", "human": "Overall Quality", "level": "global",
    "coefficient": "spearman", "given": "", "subset": "",
}  # fmt: skip


class Cells(HTMLParser):
    """The cells of each table of a page, by the id of its container."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: dict[str, list[list[str]]] = {}
        self._rows: list[list[str]] = []
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        id = dict(attrs).get("id") or ""
        if id.startswith("table-"):
            self._rows = self.tables.setdefault(id.removeprefix("table-"), [])
        elif tag == "tr":
            self._rows.append([])
        elif tag in ("td", "th"):
            self._rows[-1].append("")
            self._open = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._open = False

    def handle_data(self, data: str) -> None:
        if self._open:
            self._rows[-1][-1] += data


@pytest.fixture(scope="module")
def cells(report: Path) -> dict[str, list[list[str]]]:
    parser = Cells()
    parser.feed((report / "report.html").read_text(encoding="utf-8"))
    return parser.tables


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_the_folder_has_everything(report: Path):
    names = {path.name for path in report.iterdir()}
    assert names == {"report.html", "report.md", "study.json", "tables", "figures"}
    tables = {path.name for path in (report / "tables").iterdir()}
    for name in ("agreement", "correlation", "differences", "ranking", "human_scores",
                 "annotators", "leaderboard", "systems_by_metric", "signatures"):  # fmt: skip
        assert {f"{name}.csv", f"{name}.tex"} <= tables


def test_a_correlation_is_the_same_number_in_every_format(
    report: Path, cells: dict[str, list[list[str]]]
):
    records = json.loads((report / "study.json").read_text(encoding="utf-8"))["correlation"]
    record = next(r for r in records if PAIR.items() <= r.items())
    plain = {key: value for key, value in PAIR.items() if value}
    row = next(r for r in rows_of(report / "tables/correlation.csv") if plain.items() <= r.items())
    assert float(row["value"]) == record["value"]
    assert float(row["value_low"]) == record["low"]
    assert (row["p"], record["p"]) == ("", None)  # of 4 systems
    assert row["over"] == record["over"] == "documents of these systems"
    shown = show_number(record["value"])
    bounds = f"[{show_number(record['low'])}, {show_number(record['high'])}]"
    page = next(r for r in cells["correlation_global_spearman"] if r[0] == "rouge2.f")
    assert page[1] == f"{shown} {bounds}"
    markdown = (report / "report.md").read_text(encoding="utf-8")
    assert f"| rouge2.f | {shown} {bounds} |" in markdown
    latex = (report / "tables/correlation_global_spearman.tex").read_text(encoding="utf-8")
    assert re.search(rf"^rouge2.f & {shown} .*\n & {{\[}}{re.escape(bounds[1:])} ", latex, re.M)


def test_every_cell_of_the_page_is_the_csv_rounded(report: Path, cells: dict[str, list[list[str]]]):
    checked = 0
    for name, rows in cells.items():
        titles, body = rows[0], rows[1:]
        path = report / f"tables/{name}.csv"
        full = {row[0]: row for row in csv.reader(path.open(encoding="utf-8"))} if (
            path.exists() and len({row[0] for row in body}) == len(body)
        ) else {}  # fmt: skip
        for shown in body:
            values = [float(v) for v in full.get(shown[0], ()) if re.fullmatch(r"-?[\d.e-]+", v)]
            for text in shown[1:] if values else ():
                if re.fullmatch(r"[−-]?[\d,]+\.\d{2,3}( \[.*\])?", text):
                    number = float(text.split(" ")[0].replace("−", "-").replace(",", ""))
                    close = min(abs(number - value) for value in values)
                    assert close < 0.0051, (name, titles, text)
                    checked += 1
    assert checked > 300


def test_every_ranking_is_the_same_in_json_page_and_markdown(
    report: Path, cells: dict[str, list[list[str]]]
):
    markdown = (report / "report.md").read_text(encoding="utf-8")
    for record in json.loads((report / "study.json").read_text(encoding="utf-8"))["ranking"]:
        shown = show_number(record["value"]).replace("-", "−")
        table = cells["ranking_by_metrics" if record["by"] == "scores" else "ranking"]
        assert any(row[0] == record["system"] and row[2].startswith(shown) for row in table)
        assert f"| {record['system']} | {record['dimension']} | {show_number(record['value'])}" in (
            markdown
        )


def test_every_signature_is_printed_everywhere(report: Path, scores: Scores):
    page = (report / "report.html").read_text(encoding="utf-8")
    markdown = (report / "report.md").read_text(encoding="utf-8")
    table = {row["metric"]: row["signature"] for row in rows_of(report / "tables/signatures.csv")}
    assert table == scores.signatures
    for signature in scores.signatures.values():
        assert f"<code>{signature}</code>" in page
        assert signature.replace("|", "\\|") in markdown


def test_findings_and_methods_are_the_studys_own(report: Path, study: Study):
    page = unescape((report / "report.html").read_text(encoding="utf-8"))
    markdown = unescape((report / "report.md").read_text(encoding="utf-8"))
    assert study.findings
    for text in (*(finding.text for finding in study.findings), study.methods.split("\n\n")[0]):
        assert minus(text) in minus(page)
        assert text in markdown.replace("\\", "")


def test_the_page_asks_for_nothing_from_elsewhere(report: Path):
    page = (report / "report.html").read_text(encoding="utf-8")
    addresses = set(re.findall(r"""(?:src|href)=["']?([^"'\s>]+)""", page))
    allowed = ("#", "tables/", "figures/", "data:,")
    assert {a for a in addresses if not a.startswith(allowed)} == set()
    assert "default-src 'none'" in page


def test_two_runs_give_the_same_bytes(
    report: Path, study: Study, sample: Corpus, scores: Scores, tmp_path: Path
):
    write_report(study, sample, scores, tmp_path)
    first = {p.relative_to(report): p.read_bytes() for p in report.rglob("*") if p.is_file()}
    second = {p.relative_to(tmp_path): p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    assert first == second


def test_figures_are_svg_with_text_as_text(report: Path):
    sampled = sorted((report / "figures").glob("*.svg"))
    assert len(sampled) == 12
    for path in sampled:
        root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
        assert root.tag.endswith("svg")
        assert len(root.findall(".//{http://www.w3.org/2000/svg}text")) > 3


def test_every_figure_is_a_pdf_too_that_its_caption_links(report: Path):
    page = (report / "report.html").read_text(encoding="utf-8")
    for path in sorted((report / "figures").glob("*.svg")):
        pdf = path.with_suffix(".pdf").read_bytes()
        assert pdf.startswith(b"%PDF-")
        assert b"CreationDate" not in pdf
        assert f'<a href="figures/{path.stem}.pdf">PDF</a>' in page


def test_every_figure_of_the_page_has_a_text_in_its_place(report: Path):
    page = (report / "report.html").read_text(encoding="utf-8")
    figures = re.findall(r"<figure .*?</figure>", page, flags=re.DOTALL)
    assert len(figures) == 12
    for figure in figures:
        label = re.search(r'<svg [^>]*role="img" aria-label="([^"]{40,})"', figure)
        assert label, figure[:200]
        assert re.search(r"<figcaption><b>.+?</b> .{40,}", figure)
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_a_study_of_nothing_is_still_a_page(tmp_path: Path):
    page = write_report(Study(), Corpus(), None, tmp_path).read_text(encoding="utf-8")
    assert "Nobody rated or compared these systems" in page
    assert "There are no scores or no human scores, so nothing was correlated." in page
    assert page.count("is left out:") == 10
    assert not (tmp_path / "figures").exists()
    assert "There is no data." in (tmp_path / "report.md").read_text(encoding="utf-8")


@pytest.mark.usefixtures("blank_figures")
def test_scores_without_ratings_are_still_a_page(sample: Corpus, scores: Scores, tmp_path: Path):
    bare = Corpus(documents=sample.documents, summaries=sample.summaries)
    made = make_study(bare, scores, StudyOptions(resamples=40))
    page = write_report(made, bare, scores, tmp_path).read_text(encoding="utf-8")
    assert "Systems by metric" in page
    assert scores.signatures["rouge1"] in page


@pytest.mark.usefixtures("blank_figures")
def test_ratings_without_scores_are_still_a_page(sample: Corpus, tmp_path: Path):
    page = write_report(people_study(sample), sample, None, tmp_path).read_text(encoding="utf-8")
    assert "careful has the highest mean of Overall Quality" in page
    assert "No metric was computed" in page


EVIL = "</script><!--<script>alert(1)</script>"
HUGE = "system-" + "x" * 500


@pytest.fixture
def hostile() -> Corpus:
    systems = (EVIL, HUGE, "a\x00b", "$\\frac{1}{2}$ & co_%", "漢字 🙂")
    return Corpus(
        documents=(Document("d1", (f"Text {EVIL} text",), title=EVIL), Document("d2", ("Other",))),
        summaries=tuple(
            Summary(d, s, f"{EVIL} {position}") for d in ("d1", "d2")
            for position, s in enumerate(systems)
        ),
        ratings=tuple(
            Rating(d, s, annotator, EVIL, float(position + shift))
            for d in ("d1", "d2") for position, s in enumerate(systems)
            for shift, annotator in enumerate((EVIL, HUGE))
        ),
    )  # fmt: skip


def test_hostile_names_and_texts_do_no_harm(hostile: Corpus, tmp_path: Path):
    scores = score(hostile, ["words", "chars"], cache=False)
    made = make_study(hostile, scores, StudyOptions(resamples=40))
    study = Study(**{**vars(made), "notes": (Note(EVIL, EVIL),), "methods": EVIL})
    page = write_report(study, hostile, scores, tmp_path, title=EVIL).read_text(encoding="utf-8")
    assert EVIL not in page
    assert page.count("<script") == page.count("</script>") == 2
    assert "<!--" not in page
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert data is not None
    assert EVIL in json.loads(data[1])["systems"]
    for path in (tmp_path / "figures").glob("*.svg"):
        ElementTree.fromstring(path.read_text(encoding="utf-8"))
    for path in (tmp_path / "tables").glob("*.tex"):
        bare = re.sub(r"\\[{}]", "", path.read_text(encoding="utf-8"))
        assert bare.count("{") == bare.count("}")
