"""HROUGE-1 and 2: Gistmark against a plain implementation with Counters.

1,000 documents of about 400 words, five systems, five annotators. Both sides start from texts
and highlights; every value is compared.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

import gistmark
from gistmark.records import Document, Highlight, Summary
from harness import best_of, report
from texts import overlapping, texts

DOCUMENTS, SYSTEMS, ANNOTATORS, BUDGET = 1_000, 5, 5, 30


def main() -> None:
    corpus = make_corpus()
    metrics = ["hrouge1", "hrouge2"]
    gistmark.score(corpus, metrics, cache=False)
    (theirs, ours), (expected, found) = best_of(
        3, lambda: plain(corpus), lambda: gistmark.score(corpus, metrics, cache=False)
    )
    values = np.hstack([column.values[:, :2] for column in found.columns.values()])
    order = {key: row for row, key in enumerate(zip(found.documents, found.systems, strict=True))}
    for key, numbers in expected.items():
        if not np.allclose(values[order[key]], numbers, rtol=0, atol=1e-12):
            raise SystemExit(f"{key} differs: {values[order[key]]} and {numbers}")
    ratio = theirs / ours
    report("HROUGE-1/2, speed over plain Counters", ratio, ">= 20", ratio >= 20)


def make_corpus() -> gistmark.Corpus:
    rng = np.random.default_rng(0)
    bodies = texts(DOCUMENTS, 400, seed=1)
    documents = [Document(str(number), (body,)) for number, body in enumerate(bodies)]
    summaries = [
        Summary(str(number), f"s{system}", text)
        for system in range(SYSTEMS)
        for number, text in enumerate(overlapping(bodies, 50, seed=10 + system))
    ]
    highlights = [
        mark
        for document in documents
        for annotator in range(ANNOTATORS)
        for mark in marks(document, f"a{annotator}", rng)
    ]
    return gistmark.Corpus(
        documents=tuple(documents), summaries=tuple(summaries), highlights=tuple(highlights)
    )


def marks(document: Document, annotator: str, rng: np.random.Generator) -> list[Highlight]:
    """Three runs of seven words."""
    starts, at = [], 0
    for word in document.text.split():
        starts.append((at, at + len(word)))
        at += len(word) + 1
    chosen = rng.choice(len(starts) // 10 - 1, 3, replace=False) * 10
    return [
        Highlight(document.id, annotator, starts[k][0], starts[k + 6][1], BUDGET) for k in chosen
    ]


def plain(corpus: gistmark.Corpus) -> dict[tuple[str, str], list[float]]:
    """HROUGE as one would write it down: weights once per document, Counters per summary."""
    words = {document.id: document.text.lower().split() for document in corpus.documents}
    weights = {
        document.id: plain_weights(document.text, corpus.highlights_of(document.id))
        for document in corpus.documents
    }
    return {
        (summary.document, summary.system): [
            value
            for n in (1, 2)
            for value in plain_hrouge(
                words[summary.document], weights[summary.document], summary, n
            )
        ]
        for summary in corpus.summaries
    }


def plain_hrouge(
    words: list[str], weights: list[float], summary: Summary, n: int
) -> tuple[float, float]:
    grams = [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]
    sums: Counter[tuple[str, ...]] = Counter()
    for i, gram in enumerate(grams):
        sums[gram] += sum(weights[i : i + n]) / n
    in_document = Counter(grams)
    tokens = summary.text.lower().split()
    in_summary = Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))
    hits = sum(
        sums[gram] / in_document[gram] * min(count, in_document[gram])
        for gram, count in in_summary.items()
        if gram in in_document
    )
    return hits / sum(in_summary.values()), hits / sum(sums.values())


def plain_weights(text: str, highlights: tuple[Highlight, ...]) -> list[float]:
    spans, at = [], 0
    for word in text.split():
        start = text.index(word, at)
        at = start + len(word)
        spans.append((start, at))
    people = sorted({mark.annotator for mark in highlights})
    weights = [0.0] * len(spans)
    for person in people:
        own = [mark for mark in highlights if mark.annotator == person]
        marked = [any(s < m.end and e > m.start for m in own) for s, e in spans]
        for place, there in enumerate(marked):
            weights[place] += there * sum(marked) / BUDGET
    return [weight / len(people) for weight in weights]


if __name__ == "__main__":
    main()
