"""Write HighRES' data folder; `gistmark.corpus.readers.highres` describes it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.files import write_text
from gistmark.corpus.losses import (
    left_out,
    lost,
    lost_anonymity,
    lost_document_details,
    lost_titles,
)
from gistmark.corpus.names import file_name
from gistmark.corpus.readers.highres_text import TokenText, dump_document
from gistmark.corpus.tables import jsonl
from gistmark.records import Document, Highlight


def write_folder(corpus: Corpus, target: Path, *, budget: int) -> tuple[str, ...]:
    """Write a corpus as HighRES' folder; say what it cannot hold."""
    (target / "documents").mkdir(parents=True, exist_ok=True)
    (target / "summaries").mkdir(exist_ok=True)
    changed = widened = 0
    for document in corpus.documents:
        laid_out, others = _write_document(document, corpus.highlights_of(document.id), target)
        changed += laid_out.text != document.text
        widened += others
    for summary in corpus.summaries:
        role = "ref" if summary.reference else "system"
        folder = target / "summaries" / f"{role}_{file_name(summary.system)}"
        write_text(folder / f"{file_name(summary.document)}.data", summary.text)
    questions, planted = _write_checks(corpus, target)
    budgets = sum(highlight.budget != budget for highlight in corpus.highlights)
    unplaced = len(corpus.highlights) - sum(
        len(corpus.highlights_of(document.id)) for document in corpus.documents
    )
    return (
        *left_out(corpus, "ratings", "comparisons"),
        *lost_document_details(corpus),
        *lost_titles(corpus),
        *lost_anonymity(corpus.summaries),
        *lost(changed, "documents' white space as it is: words are joined by single spaces"),
        *lost(widened, "highlights as they are: they end where words end"),
        *lost(unplaced, "highlights of documents whose text is not known"),
        *lost(budgets, f"highlights' budgets, which are {budget} instead"),
        *lost(questions, "further questions: there is one about each document and reference"),
        *lost(planted, "planted summaries that are further ones or belong to no document"),
    )


def _write_document(
    document: Document, highlights: Sequence[Highlight], target: Path
) -> tuple[TokenText, int]:
    """Write one document; return its tokens, and how many highlights will come back changed."""
    content, laid_out = dump_document(document.id, document.text)
    original = laid_out.laid_over(document.text)
    results: dict[str, dict[str, dict[str, object]]] = {}
    changed = 0
    for highlight in highlights:
        components = original.components(highlight.start, highlight.end)
        if not components:
            changed += 1
            continue
        marked = results.setdefault(highlight.annotator, {})
        marked[str(len(marked))] = {"indexes": components, "text": laid_out.words(components)}
        changed += list(original.spans(components)) != [(highlight.start, highlight.end)]
    if results:
        content["results"] = {name: {"highlights": marks} for name, marks in results.items()}
    path = target / "documents" / f"{file_name(document.id)}.data"
    write_text(path, jsonl.dump(content) + "\n")
    return laid_out, changed


def _write_checks(corpus: Corpus, target: Path) -> tuple[int, int]:
    """Write questions and planted summaries; return how many of each there is no place for."""
    contents: dict[Path, dict[str, object]] = {}
    questions = planted = 0
    for question in corpus.questions:
        folder = "sanity" if question.about == "document" else "sanity_2"
        path = target / folder / f"{file_name(question.document)}.json"
        questions += path in contents
        contents.setdefault(path, {"statement": question.statement, "answer": question.answer})
    for triple in corpus.planted:
        path = target / "sanity_summary" / f"{file_name(triple.document or '')}.json"
        planted += path in contents or triple.document is None
        if triple.document is not None:
            texts = {"best": triple.good, "average": triple.mediocre, "worst": triple.bad}
            contents.setdefault(path, {**texts})
    for path, content in contents.items():
        write_text(path, jsonl.dump(content) + "\n")
    return questions, planted
