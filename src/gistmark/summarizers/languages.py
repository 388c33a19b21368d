"""The languages of the documents to summarise: what a signature and a reader are told of them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from gistmark.corpus import Corpus
from gistmark.models.catalogue import Letters, foreign_texts, models_of
from gistmark.records import Document
from gistmark.summarizers.summarizer import Source, Summarizer
from gistmark.text.languages import ENGLISH, find_language, language


def in_language(corpus: Corpus, lang: str) -> Corpus:
    """The corpus with all its documents in one language."""
    code = language(lang).code
    documents = tuple(replace(document, lang=code) for document in corpus.documents)
    return replace(corpus, documents=documents)


def language_field(documents: Iterable[Document]) -> dict[str, str]:
    """The field of a signature with the languages; none where all documents are in English."""
    codes = sorted({_code(document) for document in documents})
    return {} if codes in ([], [ENGLISH]) else {"lang": "+".join(codes)}


def warn_of_languages(systems: Mapping[str, Summarizer], sources: Sequence[Source]) -> None:
    """Tell once of each model that was not trained on the language of some documents."""
    letters: dict[str, Letters] = {}
    for source in sources:
        letters.setdefault(_code(source.document), Letters()).count(source.document.text)
    users: dict[str, list[str]] = {}
    for name, system in systems.items():
        for model in models_of(system.options):
            users.setdefault(model, []).append(name)
    for model, names in users.items():
        texts = foreign_texts(model, letters)
        if texts is not None:
            warnings.warn(f"{', '.join(names)}: {texts}.", stacklevel=3)


def _code(document: Document) -> str:
    spoken = find_language(document.lang) if document.lang is not None else None
    return ENGLISH if spoken is None else spoken.code
