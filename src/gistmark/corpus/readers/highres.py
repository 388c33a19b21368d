"""HighRES: a folder of documents, summaries, highlights, sanity statements and planted summaries.

Hardy, Narayan, Vlachos: HighRES: Highlight-based Reference-less Evaluation of Summarization,
ACL 2019.

    documents/ID.data          CoreNLP-like JSON; `results` holds highlights, by result id
    summaries/ref_NAME/ID.data, summaries/system_NAME/ID.data     plain text
    sanity/ID.json, sanity_2/ID.json     a statement about the document, and about the reference
    sanity_summary/ID.json     planted summaries: best, average, worst

A result id is read as the annotator. The budget of highlights is 30 words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.draft import Draft
from gistmark.corpus.fields import WrongValueError, found
from gistmark.corpus.files import read_text
from gistmark.corpus.findings import Findings, Place
from gistmark.corpus.names import name_of_file
from gistmark.corpus.readers.highres_text import TokenText, parse_document
from gistmark.corpus.readers.highres_writing import write_folder
from gistmark.corpus.tables import jsonl

BUDGET = 30
_PLANTED = {"good": "best", "mediocre": "average", "bad": "worst"}
_ROLES = {"ref": True, "system": False}
_SANITY = {"sanity": "document", "sanity_2": "reference"}


class HighRes:
    """The data folder of the HighRES tool."""

    name = "highres"
    description = "HighRES' data folder: documents, summaries, highlights and sanity checks."

    def read(self, source: Path) -> Corpus:
        findings = Findings()
        draft = Draft(findings)
        for part in ("documents", "summaries"):
            if not (source / part).is_dir():
                findings.problem(f"There is no folder {part!r}.", (str(source), None))
        for path in _files(source / "documents", "*.data"):
            _read_document(draft, path)
        for path in _files(source / "summaries", "*/*.data"):
            _read_summary(draft, path)
        for folder, about in _SANITY.items():
            for path in _files(source / folder, "*.json"):
                _read_statement(draft, path, about)
        for path in _files(source / "sanity_summary", "*.json"):
            _read_planted(draft, path)
        return draft.finish(partial=bool(findings.problems))

    def write(self, corpus: Corpus, target: Path) -> tuple[str, ...]:
        return write_folder(corpus, target, budget=BUDGET)


def _files(folder: Path, pattern: str) -> list[Path]:
    return sorted(path for path in folder.glob(pattern) if path.is_file())


def _read_document(draft: Draft, path: Path) -> None:
    place = (str(path), None)
    content, good = jsonl.read_json(path, draft.findings)
    if not good:
        return
    try:
        laid_out = parse_document(content)
    except WrongValueError as error:
        draft.findings.problem(f"{error}.", place)
        return
    id = name_of_file(path.stem)
    draft.add("documents", place, id=id, text=laid_out.text)
    results = content.get("results") or {}
    if not isinstance(results, dict):
        draft.findings.problem(f"The results must be an object, but are {found(results)}.", place)
        return
    for annotator, result in results.items():
        _read_highlights(draft, place, id, annotator, result, laid_out)


def _read_highlights(
    draft: Draft, place: Place, id: str, annotator: str, result: Any, laid_out: TokenText
) -> None:
    highlights = result.get("highlights") if isinstance(result, dict) else None
    if not isinstance(highlights, dict):
        draft.findings.problem(f"The result {annotator!r} has no highlights.", place)
        return
    if not highlights:
        draft.findings.note(f"The result {annotator!r} marks nothing and was left out.", place)
    for name, highlight in highlights.items():
        where = f"Highlight {name!r} of the result {annotator!r}"
        indexes = highlight.get("indexes") if isinstance(highlight, dict) else None
        if not isinstance(indexes, list) or not all(type(index) is int for index in indexes):
            draft.findings.problem(f"{where} has no list of indexes.", place)
            continue
        for start, end in laid_out.spans(indexes):
            values = {"start": start, "end": end, "budget": BUDGET}
            draft.add("highlights", place, document=id, annotator=annotator, **values)
        if highlight.get("text", "") != laid_out.words(indexes):
            draft.findings.note(f"{where} says another text than its indexes point at.", place)


def _read_summary(draft: Draft, path: Path) -> None:
    place = (str(path), None)
    role, _, name = path.parent.name.partition("_")
    if role not in _ROLES or not name:
        draft.findings.problem("A folder of summaries is called ref_NAME or system_NAME.", place)
        return
    text = "" if path.stat().st_size == 0 else read_text(path, draft.findings)
    if text is not None:
        id, system = name_of_file(path.stem), name_of_file(name)
        draft.summary(place, id, system, text, reference=_ROLES[role])


def _read_statement(draft: Draft, path: Path, about: str) -> None:
    for place, id, content in _read_object(draft, path):
        values = {"statement": content.get("statement"), "answer": content.get("answer")}
        draft.add("questions", place, document=id, about=about, **values)


def _read_planted(draft: Draft, path: Path) -> None:
    for place, id, content in _read_object(draft, path):
        values = {ours: content.get(theirs) for ours, theirs in _PLANTED.items()}
        draft.add("planted", place, document=id, **values)


def _read_object(draft: Draft, path: Path) -> Iterator[tuple[Place, str, Mapping[str, Any]]]:
    """The one object of a JSON file and the document id that the file is named after."""
    place = (str(path), None)
    content, good = jsonl.read_json(path, draft.findings)
    if good and isinstance(content, dict):
        yield place, name_of_file(path.stem), content
    elif good:
        draft.findings.problem(f"The file must hold an object, but holds {found(content)}.", place)


FORMAT = HighRes()
