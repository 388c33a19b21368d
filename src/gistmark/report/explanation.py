"""`write_explanation`: where each summary of a run comes from, for programs and for people."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from gistmark.corpus import Corpus
from gistmark.errors import UsageError
from gistmark.report.explanation_pages import document_page, index_page
from gistmark.summarizers import Node, Sentence
from gistmark.summarizers.summaries import Record, Summaries

RECORDS = "explanations.json"
PAGES = "documents"


def write_explanation(found: Summaries, corpus: Corpus, folder: Path) -> Path:
    """Write `explanations.json`, a page for each document, and `index.html`, whose path it gives.

    The same summaries give the same bytes. Pages of an earlier run are replaced.
    """
    refuse_other_pages(folder)
    records = _by_document(found)
    explained = [document for document in corpus.documents if document.id in records]
    width = len(str(len(explained)))
    names = {
        document.id: f"{PAGES}/{number:0{width}}.html"
        for number, document in enumerate(explained, start=1)
    }
    _write(folder / RECORDS, json.dumps(_content(found), indent=1, ensure_ascii=False) + "\n")
    for stale in (folder / PAGES).glob("*.html"):
        stale.unlink()
    for document in explained:
        _write(folder / names[document.id], document_page(document, records[document.id]))
    return _write(folder / "index.html", index_page(found, explained, names))


def refuse_other_pages(folder: Path) -> None:
    """Raise a `UsageError` where the pages would bury something else."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file, not a folder.")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / RECORDS).is_file():
        raise UsageError(f"{folder} is not empty and holds no explanations; choose another folder.")


def _by_document(found: Summaries) -> dict[str, list[Record]]:
    records: dict[str, list[Record]] = {}
    for record in found:
        records.setdefault(record.document, []).append(record)
    return records


def _content(found: Summaries) -> dict[str, object]:
    return {
        "signatures": dict(found.signatures),
        "explanations": [_explanation(record) for record in found],
        "failures": [
            {"document": each.document, "system": each.system, "reason": each.reason}
            for each in found.failures
        ],
    }


def _explanation(record: Record) -> dict[str, object]:
    made = record.outcome
    return {
        "document": record.document,
        "system": record.system,
        "text": made.text,
        "note": made.note,
        "sentences": _sentences(made.sentences),
        "tree": None if made.tree is None else _node(made.tree),
    }


def _sentences(found: Iterable[Sentence]) -> list[dict[str, object]]:
    return [
        {
            "text": each.text, "start": each.start, "end": each.end,
            "source": each.source, "place": each.place, "cut": each.cut,
        }
        for each in found
    ]  # fmt: skip


def _node(node: Node) -> dict[str, object]:
    return {
        "label": node.label,
        "relevance": node.relevance,
        "nuggets": _sentences(node.nuggets),
        "children": [_node(child) for child in node.children],
    }


def _write(path: Path, text: str) -> Path:
    """Write a file; what no encoding can hold (half a surrogate pair) becomes a question mark."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8", errors="replace"))
    return path
