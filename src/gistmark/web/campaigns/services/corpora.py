"""The corpus of a campaign, in and out of the database."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import astuple, replace
from typing import Any

from gistmark import records
from gistmark.corpus import Corpus
from gistmark.errors import CorpusError, Problem
from gistmark.web.campaigns.models import (
    Campaign,
    Document,
    Highlight,
    Planted,
    Question,
    Summary,
)

LONGEST_NAME = 500
LONGEST_LANG = 35
_LARGEST = 2**31 - 1
_AT_ONCE = 500


def store_corpus(campaign: Campaign, corpus: Corpus) -> None:
    """Put a corpus into a campaign that has none; its own questions and triples are approved."""
    problems = list(_unstorable(corpus))
    if problems:
        raise CorpusError(problems)
    _store(
        Document(
            campaign=campaign,
            name=each.id,
            place=place,
            texts=list(each.texts),
            title=each.title,
            lang=each.lang,
        )
        for place, each in enumerate(corpus.documents)
    )
    _store(
        Summary(
            campaign=campaign,
            place=place,
            document=each.document,
            system=each.system,
            text=each.text,
            title=each.title,
            reference=each.reference,
            anonymous=each.anonymous,
        )
        for place, each in enumerate(corpus.summaries)
    )
    _store(
        Highlight(
            campaign=campaign,
            document=each.document,
            annotator=each.annotator,
            start=each.start,
            end=each.end,
            budget=each.budget,
        )
        for each in corpus.highlights
    )
    store_questions(campaign, corpus.questions, generated=False)
    store_planted(campaign, corpus.planted, generated=False)


def store_questions(
    campaign: Campaign, questions: Iterable[records.Question], *, generated: bool
) -> None:
    """Add True/False statements; generated ones wait for approval."""
    _store(
        Question(
            campaign=campaign,
            document=each.document,
            statement=each.statement,
            answer=each.answer,
            about=each.about,
            generated=generated,
            approved=not generated,
        )
        for each in questions
    )


def store_planted(
    campaign: Campaign, planted: Iterable[records.Planted], *, generated: bool
) -> None:
    """Add planted triples; generated ones wait for approval."""
    _store(
        Planted(
            campaign=campaign,
            document=each.document,
            good=each.good,
            mediocre=each.mediocre,
            bad=each.bad,
            generated=generated,
            approved=not generated,
        )
        for each in planted
    )


def corpus_of(campaign: Campaign, documents: Collection[str] | None = None) -> Corpus:
    """The corpus of a campaign, or the part of it that is about some documents.

    Questions and planted triples are those that count: given with the corpus, or approved.
    """
    some: dict[str, Any] = {} if documents is None else {"document__in": list(documents)}
    return replace(
        material_of(campaign, documents),
        questions=questions_of(campaign, **some),
        planted=planted_of(campaign, **some),
    )


def material_of(campaign: Campaign, documents: Collection[str] | None = None) -> Corpus:
    """The corpus without questions and planted triples: what annotators may be shown."""
    some: dict[str, Any] = {} if documents is None else {"document__in": list(documents)}
    named: dict[str, Any] = {} if documents is None else {"name__in": list(documents)}
    return Corpus(
        documents=tuple(map(_document, campaign.documents.filter(**named))),
        summaries=tuple(
            records.Summary(
                each.document, each.system, each.text, each.title, each.reference, each.anonymous
            )
            for each in campaign.summaries.filter(**some)
        ),
        highlights=tuple(
            records.Highlight(each.document, each.annotator, each.start, each.end, each.budget)
            for each in campaign.highlights.filter(**some)
        ),
    )


def texts_of(campaign: Campaign, documents: Collection[str] | None = None) -> dict[str, str]:
    """The texts of a campaign's documents, or of some of them, by name."""
    named: dict[str, Any] = {} if documents is None else {"name__in": list(documents)}
    return {each.name: _document(each).text for each in campaign.documents.filter(**named)}


def questions_of(
    campaign: Campaign, *, approved: bool | None = True, **some: Any
) -> tuple[records.Question, ...]:
    """The True/False statements that count; None takes those too that wait for approval."""
    wanted = some if approved is None else {"approved": approved, **some}
    return tuple(
        records.Question(each.document, each.statement, each.answer, _about(each.about))
        for each in campaign.questions.filter(**wanted)
    )


def planted_of(
    campaign: Campaign, *, approved: bool | None = True, **some: Any
) -> tuple[records.Planted, ...]:
    """The planted triples that count; None takes those too that wait for approval."""
    wanted = some if approved is None else {"approved": approved, **some}
    return tuple(
        records.Planted(each.good, each.mediocre, each.bad, each.document)
        for each in campaign.planted.filter(**wanted)
    )


def _document(stored: Document) -> records.Document:
    return records.Document(stored.name, tuple(stored.texts), stored.title, stored.lang)


def _about(stored: str) -> records.About:
    return "reference" if stored == "reference" else "document"


def _store(rows: Iterable[Any]) -> None:
    made = list(rows)
    if made:
        type(made[0]).objects.bulk_create(made, batch_size=_AT_ONCE)


def _unstorable(corpus: Corpus) -> Iterator[Problem]:
    """What no database can hold, although a corpus may have it."""
    parts = (
        ("document", corpus.documents, ("id",)),
        ("summary", corpus.summaries, ("document", "system")),
        ("highlight", corpus.highlights, ("document", "annotator")),
        ("question", corpus.questions, ("document",)),
        ("planted summary", corpus.planted, ("document",)),
    )
    for noun, members, names in parts:
        for number, each in enumerate(members, start=1):
            where = f"{noun.capitalize()} {number}"
            if "\x00" in _all_texts(each):
                yield Problem(f"{where} has a NUL character (U+0000), which cannot be stored.")
            for name in names:
                if len(getattr(each, name) or "") > LONGEST_NAME:
                    yield Problem(
                        f"The {name} of {noun} {number} has more than {LONGEST_NAME} characters."
                    )
    for number, document in enumerate(corpus.documents, start=1):
        if len(document.lang or "") > LONGEST_LANG:
            yield Problem(f"The lang of document {number} has more than {LONGEST_LANG} characters.")
    for number, mark in enumerate(corpus.highlights, start=1):
        if max(mark.end, mark.budget or 0) > _LARGEST:
            yield Problem(f"Highlight {number} has a number above {_LARGEST:,}.")


def _all_texts(record: Any) -> str:
    return "\n".join(_texts(astuple(record)))


def _texts(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, tuple):
            yield from _texts(value)
