"""Items: the things to judge in a corpus under a protocol.

A document is an item to highlight, a summary an item to rate, and two systems' summaries of one
document an item to compare; several of them are an item to rank.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

from gistmark.corpus.corpus import Corpus
from gistmark.errors import Problem
from gistmark.judgements.protocols.protocol import Protocol
from gistmark.judgements.tasks.sets import MOST_IN_A_SET, count_sets, sets_of
from gistmark.records import Document, Summary, item_name

MOST_PAIRS = 20_000
"""How many pairs of a document can be judged, about those of 200 systems; more are refused."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to judge: a document, with no system, one (rated), two (compared) or several.

    The id is made of these names, so it is the same in every run and on every machine. It names
    the system: it is for the server and never for the annotator's browser.
    """

    document: str
    systems: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return item_name((self.document, *self.systems))


@dataclass(frozen=True, slots=True)
class Items:
    """The items of a campaign, and a problem for each that lacks what the protocol shows.

    `notes` are sentences about sets that are not quite as the protocol wants them.
    """

    items: tuple[Item, ...]
    problems: tuple[Problem, ...]
    notes: tuple[str, ...] = ()

    def by_id(self) -> dict[str, Item]:
        return {item.id: item for item in self.items}


def items_from(corpus: Corpus, protocol: Protocol) -> Items:
    """What the corpus offers to judge; an item that cannot be shown becomes a problem.

    >>> from gistmark.corpus import load, sample_folder
    >>> from gistmark.judgements import get_protocol, items_from
    >>> items = items_from(load(sample_folder()), get_protocol("fluency")).items
    >>> len(items), items[0].id
    (75, 'harbour-bridge/reference')
    """
    material = _Material(corpus, protocol)
    items, problems = [], []
    for item in _candidates(corpus, protocol, material.judged):
        lacking = list(material.lacking(item))
        if lacking:
            what = " and ".join(lacking)
            problems.append(Problem(f"{_described(item)} cannot be judged: it lacks {what}."))
        else:
            items.append(item)
    problems += _lonely(protocol, material.judged)
    notes = tuple(_notes(protocol, Counter(map(len, material.judged.values()))))
    return Items(tuple(items), tuple(problems), notes)


class _Material:
    """The parts of a corpus that can be shown, looked up by document."""

    def __init__(self, corpus: Corpus, protocol: Protocol) -> None:
        self.corpus = corpus
        self.protocol = protocol
        self.shows = protocol.shows
        self.documents: Mapping[str, Document] = {each.id: each for each in corpus.documents}
        self.titled = titles(corpus) if "title" in protocol.shows else {}
        self.judged: dict[str, list[Summary]] = {}
        for summary in corpus.summaries:
            if protocol.judge_references or not summary.reference:
                self.judged.setdefault(summary.document, []).append(summary)

    def lacking(self, item: Item) -> Iterator[str]:
        """What the protocol shows, but the corpus does not have for this item."""
        document = self.documents.get(item.document)
        readable = document is not None and bool(document.text.split())
        if self.protocol.shows_document and not readable:
            yield "the document's text"
        if "heat-map" in self.shows and not self.corpus.highlights_of(item.document):
            yield "highlights for the heat map"
        if "reference" in self.shows and not other_references(self.corpus, item):
            yield "a reference to show beside it"
        if "title" in self.shows and item.document not in self.titled:
            yield "a title"
        yield from self.protocol.question_type.lacking(item.document, self.corpus)


def titles(corpus: Corpus) -> dict[str, str]:
    """The title of each document that has one: its own, or that of its first titled summary."""
    own = {document.id: document.title for document in corpus.documents if document.title}
    written = {each.document: each.title for each in reversed(corpus.summaries) if each.title}
    return {**written, **own}


def other_references(corpus: Corpus, item: Item) -> tuple[Summary, ...]:
    """The references that can stand beside an item: all but those that are judged in it."""
    references = corpus.references.get(item.document, ())
    return tuple(reference for reference in references if reference.system not in item.systems)


def _candidates(
    corpus: Corpus, protocol: Protocol, judged: Mapping[str, list[Summary]]
) -> Iterator[Item]:
    subject = protocol.subject
    if subject == "document":
        yield from (Item(document.id) for document in corpus.documents)
        return
    for document, summaries in judged.items():
        systems = [summary.system for summary in summaries]
        chosen: Iterable[Sequence[str]] = ((system,) for system in systems)
        if subject == "pair":
            too_many = _too_many(protocol, len(systems))
            chosen = () if too_many else combinations(sorted(systems), 2)
        elif subject == "set":
            unfit = len(systems) < 2 or _too_many(protocol, len(systems))
            size, times = protocol.set_size or MOST_IN_A_SET, protocol.sets_per_system
            chosen = () if unfit else sets_of(document, systems, size, times)
        yield from (Item(document, tuple(each)) for each in chosen)


def _too_many(protocol: Protocol, systems: int) -> bool:
    if protocol.subject == "pair":
        return comb(systems, 2) > MOST_PAIRS
    return protocol.subject == "set" and protocol.set_size is None and systems > MOST_IN_A_SET


def _lonely(protocol: Protocol, judged: Mapping[str, list[Summary]]) -> Iterator[Problem]:
    if protocol.subject not in ("pair", "set"):
        return
    for document, summaries in judged.items():
        if len(summaries) < 2:
            yield Problem(
                f"Document {document!r} has nothing to compare: only one summary of it is judged."
            )
        elif protocol.subject == "pair" and _too_many(protocol, len(summaries)):
            count = len(summaries)
            yield Problem(
                f"Document {document!r} has {count:,} summaries to compare, which are "
                f"{comb(count, 2):,} pairs; at most {MOST_PAIRS:,} of a document are allowed: "
                "leave systems out, or let sets of them be ranked."
            )
        elif _too_many(protocol, len(summaries)):
            yield Problem(
                f"Document {document!r} has {len(summaries)} summaries to judge at once; at most "
                f"{MOST_IN_A_SET} are allowed: give the protocol a set size (set_size)."
            )


def _notes(protocol: Protocol, documents: Mapping[int, int]) -> Iterator[str]:
    """What to know about the sets, given how many documents have so many systems."""
    size, wanted = protocol.set_size, protocol.sets_per_system
    if protocol.subject != "set" or size is None:
        return
    for systems, count in sorted(documents.items()):
        where = f"In {count} document{'' if count == 1 else 's'} with {systems} summaries"
        if systems < 2:
            continue
        if systems < size:
            yield f"{where} all are one set, which is smaller than the set size of {size}."
        elif wanted > (most := comb(systems - 1, size - 1)):
            yield (
                f"{where} each system is in {most} set{'' if most == 1 else 's'} instead of "
                f"{wanted}: there are no more different sets of {size}."
            )
        elif more := count_sets(systems, size, wanted) * size - systems * wanted:
            yield (
                f"{where} {more} of the systems {'is' if more == 1 else 'are'} in {wanted + 1} "
                f"sets and the others in {wanted}: sets of {size} do not come out even."
            )


def _described(item: Item) -> str:
    if not item.systems:
        return f"Document {item.document!r}"
    names = " and ".join(map(repr, item.systems))
    nouns = {1: "The summary", 2: "The pair of summaries"}
    noun = nouns.get(len(item.systems), "The set of summaries")
    return f"{noun} of document {item.document!r} by {names}"
