"""`write_explanation`: where each summary of a run comes from, for programs and for people.

A page for each document shows the document beside what was made of it, and an index leads to
them. A tree of nuggets is nested details, which open and close without a script.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path

from gistmark.analysis.findings.words import counted, show_number
from gistmark.corpus import Corpus
from gistmark.errors import UsageError
from gistmark.records import TEXT_SEPARATOR, Document
from gistmark.report.figures.palette import HOTTEST
from gistmark.report.page import page_section, static_page, write_file
from gistmark.report.passages import TakenPassage, taken_passages
from gistmark.report.table import Column, Table
from gistmark.report.writers import html_table
from gistmark.report.writers.html import minus
from gistmark.summarizers import Node, Sentence
from gistmark.summarizers.summaries import Record, Summaries

RECORDS = "explanations.json"

PAGES = "documents"


def write_explanation(result: Summaries, corpus: Corpus, folder: Path) -> Path:
    """Write `explanations.json`, a page for each document, and `index.html`, whose path it gives.

    The same summaries give the same bytes. Pages of an earlier run are replaced.
    """
    refuse_other_pages(folder)
    records = _by_document(result)
    explained = [document for document in corpus.documents if document.id in records]
    width = len(str(len(explained)))
    names = {
        document.id: f"{PAGES}/{number:0{width}}.html"
        for number, document in enumerate(explained, start=1)
    }
    write_file(folder / RECORDS, json.dumps(_content(result), indent=1, ensure_ascii=False) + "\n")
    for stale in (folder / PAGES).glob("*.html"):
        stale.unlink()
    for document in explained:
        write_file(folder / names[document.id], document_page(document, records[document.id]))
    return write_file(folder / "index.html", index_page(result, explained, names))


def refuse_other_pages(folder: Path) -> None:
    """Raise a `UsageError` if the pages would overwrite something else."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file, not a folder.")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / RECORDS).is_file():
        raise UsageError(f"{folder} is not empty and holds no explanations; choose another folder.")


def _by_document(result: Summaries) -> dict[str, list[Record]]:
    records: dict[str, list[Record]] = {}
    for record in result:
        records.setdefault(record.document, []).append(record)
    return records


def _content(result: Summaries) -> dict[str, object]:
    return {
        "signatures": dict(result.signatures),
        "explanations": [_explanation(record) for record in result],
        "failures": [
            {"document": failure.document, "system": failure.system, "reason": failure.reason}
            for failure in result.failures
        ],
    }


def _explanation(record: Record) -> dict[str, object]:
    outcome = record.outcome
    return {
        "document": record.document,
        "system": record.system,
        "text": outcome.text,
        "note": outcome.note,
        "sentences": _sentences(outcome.sentences),
        "tree": None if outcome.tree is None else _node(outcome.tree),
    }


def _sentences(result: Iterable[Sentence]) -> list[dict[str, object]]:
    return [
        {
            "text": sentence.text, "start": sentence.start, "end": sentence.end,
            "source": sentence.source, "place": sentence.position, "cut": sentence.cut,
        }
        for sentence in result
    ]  # fmt: skip


def _node(node: Node) -> dict[str, object]:
    return {
        "label": node.label,
        "relevance": node.relevance,
        "nuggets": _sentences(node.nuggets),
        "children": [_node(child) for child in node.children],
    }


_OPEN_TEXTS = 5
"""A document of more texts shows them folded."""


def index_page(result: Summaries, documents: Sequence[Document], names: Mapping[str, str]) -> str:
    """The page that leads to those of the documents."""
    items = "".join(
        f'<li><a href="{names[document.id]}" dir="auto">{escape(_title(document))}</a>'
        f"<small>{escape(_about(document))}</small></li>"
        for document in documents
    )
    sections = [
        page_section("documents", "Documents", f'<ul class="documents">{items}</ul>'),
        page_section("systems", "Systems", html_table(_systems(result), titled=False)),
    ]
    sections += [
        page_section(table.name, table.title, html_table(table, titled=False))
        for table in (_notes(result), _failures(result))
        if table.rows
    ]
    counts = {
        "documents": len(documents), "systems": len(result.systems), "summaries": len(result),
    }  # fmt: skip
    return static_page("Where these summaries come from", counts, sections)


def document_page(document: Document, records: Sequence[Record]) -> str:
    """A document, the summaries of it, and which of its sentences they took."""
    summaries = "\n".join(_summary(record) for record in records)
    sections = [
        page_section("summaries", "Summaries", summaries),
        page_section("document", "Document", _texts(document, records)),
    ]
    above = '<p class="above"><a href="../index.html">All documents</a></p>'
    counts = {"texts": len(document.texts), "summaries": len(records)}
    return static_page(_title(document), counts, sections, above=above, layout="beside")


def _title(document: Document) -> str:
    return (document.title or "").strip() or document.id


def _about(document: Document) -> str:
    return f"{document.id}: {counted(len(document.texts), 'text')}"


def _summary(record: Record) -> str:
    outcome = record.outcome
    text = f'<p class="prose" dir="auto">{escape(outcome.text)}</p>' if outcome.text.strip() else ""
    note = f'<p class="note">{escape(_sentence(outcome.note))}</p>' if outcome.note else ""
    tree = html_tree(outcome.tree) if outcome.tree is not None else ""
    return (
        f'<article class="system"><h3>{_isolate_direction(record.system)} '
        f"<small>{len(outcome.text):,} characters</small></h3>"
        f"{text}{note}{_origin(outcome.sentences)}{tree}</article>"
    )


