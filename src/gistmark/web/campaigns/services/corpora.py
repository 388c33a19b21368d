"""The corpus of a campaign, in and out of the database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, replace
from typing import Any

from django.db.models import QuerySet

from gistmark import records
from gistmark.corpus import Corpus
from gistmark.errors import CorpusError, Problem
from gistmark.judgements.protocols.protocol import Protocol
from gistmark.judgements.questions import Texts
from gistmark.web.campaigns.models import (
    Campaign,
    Document,
    Highlight,
    Planted,
    Question,
    Summary,
    Unit,
)

LONGEST_NAME = 500
LONGEST_LANG = 35
_LARGEST = 2**31 - 1
_AT_ONCE = 500
_UNUSED = ("document__texts", "document__title", "document__lang")


def store_corpus(campaign: Campaign, corpus: Corpus) -> None:
    """Put a corpus into a campaign that has none; its own questions and triples are approved.

    Heat maps show people's highlights, and those of machines only where people made none.
    """
    problems = list(_unstorable(corpus))
    if problems:
        raise CorpusError(problems)
    documents = _store_documents(campaign, corpus)
    if corpus.sampling:
        whole = len(corpus.sampling) < len(corpus.document_ids)
        store_sample(campaign, corpus.sampling, given=not whole)
    _store(
        Summary(
            document=documents[each.document],
            position=position,
            system=each.system,
            text=each.text,
            title=each.title,
            reference=each.reference,
            anonymous=each.anonymous,
        )
        for position, each in enumerate(corpus.summaries)
    )
    _store(
        Highlight(
            document=documents[each.document],
            annotator=_marked_name(each.annotator, corpus.machine_names),
            start=each.start,
            end=each.end,
            budget=each.budget,
        )
        for each in corpus.by_people().highlights or corpus.highlights
    )
    store_units(documents, corpus.units)
    store_checks(campaign, corpus.questions, corpus.planted, generated=False)


def _marked_name(annotator: str, machines: Collection[str]) -> str:
    """The name of an annotator, by which `_machines` tells machines from people again."""
    from gistmark.judges.judge import MACHINE, machine_name

    is_marked = annotator not in machines or annotator.startswith(MACHINE)
    return annotator if is_marked else machine_name(annotator)


def _machines(highlights: Iterable[records.Highlight]) -> tuple[records.Machine, ...]:
    """The machines that made the highlights of the campaign's corpus."""
    from gistmark.judges.judge import MACHINE

    names = dict.fromkeys(each.annotator for each in highlights)
    return tuple(records.Machine(name) for name in names if name.startswith(MACHINE))


def store_sample(
    campaign: Campaign, sampling: Sequence[records.Sampled], *, given: bool = False
) -> None:
    """Store which documents are judged, and how they were chosen; no sample means all.

    A sample that was `given` is all that the corpus has, so that no other can be drawn.
    """
    campaign.sampling = None
    if sampling:
        first = sampling[0]
        campaign.sampling = {"method": first.method, "seed": first.seed, "given": given}
    campaign.save(update_fields=["sampling"])
    known = {each.document: each for each in sampling}
    documents = list(campaign.documents.defer("texts"))
    for document in documents:
        chosen = known.get(document.name)
        document.left_out = bool(known) and chosen is None
        document.probability = None if chosen is None else chosen.probability
    Document.objects.bulk_update(documents, ["left_out", "probability"], batch_size=_AT_ONCE)


def sample_of(
    campaign: Campaign, documents: Collection[str] | None = None
) -> tuple[records.Sampled, ...]:
    """The sampled documents of a campaign, or those among some; none where all are judged."""
    if campaign.sampling is None:
        return ()
    chosen = campaign.documents.filter(left_out=False)
    chosen = chosen if documents is None else chosen.filter(name__in=list(documents))
    how = campaign.sampling
    return tuple(
        records.Sampled(name, how["method"], probability, how["seed"])
        for name, probability in chosen.values_list("name", "probability")
    )


def practised_documents(campaign: Campaign) -> list[str]:
    """The names of the documents that are for practice, which no task has."""
    return list(campaign.documents.filter(for_practice=True).values_list("name", flat=True))


def store_units(
    documents: Mapping[str, Document],
    units: Iterable[records.ContentUnit],
    sources: Mapping[tuple[str, str], list[str]] | None = None,
) -> None:
    """Add content units to documents that have none; `sources` go by document and id of a unit."""
    counts: Counter[str] = Counter()
    rows = []
    for each in units:
        rows.append(
            Unit(
                document=documents[each.document],
                position=counts[each.document],
                name=each.id,
                text=each.text,
                weight=each.weight,
                reference=each.reference,
                annotator=each.annotator,
                sources=(sources or {}).get((each.document, each.id), []),
            )
        )
        counts[each.document] += 1
    _store(rows)


def store_checks(
    campaign: Campaign,
    questions: Iterable[records.Question],
    planted: Iterable[records.Planted],
    *,
    generated: bool,
) -> None:
    """Add True/False statements and planted triples; generated ones wait for approval."""
    documents = {each.name: each for each in campaign.documents.defer("texts")}
    state = {"campaign": campaign, "generated": generated, "approved": not generated}
    _store(
        Question(
            document=documents[each.document],
            statement=each.statement,
            answer=each.answer,
            about=each.about,
            **state,
        )
        for each in questions
    )
    _store(
        Planted(
            document=None if each.document is None else documents[each.document],
            good=each.good,
            mediocre=each.mediocre,
            bad=each.bad,
            **state,
        )
        for each in planted
    )


