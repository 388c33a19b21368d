"""HighRES: a folder of documents, summaries, highlights, sanity statements and planted summaries.

Hardy, Narayan, Vlachos: HighRES: Highlight-based Reference-less Evaluation of Summarization,
ACL 2019.

    documents/ID.data          CoreNLP-like JSON; `results` holds highlights, by result id
    summaries/ref_NAME/ID.data, summaries/system_NAME/ID.data     plain text
    sanity/ID.json, sanity_2/ID.json     a statement about the document, and about the reference
    sanity_summary/ID.json     planted summaries: best, average, worst

A result id is read as the annotator. The budget of highlights is 30 words. How documents are laid
out in tokens is in `highres_text`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.fields import WrongValueError, describe
from gistmark.corpus.files import jsonl
from gistmark.corpus.files.text import file_name, name_of_file, read_text
from gistmark.corpus.formats.bundles import (
    left_out,
    lost,
    lost_anonymity,
    lost_document_details,
    lost_titles,
)
from gistmark.corpus.formats.datasets.highres_text import TokenText, dump_document, parse_document
from gistmark.corpus.formats.draft import Draft
from gistmark.errors import Diagnostics, Location
from gistmark.records import Document, Highlight
from gistmark.runtime.files import write_text

BUDGET = 30
_PLANTED = {"good": "best", "mediocre": "average", "bad": "worst"}
_ROLES = {"ref": True, "system": False}
_SANITY = {"sanity": "document", "sanity_2": "reference"}


class HighRes:
    """The data folder of the HighRES tool."""

    name = "highres"
    description = "HighRES' data folder: documents, summaries, highlights and sanity checks."

    def read(self, source: Path) -> Corpus:
        diagnostics = Diagnostics()
        draft = Draft(diagnostics)
        for part in ("documents", "summaries"):
            if not (source / part).is_dir():
                diagnostics.problem(f"There is no folder {part!r}.", (str(source), None))
        for path in _files(source / "documents", "*.data"):
            _read_document(draft, path)
        for path in _files(source / "summaries", "*/*.data"):
            _read_summary(draft, path)
        for folder, about in _SANITY.items():
            for path in _files(source / folder, "*.json"):
                _read_statement(draft, path, about)
        for path in _files(source / "sanity_summary", "*.json"):
            _read_planted(draft, path)
        return draft.finish(partial=bool(diagnostics.problems))

    def write(self, corpus: Corpus, target: Path) -> tuple[str, ...]:
        return write_folder(corpus, target, budget=BUDGET)


def _files(folder: Path, pattern: str) -> list[Path]:
    return sorted(path for path in folder.glob(pattern) if path.is_file())


def _read_document(draft: Draft, path: Path) -> None:
    location = (str(path), None)
    content, good = jsonl.read_json(path, draft.diagnostics)
    if not good:
        return
    try:
        laid_out = parse_document(content)
    except WrongValueError as error:
        draft.diagnostics.problem(f"{error}.", location)
        return
    id = name_of_file(path.stem)
    draft.add("documents", location, id=id, text=laid_out.text)
    results = content.get("results") or {}
    if not isinstance(results, dict):
        draft.diagnostics.problem(
            f"The results must be an object, but are {describe(results)}.", location
        )
        return
    for annotator, result in results.items():
        _read_highlights(draft, location, id, annotator, result, laid_out)


def _read_highlights(
    draft: Draft, location: Location, id: str, annotator: str, result: Any, laid_out: TokenText
) -> None:
    highlights = result.get("highlights") if isinstance(result, dict) else None
    if not isinstance(highlights, dict):
        draft.diagnostics.problem(f"The result {annotator!r} has no highlights.", location)
        return
    if not highlights:
        draft.diagnostics.note(
            f"The result {annotator!r} marks nothing and was left out.", location
        )
    for name, highlight in highlights.items():
        where = f"Highlight {name!r} of the result {annotator!r}"
        indexes = highlight.get("indexes") if isinstance(highlight, dict) else None
        if not isinstance(indexes, list) or not all(type(index) is int for index in indexes):
            draft.diagnostics.problem(f"{where} has no list of indexes.", location)
            continue
        for start, end in laid_out.spans(indexes):
            values = {"start": start, "end": end, "budget": BUDGET}
            draft.add("highlights", location, document=id, annotator=annotator, **values)
        if highlight.get("text", "") != laid_out.words(indexes):
            draft.diagnostics.note(
                f"{where} has a text that differs from the one its indexes point to.", location
            )


def _read_summary(draft: Draft, path: Path) -> None:
    location = (str(path), None)
    role, _, name = path.parent.name.partition("_")
    if role not in _ROLES or not name:
        draft.diagnostics.problem(
            "A folder of summaries is called ref_NAME or system_NAME.", location
        )
        return
    text = "" if path.stat().st_size == 0 else read_text(path, draft.diagnostics)
    if text is not None:
        id, system = name_of_file(path.stem), name_of_file(name)
        draft.summary(location, id, system, text, reference=_ROLES[role])


def _read_statement(draft: Draft, path: Path, about: str) -> None:
    for location, id, content in _read_object(draft, path):
        values = {"statement": content.get("statement"), "answer": content.get("answer")}
        draft.add("questions", location, document=id, about=about, **values)


def _read_planted(draft: Draft, path: Path) -> None:
    for location, id, content in _read_object(draft, path):
        values = {ours: content.get(theirs) for ours, theirs in _PLANTED.items()}
        draft.add("planted", location, document=id, **values)


def _read_object(draft: Draft, path: Path) -> Iterator[tuple[Location, str, Mapping[str, Any]]]:
    """The one object of a JSON file and the document id that the file is named after."""
    location = (str(path), None)
    content, good = jsonl.read_json(path, draft.diagnostics)
    if good and isinstance(content, dict):
        yield location, name_of_file(path.stem), content
    elif good:
        draft.diagnostics.problem(
            f"The file must hold an object, but holds {describe(content)}.", location
        )


def write_folder(corpus: Corpus, target: Path, *, budget: int) -> tuple[str, ...]:
    """Write a corpus as HighRES' folder; say what it cannot hold."""
    (target / "documents").mkdir(parents=True, exist_ok=True)
    (target / "summaries").mkdir(exist_ok=True)
    changed = widened = 0
    for document in corpus.documents:
        laid_out, widened_here = _write_document(
            document, corpus.highlights_of(document.id), target
        )
        changed += laid_out.text != document.text
        widened += widened_here
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
        *lost(
            sum(highlight.campaign is not None for highlight in corpus.highlights),
            "highlights' campaigns",
        ),
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
    """Write questions and planted summaries; return how many of each did not fit."""
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


FORMAT = HighRes()
