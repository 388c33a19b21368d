"""The languages of a run: which document is in which, and what the run cannot read.

A run warns once of two things, because they change values without an error: letters that a
tokenizer of ROUGE ignores, and texts in a language that a model was not trained on.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from gistmark.corpus import Corpus
from gistmark.metrics.metric import Metric
from gistmark.models.catalogue import Letters, foreign_texts, models_of
from gistmark.text.languages import ENGLISH, NO_LANGUAGE, find_language, language
from gistmark.text.words import ASCII_TOKENIZERS

LETTERS_LOST = 0.01
"""The share of letters outside a-z above which a run warns that they are ignored. It is low,
because one lost letter cuts a word in two; English texts with a few foreign names stay below."""

_MAX_NAMED_DOCUMENTS = 3


def document_languages(corpus: Corpus, lang: str | None) -> dict[str, str]:
    """The code of the language of each document: `lang`, or the document's, or English."""
    if lang is not None:
        return dict.fromkeys(corpus.document_ids, language(lang).code)
    codes = dict.fromkeys(corpus.document_ids, ENGLISH)
    unknown_codes: dict[str, list[str]] = {}
    for document in corpus.documents:
        if document.lang is None or document.lang.lower() in NO_LANGUAGE:
            continue
        matched_language = find_language(document.lang)
        if matched_language is not None:
            codes[document.id] = matched_language.code
        else:
            unknown_codes.setdefault(document.lang, []).append(document.id)
    for name, documents in unknown_codes.items():
        _warn(
            f"{name!r}, the lang of {_name_documents(documents)}, is ignored: "
            "it is not a language code"
        )
    return codes


@dataclass
class Reading:
    """What a run has read so far: the letters of the summaries, by language."""

    letters: dict[str, Letters] = field(default_factory=dict)

    def add(self, lang: str, summaries: Iterable[str]) -> None:
        self.letters.setdefault(lang, Letters()).count("".join(summaries))

    def warn(self, metrics: Mapping[str, Mapping[str, Metric]]) -> None:
        """Warn once of what the metrics cannot read; they are keyed by language and name."""
        for sentence in (*self._lost_letters(metrics), *self._foreign_texts(metrics)):
            _warn(sentence)

    def _lost_letters(self, metrics: Mapping[str, Mapping[str, Metric]]) -> Iterator[str]:
        for lang, counts in self.letters.items():
            if not counts.all or counts.beyond_ascii / counts.all < LETTERS_LOST:
                continue
            share = f"{100 * counts.beyond_ascii / counts.all:.0f} %"
            where = "" if lang == ENGLISH else f" in {language(lang)}"
            for tok in ASCII_TOKENIZERS:
                affected = [
                    name
                    for name, metric in metrics[lang].items()
                    if getattr(metric.options, "tok", None) == tok
                ]
                if affected:
                    lang_helps = lang == ENGLISH and not any("tok=" in name for name in affected)
                    remedy = "--lang CODE or tok=words counts" if lang_helps else "tok=words counts"
                    yield (
                        f"{', '.join(affected)}: {share} of the letters of the summaries{where} "
                        f"are outside a-z and are ignored by tok={tok}; {remedy} them"
                    )

    def _foreign_texts(self, metrics: Mapping[str, Mapping[str, Metric]]) -> Iterator[str]:
        users: dict[str, list[str]] = {}
        for name, metric in next(iter(metrics.values())).items():
            for model in models_of(metric.options):
                users.setdefault(model, []).append(name)
        for model, names in users.items():
            texts = foreign_texts(model, self.letters)
            if texts is not None:
                yield f"{', '.join(names)}: {texts}; do not rely on its values there"


def _name_documents(documents: list[str]) -> str:
    names = ", ".join(documents[:_MAX_NAMED_DOCUMENTS])
    more = (
        f" and {len(documents) - _MAX_NAMED_DOCUMENTS:,} more"
        if len(documents) > _MAX_NAMED_DOCUMENTS
        else ""
    )
    noun = "document" if len(documents) == 1 else "documents"
    return f"{noun} {names}{more}"


def _warn(sentence: str) -> None:
    warnings.warn(f"{sentence}.", stacklevel=4)
