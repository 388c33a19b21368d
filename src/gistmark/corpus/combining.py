"""Several campaigns about the same documents as one corpus, in which judgements say whose they are.

Documents and summaries are joined by their ids, so an id must stand for the same text everywhere.
Judgements keep their campaign; those without one belong to the campaign that they come from.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.schemas.checks import check
from gistmark.errors import CorpusError, Problem, UsageError, grouped
from gistmark.records import Condition

_BY_CAMPAIGN = ("ratings", "comparisons", "responses", "highlights", "presence", "spans")
"""The records that have a campaign."""
_BY_ANNOTATOR = (*_BY_CAMPAIGN, "units", "machines")

_TEXTS: tuple[tuple[str, Callable[[Any], Hashable], Callable[[Any], Hashable], str], ...] = (
    ("documents", lambda d: d.id, lambda d: d.texts, "The document {0!r}"),
    (
        "summaries", lambda s: (s.document, s.system), lambda s: (s.text, s.reference),
        "The summary of document {0!r} by {1!r}",
    ),
    (
        "units", lambda u: (u.document, u.id), lambda u: (u.text, u.weight),
        "The content unit {1!r} of document {0!r}",
    ),
    ("machines", lambda m: m.annotator, lambda m: (m.model, m.signature), "The machine {0!r}"),
)  # fmt: skip
"""Of each kind of record that campaigns share: its key, what must not differ, and its name."""

_NAMED = 5
"""How many annotators a note names."""


@dataclass(frozen=True, slots=True)
class Combined:
    """One corpus of several campaigns, and what was assumed or left out, in sentences."""

    corpus: Corpus
    notes: tuple[str, ...] = ()


def combine(
    parts: Sequence[tuple[str, Corpus]],
    *,
    separate_annotators: bool = False,
    named_apart: bool = True,
) -> Combined:
    """One corpus of the campaigns of these names, each with its corpus.

    Judgements that are in several parts with one campaign's name are an error, because they would
    count twice; other campaigns of one name are numbered. Annotators of the same name are the same
    person, unless `separate_annotators` adds the campaign to their names. `named_apart` says that
    the parts named their annotators independently, so that this is only assumed.
    """
    if len(parts) < 2:
        raise UsageError("There is nothing to combine: name two campaigns or more.")
    notes: list[str] = []
    named = _with_campaigns(parts, notes)
    if separate_annotators:
        named = [(name, _separated(corpus, name)) for name, corpus in named]
    elif named_apart:
        notes += _shared_annotators(named)
    problems = [problem for kind in _TEXTS for problem in _differing(named, *kind)]
    if problems:
        raise CorpusError(grouped(problems))
    corpora = [corpus for _, corpus in named]
    notes += _lost_order(named)
    whole = Corpus(
        **{kind: _first_of_each(corpora, kind, key) for kind, key, *_ in _TEXTS},
        **{kind: _all(corpora, kind) for kind in (*_BY_CAMPAIGN, "conditions")},
        questions=tuple(dict.fromkeys(_all(corpora, "questions"))),
        planted=tuple(dict.fromkeys(_all(corpora, "planted"))),
        sampling=_common_sample(named, notes),
    )
    # What was shown as a heat map in several campaigns was marked once.
    shown = tuple(dict.fromkeys(each for each in whole.highlights if each.campaign is None))
    marked = tuple(each for each in whole.highlights if each.campaign is not None)
    return Combined(check(replace(whole, highlights=shown + marked)), tuple(notes))


def _with_campaigns(
    parts: Sequence[tuple[str, Corpus]], notes: list[str]
) -> list[tuple[str, Corpus]]:
    """The parts with a campaign for every judgement, and a condition for every campaign."""
    result: list[tuple[str, Corpus]] = []
    seen: dict[str, Corpus] = {}
    for name, corpus in parts:
        named = _named(corpus, name)
        for campaign in _campaigns(named):
            if campaign not in seen:
                continue
            if _shares_judgements(seen[campaign], named, campaign):
                raise UsageError(
                    f"Judgements of the campaign {campaign!r} are there twice; name it once."
                )
            number = 2
            while (fresh := f"{campaign} ({number})") in seen:
                number += 1
            notes.append(f"There are several campaigns {campaign!r}; a later one is {fresh!r}.")
            named = _renamed(named, campaign, fresh)
        seen |= dict.fromkeys(_campaigns(named), named)
        result.append((name, _with_conditions(named)))
    return result


def _named(corpus: Corpus, name: str) -> Corpus:
    """The corpus with this campaign for judgements that have none.

    Highlights without one stay as they are where annotators saw them as a heat map: they are not
    what the campaign asked for.
    """
    heat_map = any("heat-map" in (each.shows or "") for each in corpus.conditions)
    changes = {
        kind: tuple(
            replace(each, campaign=name) if each.campaign is None else each
            for each in getattr(corpus, kind)
        )
        for kind in _BY_CAMPAIGN
        if not (kind == "highlights" and heat_map)
    }
    return replace(corpus, **changes)


def _campaigns(corpus: Corpus) -> list[str]:
    judged = (each.campaign for kind in _BY_CAMPAIGN for each in getattr(corpus, kind))
    described = (each.campaign for each in corpus.conditions)
    return [name for name in dict.fromkeys((*described, *judged)) if name is not None]


def _shares_judgements(one: Corpus, other: Corpus, campaign: str) -> bool:
    judgements, again = (
        {each for kind in _BY_CAMPAIGN for each in getattr(part, kind) if each.campaign == campaign}
        for part in (one, other)
    )
    return not judgements.isdisjoint(again)


def _renamed(corpus: Corpus, old: str, new: str) -> Corpus:
    changes = {
        kind: tuple(
            replace(each, campaign=new) if each.campaign == old else each
            for each in getattr(corpus, kind)
        )
        for kind in (*_BY_CAMPAIGN, "conditions")
    }
    return replace(corpus, **changes)


def _with_conditions(corpus: Corpus) -> Corpus:
    described = {each.campaign for each in corpus.conditions}
    lacking = (Condition(name) for name in _campaigns(corpus) if name not in described)
    return replace(corpus, conditions=(*corpus.conditions, *lacking))


def _separated(corpus: Corpus, name: str) -> Corpus:
    """The corpus with the campaign after the name of every annotator."""

    def separated(record: Any) -> Any:
        is_shown = getattr(record, "campaign", name) is None
        if record.annotator is None or is_shown:
            return record
        return replace(record, annotator=f"{record.annotator} ({name})")

    changes = {kind: tuple(map(separated, getattr(corpus, kind))) for kind in _BY_ANNOTATOR}
    return replace(corpus, **changes)


def _annotators(corpus: Corpus) -> set[str]:
    """Who judged in a campaign."""
    return {
        each.annotator
        for kind in _BY_CAMPAIGN
        for each in getattr(corpus, kind)
        if each.campaign is not None
    }


def _shared_annotators(named: Sequence[tuple[str, Corpus]]) -> Iterator[str]:
    """A note that annotators of one name are taken as one person, where there are any."""
    seen: set[str] = set()
    shared: set[str] = set()
    for _, corpus in named:
        here = _annotators(corpus)
        shared |= seen & here
        seen |= here
    if shared:
        names = sorted(shared)
        more = ", …" if len(names) > _NAMED else ""
        yield (
            f"Annotators of the same name in several campaigns count as one person: "
            f"{', '.join(names[:_NAMED])}{more}. If they are different people, as pseudonyms of "
            "separate exports mostly are, use --separate-annotators."
        )


def _differing(
    named: Sequence[tuple[str, Corpus]],
    kind: str,
    key: Callable[[Any], Hashable],
    content: Callable[[Any], Hashable],
    what: str,
) -> Iterator[Problem]:
    """A problem for each record of one key that is not the same in all campaigns."""
    first: dict[Hashable, tuple[str, Hashable]] = {}
    for name, corpus in named:
        for record in getattr(corpus, kind):
            value = content(record)
            origin, earlier = first.setdefault(key(record), (name, value))
            if earlier != value:
                identity = key(record)
                names = identity if isinstance(identity, tuple) else (identity,)
                advice = "rename it in one of them"
                if kind == "machines":
                    advice = "use --separate-annotators"
                yield Problem(
                    f"{what.format(*names)} is not the same in the campaigns {origin!r} and "
                    f"{name!r}; {advice}."
                )


def _first_of_each(
    corpora: Iterable[Corpus], kind: str, key: Callable[[Any], Hashable]
) -> tuple[Any, ...]:
    first: dict[Hashable, Any] = {}
    for record in _all(corpora, kind):
        first.setdefault(key(record), record)
    return tuple(first.values())


def _all(corpora: Iterable[Corpus], kind: str) -> tuple[Any, ...]:
    return tuple(record for corpus in corpora for record in getattr(corpus, kind))


def _lost_order(named: Sequence[tuple[str, Corpus]]) -> Iterator[str]:
    for name, corpus in named:
        if corpus.sequence:
            yield (
                f"The order of the judgements of {name!r} was left out, because it says nothing "
                "beside those of other campaigns; study that campaign alone for its decisions."
            )


def _common_sample(named: Sequence[tuple[str, Corpus]], notes: list[str]) -> tuple[Any, ...]:
    """How documents were sampled, where it was the same in all campaigns."""
    samples: Collection[tuple[Any, ...]] = {corpus.sampling for _, corpus in named}
    if len(samples) == 1:
        return next(iter(samples))
    notes.append(
        "How documents were sampled was left out, because it is not the same in all campaigns: "
        "means are of the judged documents."
    )
    return ()
