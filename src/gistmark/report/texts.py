"""Pages beside the report for the texts that it cannot carry: a document and its summaries each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

from gistmark.records import Summary
from gistmark.report.page import static_page
from gistmark.report.passages import highlighted_passages
from gistmark.report.scatter import files_beside, judged_summaries, scatter_systems
from gistmark.report.views import View

_HOTTEST = 5


def text_pages(view: View) -> Iterator[tuple[str, str]]:
    """The path and the content of each page; none where the report carries all texts."""
    summaries = judged_summaries(view)
    systems = {name: index for index, name in enumerate(scatter_systems(view, summaries))}
    files = files_beside(view, summaries)
    groups: dict[str, list[Summary]] = {id: [] for id in files}
    for summary in summaries:
        if summary.document in groups:
            groups[summary.document].append(summary)
    for id, path in files.items():
        yield path, _page(view, id, sorted(groups[id], key=lambda s: systems[s.system]), systems)


def _page(view: View, id: str, summaries: Sequence[Summary], systems: dict[str, int]) -> str:
    document = view.document(id)
    references = view.corpus.references.get(id, ())
    texts = [(f"system-{systems[s.system]}", s.system, s.text) for s in summaries]
    golds = [(f"reference-{index}", r.system, r.text) for index, r in enumerate(references)]
    sections = [
        _section("summaries", "Summaries", _articles(texts)),
        *([_section("references", "References", _articles(golds))] if golds else []),
        _section("document", "Document", _document(view, id, document.text if document else "")),
    ]
    above = '<p class="above"><a href="../report.html#scatter">The report</a></p>'
    counts = {"summaries": len(summaries), "references": len(golds)}
    title = (document.title if document else None) or id
    return static_page(title, {k: n for k, n in counts.items() if n}, sections, above=above)


def _section(id: str, title: str, body: str) -> str:
    return (
        f'<section id="{id}" aria-labelledby="{id}-title">'
        f'<h2 id="{id}-title">{title}</h2>\n{body}</section>'
    )


def _articles(texts: Sequence[tuple[str, str, str]]) -> str:
    return "\n".join(
        f'<article class="system" id="{id}"><h3>{escape(name)}</h3>'
        f'<div class="prose">{escape(text or "(empty)")}</div></article>'
        for id, name, text in texts
    )


def _document(view: View, id: str, text: str) -> str:
    """The text, the darker the more annotators highlighted a passage."""
    if not text:
        return "<p>The corpus has no text of it.</p>"
    highlights = view.corpus.highlights_of(id)
    annotators = len({mark.annotator for mark in highlights})
    parts = [
        f'<mark class="heat-{math.ceil(count / annotators * _HOTTEST)}" '
        f'title="highlighted by {count} of {annotators}">{escape(passage)}</mark>'
        if count
        else escape(passage)
        for passage, count in highlighted_passages(text, highlights)
    ]
    return f'<div class="prose">{"".join(parts)}</div>'
