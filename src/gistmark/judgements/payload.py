"""The payload: what of a task reaches the annotator's browser.

It has the texts to judge and what is asked. It never has names of systems, ids of items or
documents, which entry is planted, or the answer to the question.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from gistmark.corpus.corpus import Corpus
from gistmark.judgements.configuration import to_mapping
from gistmark.judgements.heat import heat_map
from gistmark.judgements.items import Item, other_references, titles
from gistmark.judgements.protocol import Protocol
from gistmark.judgements.tasks import Entry, Task

_ASKED = (
    "kind",
    "shows",
    "dimensions",
    "scale",
    "confidence",
    "weight",
    "budget",
    "minimum_seconds",
    "instructions",
    "example",
    "one_dimension_per_screen",
)
"""The settings that an annotator may know; the checks are not among them."""


def payload(task: Task, protocol: Protocol, corpus: Corpus) -> dict[str, Any]:
    """The task as JSON for the browser.

    `items` come in the order to show. Each has a `key`, what the protocol shows (`title`,
    `document` with `heat` and `steps` for a heat map, `references`), and what is judged:
    `summary`, or `left` and `right`. `question` is a statement or null.
    """
    settings = to_mapping(protocol)
    texts = {(each.document, each.system): each.text for each in corpus.summaries}
    known = titles(corpus) if "title" in protocol.shows else {}
    return {
        **{name: settings[name] for name in _ASKED},
        "items": [
            {"key": entry.key, **_beside(entry, protocol, corpus, known), **_judged(entry, texts)}
            for entry in task.entries
        ],
        "question": None if task.question is None else task.question.statement,
    }


def _judged(entry: Entry, texts: Mapping[tuple[str, str], str]) -> dict[str, Any]:
    """The summaries themselves; a planted one looks like any other."""
    if entry.planted is not None:
        return {"summary": entry.text}
    assert entry.document is not None, "only a planted entry may have no document"
    found = [texts[entry.document, system] for system in entry.systems]
    names = ("left", "right") if len(found) == 2 else ("summary",)
    return dict(zip(names, found, strict=False))


def _beside(
    entry: Entry, protocol: Protocol, corpus: Corpus, known: Mapping[str, str]
) -> dict[str, Any]:
    """What is shown beside the summaries; nothing, where some are planted."""
    if entry.planted is not None or entry.document is None:
        return {}
    shown: dict[str, Any] = {}
    if "title" in protocol.shows:
        shown["title"] = known.get(entry.document)
    if "reference" in protocol.shows:
        item = Item(entry.document, entry.systems)
        shown["references"] = [each.text for each in other_references(corpus, item)]
    if {"document", "heat-map"} & set(protocol.shows):
        document = corpus.document(entry.document)
        shown |= {"document": document.text, "lang": document.lang}
    if "heat-map" in protocol.shows:
        found = heat_map(shown["document"], corpus.highlights_of(entry.document))
        shown["heat"] = [asdict(word) for word in found.words]
        shown["steps"] = list(found.steps)
    return shown