def _isolate_direction(text: str) -> str:
    """A text of the corpus within a line of the page, isolated in its writing direction."""
    return f'<bdi dir="auto">{escape(text)}</bdi>'


def _origin(sentences: Sequence[Sentence]) -> str:
    """A folded list of the summary's sentences, each with its position in the document."""
    if not sentences:
        return ""
    items = "".join(
        f"<li>{_isolate_direction(sentence.text)} {location_link(sentence)}"
        f"{' <small>only its beginning</small>' if sentence.cut else ''}</li>"
        for sentence in sentences
    )
    count = f"{len(sentences)} sentence{'s' if len(sentences) != 1 else ''}"
    return (
        f"<details><summary>{count} and where they come from</summary>"
        f'<ol class="sentences">{items}</ol></details>'
    )


def _texts(document: Document, records: Sequence[Record]) -> str:
    system_sentences = [
        (record.system, sentence) for record in records for sentence in record.outcome.sentences
    ]
    trees = [record.outcome.tree for record in records if record.outcome.tree is not None]
    starts = {
        nugget.start for tree in trees for node in tree.breadth_first() for nugget in node.nuggets
    }
    unfolded = " open" if len(document.texts) <= _OPEN_TEXTS else ""
    parts: list[str] = []
    offset = 0
    for number, text in enumerate(document.texts, start=1):
        passages = taken_passages(text, offset, system_sentences, starts)
        prose = f'<p class="prose" dir="auto">{"".join(map(_passage, passages))}</p>'
        head = f"<summary>Text {number} <small>{len(text):,} characters</small></summary>"
        parts.append(f"<details{unfolded}>{head}{prose}</details>")
        offset += len(text) + len(TEXT_SEPARATOR)
    single = len(document.texts) == 1
    explained = (
        '<p class="note">Passages that systems took are marked, the stronger the more systems '
        "took them; the systems’ names follow.</p>"
    )
    return explained + (prose if single else "".join(parts))


def _passage(passage: TakenPassage) -> str:
    """A passage, marked if systems extracted it; the target of links is named by its offset."""
    body = escape(passage.text)
    target = f' id="c{passage.start}"' if passage.starts else ""
    if passage.systems:
        heat = min(len(passage.systems), HOTTEST)
        body = f'<mark class="heat-{heat}"{target}>{body}</mark>'
    elif target:
        body = f"<span{target}>{body}</span>"
    ends = f'<small class="takers" dir="auto">{escape(", ".join(passage.ends))}</small>'
    return body + ends if passage.ends else body


def _systems(result: Summaries) -> Table:
    columns = [
        Column("system", "System"),
        Column("summaries", "Summaries", "count"),
        Column("signature", "Signature", "code"),
    ]
    rows = [
        (system, sum(record.system == system for record in result), signature)
        for system, signature in result.signatures.items()
    ]
    return Table("systems", "Systems", columns, rows, whole=True)


def _notes(result: Summaries) -> Table:
    columns = [Column("system", "System"), Column("note", "Note"), Column("n", "Times", "count")]
    rows = [
        (system, _sentence(note), count)
        for system, notes in result.notes.items()
        for note, count in notes.items()
    ]
    return Table("notes", "Notes", columns, rows, whole=True)


def _failures(result: Summaries) -> Table:
    columns = [
        Column("system", "System"), Column("document", "Document"), Column("reason", "Reason"),
    ]  # fmt: skip
    rows = [(failure.system, failure.document, failure.reason) for failure in result.failures]
    return Table("failures", "What could not be written", columns, rows, whole=True)


def _sentence(note: str) -> str:
    """A note as a sentence."""
    return f"{note[:1].upper()}{note[1:]}."


_DEEPEST = 30
"""Deeper nodes are only counted: browsers limit nesting, and nobody opens so many levels."""


def html_tree(root: Node) -> str:
    """The whole tree, closed."""
    contents = _node_contents(root, depth=0)
    return f"<details><summary>Tree of {_count(root)}</summary>{contents}</details>"


def location_link(sentence: Sentence) -> str:
    """A link to a sentence that says its position; offsets are in the whole document."""
    words = (
        f"text {sentence.source + 1}, sentence {sentence.position + 1}, "
        f"characters {sentence.start:,} to {sentence.end:,}"
    )
    return f'<a class="location" href="#c{sentence.start}">{words}</a>'


def _html_node(node: Node, depth: int) -> str:
    if not node.children and len(node.nuggets) == 1 and not node.label:
        nugget = node.nuggets[0]
        return (
            f'<p class="leaf">{_isolate_direction(nugget.text)} '
            f"<small>{_relevance(node)}</small> {location_link(nugget)}</p>"
        )
    head = node.label or (node.nuggets[0].text if node.nuggets else "without a name")
    return (
        f'<details class="node"><summary>{_isolate_direction(head)} '
        f"<small>{_relevance(node)}, {_count(node)}</small></summary>"
        f"{_node_contents(node, depth)}</details>"
    )


def _node_contents(node: Node, depth: int) -> str:
    items = "".join(
        f"<li>{_isolate_direction(nugget.text)} {location_link(nugget)}</li>"
        for nugget in node.nuggets
    )
    nugget_list = f'<ul class="nuggets">{items}</ul>' if items else ""
    if depth >= _DEEPEST and node.children:
        deeper = sum(child.size for child in node.children)
        return (
            f'{nugget_list}<p class="note">{deeper:,} more below; explanations.json has them.</p>'
        )
    return nugget_list + "".join(_html_node(child, depth + 1) for child in node.children)


def _relevance(node: Node) -> str:
    return f"relevance {minus(show_number(node.relevance))}"


def _count(node: Node) -> str:
    return counted(node.size, "nugget")