def corpus_of(campaign: Campaign, documents: Collection[str] | None = None) -> Corpus:
    """The corpus of a campaign, or the part of it that is about some documents.

    Questions and planted triples are those that count: given with the corpus, or approved.
    """
    return replace(
        material_of(campaign, documents),
        questions=questions_of(campaign, documents),
        planted=planted_of(campaign, documents),
    )


def material_of(campaign: Campaign, documents: Collection[str] | None = None) -> Corpus:
    """The corpus without questions and planted triples: what annotators may be shown."""
    about = _about(documents)
    summaries = Summary.objects.filter(document__campaign=campaign, **about)
    highlights = Highlight.objects.filter(document__campaign=campaign, **about)
    units = Unit.objects.filter(document__campaign=campaign, **about)
    units = units.order_by("document__position", "position")
    marks = tuple(map(_highlight, highlights.select_related("document").defer(*_UNUSED)))
    return Corpus(
        documents=tuple(map(_document, _with_texts(campaign, documents))),
        summaries=tuple(map(_summary, summaries.select_related("document").defer(*_UNUSED))),
        highlights=marks,
        units=tuple(each.read() for each in units.select_related("document").defer(*_UNUSED)),
        sampling=sample_of(campaign, documents),
        machines=_machines(marks),
    )


def texts_of(
    campaign: Campaign, protocol: Protocol, documents: Collection[str] | None = None
) -> Texts:
    """The texts that answers under a protocol are marks on; of some documents, or of all."""
    held: dict[str, str] = {}
    if "document" in protocol.needs:
        held = {each.name: _document(each).text for each in _with_texts(campaign, documents)}
    if "summary" not in protocol.needs:
        return Texts(held)
    summaries = Summary.objects.filter(document__campaign=campaign, **_about(documents))
    rows = summaries.values_list("document__name", "system", "text")
    return Texts(held, {(document, system): text for document, system, text in rows})


def questions_of(
    campaign: Campaign,
    documents: Collection[str] | None = None,
    *,
    approved: bool | None = True,
) -> tuple[records.Question, ...]:
    """The True/False statements that count; None takes those too that wait for approval."""
    questions = campaign.questions.filter(**_about(documents), **_approved(approved))
    return tuple(
        records.Question(
            each.document.name,
            each.statement,
            each.answer,
            "reference" if each.about == "reference" else "document",
        )
        for each in questions.select_related("document").defer(*_UNUSED)
    )


def planted_of(
    campaign: Campaign,
    documents: Collection[str] | None = None,
    *,
    approved: bool | None = True,
) -> tuple[records.Planted, ...]:
    """The planted triples that count; None takes those too that wait for approval."""
    planted = campaign.planted.filter(**_about(documents), **_approved(approved))
    return tuple(
        records.Planted(
            each.good, each.mediocre, each.bad, each.document.name if each.document else None
        )
        for each in planted.select_related("document").defer(*_UNUSED)
    )


def _store_documents(campaign: Campaign, corpus: Corpus) -> dict[str, Document]:
    """Store the documents, and a name without texts for each that the corpus only refers to."""
    held = [
        Document(
            campaign=campaign,
            name=each.id,
            position=position,
            texts=list(each.texts),
            title=each.title,
            lang=each.lang,
        )
        for position, each in enumerate(corpus.documents)
    ]
    names = {each.name for each in held}
    parts = (
        corpus.summaries, corpus.highlights, corpus.questions, corpus.planted, corpus.units
    )  # fmt: skip
    others = dict.fromkeys(each.document for part in parts for each in part)
    missing = [name for name in others if name is not None and name not in names]
    rows = held + [
        Document(campaign=campaign, name=name, position=position)
        for position, name in enumerate(missing, start=len(held))
    ]
    _store(rows)
    return {each.name: each for each in rows}


def _with_texts(campaign: Campaign, documents: Collection[str] | None) -> QuerySet[Document]:
    """The documents that the corpus holds, or some of them."""
    held = campaign.documents.filter(texts__isnull=False)
    return held if documents is None else held.filter(name__in=list(documents))


def _about(documents: Collection[str] | None) -> dict[str, Any]:
    return {} if documents is None else {"document__name__in": list(documents)}


def _approved(approved: bool | None) -> dict[str, bool]:
    return {} if approved is None else {"approved": approved}


def _document(stored: Document) -> records.Document:
    return records.Document(stored.name, tuple(stored.texts or ()), stored.title, stored.lang)


def _summary(stored: Summary) -> records.Summary:
    return records.Summary(
        stored.document.name,
        stored.system,
        stored.text,
        stored.title,
        stored.reference,
        stored.anonymous,
    )


def _highlight(stored: Highlight) -> records.Highlight:
    return records.Highlight(
        stored.document.name, stored.annotator, stored.start, stored.end, stored.budget
    )


def _store(rows: Iterable[Any]) -> None:
    objects = list(rows)
    if objects:
        type(objects[0]).objects.bulk_create(objects, batch_size=_AT_ONCE)


def _unstorable(corpus: Corpus) -> Iterator[Problem]:
    """What no database can hold, although a corpus may have it."""
    parts = (
        ("document", corpus.documents, ("id",)),
        ("summary", corpus.summaries, ("document", "system")),
        ("highlight", corpus.highlights, ("document", "annotator")),
        ("question", corpus.questions, ("document",)),
        ("planted summary", corpus.planted, ("document",)),
        ("content unit", corpus.units, ("document", "id", "reference", "annotator")),
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
            yield Problem(f"The end or the budget of highlight {number} is above {_LARGEST:,}.")


def _all_texts(record: Any) -> str:
    return "\n".join(_texts(astuple(record)))


def _texts(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, tuple):
            yield from _texts(value)
