"""A run: several systems summarise a corpus, those that learn after training.

Training on the corpus that is summarised is cross-fitting: the documents are split into folds, and
each fold is summarised by a system trained on the others. Documents that cannot be summarised are
kept with the reason. A signature names the languages of the documents where they are not all
English.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256

from gistmark.corpus import Corpus
from gistmark.errors import GistmarkError, PluginError, UsageError
from gistmark.models.catalogue import Letters, foreign_texts, models_of
from gistmark.records import Document
from gistmark.signature import Signature, merged
from gistmark.summarizers.catalogue import SYSTEMS, systems_from
from gistmark.summarizers.summaries import Failure, Record, Summaries
from gistmark.summarizers.summarizer import Limit, Outcome, Source, Summarizer
from gistmark.text.languages import ENGLISH, find_language, language

Progress = Callable[[int, int | None], None]
"""Called after each summary with how many are done and how many there are."""

Part = tuple[Summarizer | GistmarkError, Sequence[Source]]
"""Some documents and the system for them, or why there is none."""

Preparation = Callable[[Summarizer], Iterable[Part]]


def summarize(
    corpus: Corpus,
    systems: Sequence[str] | str | Mapping[str, Summarizer] = "default",
    limit: Limit | None = None,
    *,
    train: bool = False,
    train_on: Corpus | None = None,
    lang: str | None = None,
    progress: Progress | None = None,
) -> Summaries:
    """Let every system summarise every document of a corpus.

    `systems` are names with options, such as `"MMR:balance=0.5"`, groups such as `"extractive"`, or
    systems by name. Without a limit summaries have at most 600 characters. With `train`, those that
    learn are trained on the corpus itself in five parts, so that no document is summarised by a
    system trained on its own references or highlights; with `train_on`, on another corpus as a
    whole. `lang` is the language of all documents; without it each has its own. A document that a
    system cannot summarise is among the `failures`, with the reason.
    """
    systems_by_name = chosen_systems(systems)
    if lang is not None:
        corpus = in_language(corpus, lang)
    sources = sources_of(corpus)
    if not sources:
        raise GistmarkError("There are no documents to summarise.")
    prepare = _preparation(systems_by_name, sources, train=train, train_on=train_on)
    limit = limit or Limit()
    languages = language_field(source.document for source in sources)
    total = len(systems_by_name) * len(sources)
    results: list[Record | Failure] = []
    signatures: dict[str, str] = {}
    for name, system in systems_by_name.items():
        prepared_signatures: list[str] = []
        for prepared, part in prepare(system):
            for result in _summarize_each(name, prepared, part, limit):
                results.append(result)
                if isinstance(result, Record) and isinstance(prepared, Summarizer):
                    prepared_signatures.append(prepared.signature)
                if progress is not None:
                    progress(len(results), total)
        if prepared_signatures:
            signature = merged(map(Signature.parse, prepared_signatures)).with_fields(
                {**limit.fields, **languages}
            )
            signatures[name] = str(signature)
    warn_of_languages(systems_by_name, sources)
    return _ordered(results, corpus, signatures)


def chosen_systems(
    systems: Sequence[str] | str | Mapping[str, Summarizer],
) -> Mapping[str, Summarizer]:
    """The requested systems by name; requesting none is an error."""
    if isinstance(systems, str):
        systems = [systems]
    systems_by_name = systems if isinstance(systems, Mapping) else systems_from(systems)
    if not systems_by_name:
        raise UsageError("No system was given; `gistmark systems` lists what there is.")
    return systems_by_name


def sources_of(corpus: Corpus) -> list[Source]:
    """The documents with their references and people's highlights."""
    people = corpus.by_people()
    sources = []
    for document in corpus.documents:
        references = tuple(summary.text for summary in people.references.get(document.id, ()))
        sources.append(Source(document, references, people.highlights_of(document.id)))
    return sources


def _preparation(
    systems: Mapping[str, Summarizer],
    sources: Sequence[Source],
    *,
    train: bool,
    train_on: Corpus | None,
) -> Preparation:
    """How a system is prepared for the documents; checked before any work is done."""
    if not train and train_on is None:
        return lambda system: [(system, sources)]
    if train and train_on is not None:
        raise UsageError("Train either on the corpus itself or on another one, not on both.")
    if not any(system.learns for system in systems.values()):
        raise UsageError(f"None of {', '.join(systems)} learns, so there is nothing to train.")
    examples = sources if train_on is None else sources_of(train_on)
    if not any(map(has_labels, examples)):
        raise GistmarkError("There are no highlights or references to learn from.")
    return partial(_prepare, sources=sources, examples=examples, cross=train)


