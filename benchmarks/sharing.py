"""50 systems of one document against 50 documents of one system: shared work is done once.

The same number of summaries of the same length, scored against documents of 5,000 words with
metrics that read the document.
"""

from __future__ import annotations

import gistmark
from gistmark.records import Document, Summary
from harness import best_of, report
from texts import overlapping, texts

COUNT = 50
METRICS = ["rouge1:against=document", "rouge2:against=document", "js", "coverage", "novel2"]


def main() -> None:
    bodies = texts(COUNT, 5_000, seed=1)
    many_systems = gistmark.Corpus(
        documents=(Document("d", (bodies[0],)),),
        summaries=tuple(
            Summary("d", f"s{number}", text)
            for number, text in enumerate(overlapping([bodies[0]] * COUNT, 60, seed=2))
        ),
    )
    many_documents = gistmark.Corpus(
        documents=tuple(Document(f"d{n}", (body,)) for n, body in enumerate(bodies)),
        summaries=tuple(
            Summary(f"d{number}", "s", text)
            for number, text in enumerate(overlapping(bodies, 60, seed=2))
        ),
    )
    run = gistmark.score
    run(many_systems, METRICS, cache=False)
    (shared, apart), (one, other) = best_of(
        5,
        lambda: run(many_systems, METRICS, cache=False),
        lambda: run(many_documents, METRICS, cache=False),
    )
    if any(
        scores.summary_count != COUNT or any(column.reasons for column in scores.columns.values())
        for scores in (one, other)
    ):
        raise SystemExit("not all summaries were scored")
    ratio = shared / apart
    report("time of 50 systems x 1 document over 1 system x 50", ratio, "< 0.6", ratio < 0.6)


if __name__ == "__main__":
    main()
