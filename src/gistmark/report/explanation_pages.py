"""The pages of an explanation: an index, and each document beside what was made of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from html import escape

from gistmark.records import TEXT_SEPARATOR, Document
from gistmark.report.hierarchies import html_tree, place_of
from gistmark.report.page import static_page
from gistmark.report.table import Column, Table
from gistmark.report.taken import Passage, taken_passages
from gistmark.report.writers import html_table
from gistmark.summarizers import Sentence
from gistmark.summarizers.summaries import Record, Summaries

_OPEN_TEXTS = 5
"""A document of more texts shows them folded."""

_HOTTEST = 5


def index_page(found: Summaries, documents: Sequence[Document], names: Mapping[str, str]) -> str:
    """The page that leads to those of the documents."""
    listed = "".join(
        f'<li><a href="{names[document.id]}">{escape(_title(document))}</a>'
        f"<small>{escape(_about(document))}</small></li>"
        for document in documents
    )
    sections = [
        _section("documents", "Documents", f'<ul class="documents">{listed}</ul>'),
        _section("systems", "Systems", html_table(_systems(found), titled=False)),
    ]
    sections += [
        _section(table.name, table.title, html_table(table, titled=False))
        for table in (_notes(found), _failures(found))
        if table.rows
    ]
    counts = {
        "documents": len(documents), "systems": len(found.systems), "summaries": len(found),
    }  # fmt: skip
    return static_page("Where these summaries come from", counts, sections)


def document_page(document: Document, records: Sequence[Record]) -> str:
    """A document, the summaries of it, and which of its sentences they took."""
    summaries = "\n".join(_summary(record) for record in records)
    sections = [
        _section("summaries", "Summaries", summaries),
        _section("document", "Document", _texts(document, records)),
    ]
    above = '<p class="above"><a href="../index.html">All documents</a></p>'
    counts = {"texts": len(document.texts), "summaries": len(records)}
    return static_page(_title(document), counts, sections, above=above, layout="beside")


def _section(name: str, title: str, body: str) -> str:
    return (
        f'<section id="{name}" aria-labelledby="{name}-title">'
        f'<h2 id="{name}-title">{escape(title)}</h2>\n{body}</section>'
    )


def _title(document: Document) -> str:
    return (document.title or "").strip() or document.id


def _about(document: Document) -> str:
    count = len(document.texts)
    return f"{document.id}: {count:,} text{'s' if count != 1 else ''}"


def _summary(record: Record) -> str:
    made = record.outcome
    text = f'<p class="prose">{escape(made.text)}</p>' if made.text.strip() else ""
    note = f'<p class="note">{escape(_sentence(made.note))}</p>' if made.note else ""
    tree = html_tree(made.tree) if made.tree is not None else ""
    return (
        f'<article class="system"><h3>{escape(record.system)} '
        f"<small>{len(made.text):,} characters</small></h3>"
        f"{text}{note}{_origin(made.sentences)}{tree}</article>"
    )


def _origin(sentences: Sequence[Sentence]) -> str:
    """The sentences in the order of the summary, and where each is from."""
    if not sentences:
        return ""
    items = "".join(
        f"<li>{escape(each.text)} {place_of(each)}"
        f"{' <small>only its beginning</small>' if each.cut else ''}</li>"
        for each in sentences
    )
    count = f"{len(sentences)} sentence{'s' if len(sentences) != 1 else ''}"
    return (
        f"<details><summary>{count} and where from</summary>"
        f'<ol class="sentences">{items}</ol></details>'
    )


def _texts(document: Document, records: Sequence[Record]) -> str:
    taken = [(record.system, each) for record in records for each in record.outcome.sentences]
    trees = [record.outcome.tree for record in records if record.outcome.tree is not None]
    places = {
        each.start for tree in trees for node in tree.breadth_first() for each in node.nuggets
    }
    unfolded = " open" if len(document.texts) <= _OPEN_TEXTS else ""
    parts: list[str] = []
    offset = 0
    for number, text in enumerate(document.texts, start=1):
        prose = f'<p class="prose">{_marked(text, offset, taken, places)}</p>'
        head = f"<summary>Text {number} <small>{len(text):,} characters</small></summary>"
        parts.append(f"<details{unfolded}>{head}{prose}</details>")
        offset += len(text) + len(TEXT_SEPARATOR)
    single = len(document.texts) == 1
    explained = (
        '<p class="note">What systems took is marked, the stronger the more of them did; '
        "behind it stands who.</p>"
    )
    return explained + (prose if single else "".join(parts))


def _marked(
    text: str, offset: int, taken: Sequence[tuple[str, Sentence]], places: Collection[int]
) -> str:
    """A text with what was taken from it; a place that links lead to is named by its offset."""
    return "".join(_passage(each) for each in taken_passages(text, offset, taken, places))


def _passage(passage: Passage) -> str:
    body = escape(passage.text)
    target = f' id="c{passage.start}"' if passage.starts else ""
    if passage.systems:
        heat = min(len(passage.systems), _HOTTEST)
        body = f'<mark class="heat-{heat}"{target}>{body}</mark>'
    elif target:
        body = f"<span{target}>{body}</span>"
    ends = f'<small class="takers">{escape(", ".join(passage.ends))}</small>'
    return body + ends if passage.ends else body


def _systems(found: Summaries) -> Table:
    columns = [
        Column("system", "System"),
        Column("summaries", "Summaries", "count"),
        Column("signature", "Signature", "code"),
    ]
    rows = [
        (system, sum(record.system == system for record in found), signature)
        for system, signature in found.signatures.items()
    ]
    return Table("systems", "Systems", columns, rows, whole=True)


def _notes(found: Summaries) -> Table:
    columns = [Column("system", "System"), Column("note", "Note"), Column("n", "Times", "count")]
    rows = [
        (system, _sentence(note), count)
        for system, notes in found.notes.items()
        for note, count in notes.items()
    ]
    return Table("notes", "Notes", columns, rows, whole=True)


def _failures(found: Summaries) -> Table:
    columns = [
        Column("system", "System"), Column("document", "Document"), Column("reason", "Reason"),
    ]  # fmt: skip
    rows = [(each.system, each.document, each.reason) for each in found.failures]
    return Table("failures", "What could not be written", columns, rows, whole=True)


def _sentence(note: str) -> str:
    """A note as a sentence."""
    return f"{note[:1].upper()}{note[1:]}."