def _prepare(
    system: Summarizer, sources: Sequence[Source], examples: Sequence[Source], *, cross: bool
) -> Iterable[Part]:
    if not system.learns:
        return [(system, sources)]
    return cross_fitted(system, sources) if cross else [(_trained(system, examples), sources)]


def _summarize_each(
    name: str, system: Summarizer | GistmarkError, sources: Sequence[Source], limit: Limit
) -> Iterator[Record | Failure]:
    for source in sources:
        document = source.document.id
        if isinstance(system, GistmarkError):
            yield Failure(document, name, str(system))
            continue
        try:
            with SYSTEMS.naming_plugin(name):
                outcome = _outcome(system.summarize(source, limit))
            yield Record(document, name, outcome)
        except PluginError:
            raise
        except GistmarkError as error:
            yield Failure(document, name, str(error))


def _outcome(returned: object) -> Outcome:
    """What a system returned, checked because a plugin may get it wrong."""
    if not isinstance(returned, Outcome):
        raise TypeError(f"summarize returned {type(returned).__name__}, not an Outcome")
    return returned


def _ordered(
    results: Sequence[Record | Failure], corpus: Corpus, signatures: Mapping[str, str]
) -> Summaries:
    """The results, those of each system in the order of the documents."""
    systems = {
        name: position for position, name in enumerate(dict.fromkeys(r.system for r in results))
    }
    documents = {document.id: position for position, document in enumerate(corpus.documents)}
    ordered = sorted(results, key=lambda r: (systems[r.system], documents[r.document]))
    records = tuple(result for result in ordered if isinstance(result, Record))
    failures = tuple(result for result in ordered if isinstance(result, Failure))
    return Summaries(records, failures, signatures)


FOLDS = 5


def folds(sources: Sequence[Source], count: int = FOLDS) -> list[list[Source]]:
    """The documents in parts of like size; a hash of their ids decides which."""

    def key(source: Source) -> bytes:
        return sha256(source.document.id.encode("utf-8", "surrogatepass")).digest()

    ordered = sorted(sources, key=key)
    parts = [ordered[start::count] for start in range(count)]
    return [part for part in parts if part]


def cross_fitted(
    system: Summarizer, sources: Sequence[Source]
) -> Iterator[tuple[Summarizer | GistmarkError, list[Source]]]:
    """For each part of the documents, the system trained on the others.

    If nothing can be learned from these, the error takes the place of the system.
    """
    for part in folds(sources):
        held_out = {source.document.id for source in part}
        examples = [source for source in sources if source.document.id not in held_out]
        yield _trained(system, examples), part


def _trained(system: Summarizer, examples: Sequence[Source]) -> Summarizer | GistmarkError:
    """The system trained on the labels of some documents, or why it cannot be trained."""
    try:
        return system.trained([example for example in examples if has_labels(example)])
    except GistmarkError as error:
        return error


def has_labels(source: Source) -> bool:
    """Whether a document has references or highlights that a system could learn from."""
    return bool(source.references or source.highlights)


def in_language(corpus: Corpus, lang: str) -> Corpus:
    """The corpus with all its documents in one language."""
    code = language(lang).code
    documents = tuple(replace(document, lang=code) for document in corpus.documents)
    return replace(corpus, documents=documents)


def language_field(documents: Iterable[Document]) -> dict[str, str]:
    """The field of a signature with the languages; none where all documents are in English."""
    codes = sorted({_language_code(document) for document in documents})
    return {} if codes in ([], [ENGLISH]) else {"lang": "+".join(codes)}


def warn_of_languages(systems: Mapping[str, Summarizer], sources: Sequence[Source]) -> None:
    """Warn once of each model that was not trained on the language of some documents."""
    letters: dict[str, Letters] = {}
    for source in sources:
        letters.setdefault(_language_code(source.document), Letters()).count(source.document.text)
    users: dict[str, list[str]] = {}
    for name, system in systems.items():
        for model in models_of(system.options):
            users.setdefault(model, []).append(name)
    for model, names in users.items():
        texts = foreign_texts(model, letters)
        if texts is not None:
            warnings.warn(f"{', '.join(names)}: {texts}.", stacklevel=3)


def _language_code(document: Document) -> str:
    spoken = find_language(document.lang) if document.lang is not None else None
    return ENGLISH if spoken is None else spoken.code
