"""A run: several systems over a corpus, trained before if they learn, with what went wrong told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from gistmark.corpus import Corpus
from gistmark.errors import GistmarkError, PluginError, UsageError
from gistmark.records import Document
from gistmark.signature import Signature, merged
from gistmark.summarizers.catalogue import SYSTEMS, systems_from
from gistmark.summarizers.cross_fitting import cross_fitted, has_labels, trained
from gistmark.summarizers.languages import in_language, language_field, warn_of_languages
from gistmark.summarizers.limits import Limit
from gistmark.summarizers.summaries import Failure, Record, Summaries
from gistmark.summarizers.summarizer import Outcome, Source, Summarizer

Progress = Callable[[int, int | None], None]
"""Called after each summary with the number that is done, and of all."""

Part = tuple[Summarizer | GistmarkError, Sequence[Source]]
"""Some documents and the system for them, or why there is none."""

Teaching = Callable[[Summarizer], Iterable[Part]]


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

    `systems` are names with options, such as `"MMR:balance=0.5"`, groups such as `"extractive"`,
    or systems by name. Without a limit summaries have at most 600 characters. With `train`, those
    that learn are trained on the corpus itself in five parts, so that no document is summarised by
    a system that saw what people gave for it; with `train_on`, on another corpus as a whole. `lang`
    is the language of all documents; without it each has its own. A document that a system cannot
    summarise is among the `failures`, with the reason.
    """
    chosen = chosen_systems(systems)
    if lang is not None:
        corpus = in_language(corpus, lang)
    sources = sources_of(corpus)
    if not sources:
        raise GistmarkError("There are no documents to summarise.")
    teaching = _teaching(chosen, sources, train=train, train_on=train_on)
    limit = limit or Limit()
    languages = language_field(source.document for source in sources)
    total = len(chosen) * len(sources)
    found: list[Record | Failure] = []
    signatures: dict[str, str] = {}
    for name, system in chosen.items():
        used: list[str] = []
        for taught, part in teaching(system):
            made = _summarized(name, taught, part, limit)
            for result in made:
                found.append(result)
                if isinstance(result, Record) and isinstance(taught, Summarizer):
                    used.append(taught.signature)
                if progress is not None:
                    progress(len(found), total)
        if used:
            whole = merged(map(Signature.parse, used)).with_fields({**limit.fields, **languages})
            signatures[name] = str(whole)
    warn_of_languages(chosen, sources)
    return _ordered(found, corpus, signatures)


def chosen_systems(
    systems: Sequence[str] | str | Mapping[str, Summarizer],
) -> Mapping[str, Summarizer]:
    """The systems that are asked for, by name; asking for none is an error."""
    if isinstance(systems, str):
        systems = [systems]
    chosen = systems if isinstance(systems, Mapping) else systems_from(systems)
    if not chosen:
        raise UsageError("No system was asked for; `gistmark systems` lists what there is.")
    return chosen


def sources_of(corpus: Corpus) -> list[Source]:
    """The documents with all that people gave for them."""
    return [_source(corpus, document) for document in corpus.documents]


def _source(corpus: Corpus, document: Document) -> Source:
    references = tuple(summary.text for summary in corpus.references.get(document.id, ()))
    return Source(document, references, corpus.highlights_of(document.id))


def _teaching(
    systems: Mapping[str, Summarizer],
    sources: Sequence[Source],
    *,
    train: bool,
    train_on: Corpus | None,
) -> Teaching:
    """How a system is prepared for the documents; checked before any work is done."""
    if not train and train_on is None:
        return lambda system: [(system, sources)]
    if train and train_on is not None:
        raise UsageError("Train either on the corpus itself or on another one, not on both.")
    if not any(system.learns for system in systems.values()):
        raise UsageError(f"None of {', '.join(systems)} learns, so there is nothing to train.")
    lessons = sources if train_on is None else sources_of(train_on)
    if not any(map(has_labels, lessons)):
        raise GistmarkError("There are no highlights or references to learn from.")
    return partial(_taught, sources=sources, lessons=lessons, cross=train)


def _taught(
    system: Summarizer, sources: Sequence[Source], lessons: Sequence[Source], *, cross: bool
) -> Iterable[Part]:
    if not system.learns:
        return [(system, sources)]
    return cross_fitted(system, sources) if cross else [(trained(system, lessons), sources)]


def _summarized(
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
    """What a system has returned, which a plugin may get wrong."""
    if not isinstance(returned, Outcome):
        raise TypeError(f"summarize returned {type(returned).__name__}, not an Outcome")
    return returned


def _ordered(
    found: Sequence[Record | Failure], corpus: Corpus, signatures: Mapping[str, str]
) -> Summaries:
    """The results, those of each system in the order of the documents."""
    systems = {name: place for place, name in enumerate(dict.fromkeys(r.system for r in found))}
    documents = {document.id: place for place, document in enumerate(corpus.documents)}
    ordered = sorted(found, key=lambda each: (systems[each.system], documents[each.document]))
    records = tuple(each for each in ordered if isinstance(each, Record))
    failures = tuple(each for each in ordered if isinstance(each, Failure))
    return Summaries(records, failures, signatures)
