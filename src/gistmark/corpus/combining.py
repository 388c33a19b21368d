"""Combine several campaigns about the same documents into one corpus.

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

_SHARED_KINDS: tuple[tuple[str, Callable[[Any], Hashable], Callable[[Any], Hashable], str], ...] = (
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

_MAX_NAMES = 5
"""How many annotators a note names."""


@dataclass(frozen=True, slots=True)
class Combined:
    """One corpus of several campaigns, and notes on what was assumed or left out."""

    corpus: Corpus
    notes: tuple[str, ...] = ()


def combine(
    parts: Sequence[tuple[str, Corpus]],
    *,
    separate_annotators: bool = False,
    named_apart: bool = True,
) -> Combined:
    """Combine campaigns, pairs of a name and a corpus, into one corpus.

    Judgements that are in several parts with one campaign's name are an error, because they would
    count twice; other campaigns of one name are numbered. Annotators of the same name are the same
    person, unless `separate_annotators` adds the campaign to their names. `named_apart` says that
    the parts named their annotators independently, so that this is only assumed.
    """
    if len(parts) < 2:
        raise UsageError("There is nothing to combine: name two campaigns or more.")
    notes: list[str] = []
    named_corpora = _unique_campaigns(parts, notes)
    if separate_annotators:
        named_corpora = [
            (name, _separate_annotators(corpus, name)) for name, corpus in named_corpora
        ]
    elif named_apart:
        notes += _shared_annotators(named_corpora)
    problems = [
        problem for kind in _SHARED_KINDS for problem in _find_contradictions(named_corpora, *kind)
    ]
    if problems:
        raise CorpusError(grouped(problems))
    corpora = [corpus for _, corpus in named_corpora]
    notes += _note_lost_order(named_corpora)
    combined = Corpus(
        **{kind: _first_by_key(corpora, kind, key) for kind, key, *_ in _SHARED_KINDS},
        **{kind: _all_records(corpora, kind) for kind in (*_BY_CAMPAIGN, "conditions")},
        questions=tuple(dict.fromkeys(_all_records(corpora, "questions"))),
        planted=tuple(dict.fromkeys(_all_records(corpora, "planted"))),
        sampling=_common_sample(named_corpora, notes),
    )
    # What was shown as a heat map in several campaigns was marked once.
    heat_map_highlights = tuple(
        dict.fromkeys(highlight for highlight in combined.highlights if highlight.campaign is None)
    )
    campaign_highlights = tuple(
        highlight for highlight in combined.highlights if highlight.campaign is not None
    )
    return Combined(
        check(replace(combined, highlights=heat_map_highlights + campaign_highlights)), tuple(notes)
    )


def _unique_campaigns(
    parts: Sequence[tuple[str, Corpus]], notes: list[str]
) -> list[tuple[str, Corpus]]:
    """Give every judgement a campaign, and every campaign a unique name and a condition."""
    result: list[tuple[str, Corpus]] = []
    corpus_of_campaign: dict[str, Corpus] = {}
    for name, corpus in parts:
        labelled = _add_campaign(corpus, name)
        for campaign in _campaigns(labelled):
            if campaign not in corpus_of_campaign:
                continue
            if _shares_judgements(corpus_of_campaign[campaign], labelled, campaign):
                raise UsageError(
                    f"Judgements of the campaign {campaign!r} are there twice; name it once."
                )
            number = 2
            while (new_name := f"{campaign} ({number})") in corpus_of_campaign:
                number += 1
            notes.append(f"There are several campaigns {campaign!r}; a later one is {new_name!r}.")
            labelled = _rename_campaign(labelled, campaign, new_name)
        corpus_of_campaign |= dict.fromkeys(_campaigns(labelled), labelled)
        result.append((name, _add_conditions(labelled)))
    return result


def _add_campaign(corpus: Corpus, name: str) -> Corpus:
    """Set this campaign for all judgements that have none.

    Highlights that annotators saw as a heat map keep none: the campaign did not collect them.
    """
    heat_map = any("heat-map" in (condition.shows or "") for condition in corpus.conditions)
    changes = {
        kind: tuple(
            replace(record, campaign=name) if record.campaign is None else record
            for record in getattr(corpus, kind)
        )
        for kind in _BY_CAMPAIGN
        if not (kind == "highlights" and heat_map)
    }
    return replace(corpus, **changes)


def _campaigns(corpus: Corpus) -> list[str]:
    described = (condition.campaign for condition in corpus.conditions)
    judged = (record.campaign for kind in _BY_CAMPAIGN for record in getattr(corpus, kind))
    return [name for name in dict.fromkeys((*described, *judged)) if name is not None]


def _shares_judgements(corpus: Corpus, other_corpus: Corpus, campaign: str) -> bool:
    judgements, other_judgements = (
        {
            record
            for kind in _BY_CAMPAIGN
            for record in getattr(source, kind)
            if record.campaign == campaign
        }
        for source in (corpus, other_corpus)
    )
    return not judgements.isdisjoint(other_judgements)


def _rename_campaign(corpus: Corpus, old: str, new: str) -> Corpus:
    changes = {
        kind: tuple(
            replace(record, campaign=new) if record.campaign == old else record
            for record in getattr(corpus, kind)
        )
        for kind in (*_BY_CAMPAIGN, "conditions")
    }
    return replace(corpus, **changes)


def _add_conditions(corpus: Corpus) -> Corpus:
    campaigns = {condition.campaign for condition in corpus.conditions}
    missing = (Condition(name) for name in _campaigns(corpus) if name not in campaigns)
    return replace(corpus, conditions=(*corpus.conditions, *missing))


def _separate_annotators(corpus: Corpus, name: str) -> Corpus:
    """Append the campaign to the name of every annotator."""

    def separated(record: Any) -> Any:
        is_shown = getattr(record, "campaign", name) is None
        if record.annotator is None or is_shown:
            return record
        return replace(record, annotator=f"{record.annotator} ({name})")

    changes = {kind: tuple(map(separated, getattr(corpus, kind))) for kind in _BY_ANNOTATOR}
    return replace(corpus, **changes)


def _annotators(corpus: Corpus) -> set[str]:
    """The annotators with a judgement in a campaign."""
    return {
        record.annotator
        for kind in _BY_CAMPAIGN
        for record in getattr(corpus, kind)
        if record.campaign is not None
    }


def _shared_annotators(corpora: Sequence[tuple[str, Corpus]]) -> Iterator[str]:
    """A note that annotators of the same name count as one person, if there are any."""
    earlier: set[str] = set()
    shared: set[str] = set()
    for _, corpus in corpora:
        annotators = _annotators(corpus)
        shared |= earlier & annotators
        earlier |= annotators
    if shared:
        names = sorted(shared)
        more = ", …" if len(names) > _MAX_NAMES else ""
        yield (
            f"Annotators of the same name in several campaigns count as one person: "
            f"{', '.join(names[:_MAX_NAMES])}{more}. If they are different people, as pseudonyms "
            "of separate exports mostly are, use --separate-annotators."
        )


def _find_contradictions(
    corpora: Sequence[tuple[str, Corpus]],
    kind: str,
    key: Callable[[Any], Hashable],
    content: Callable[[Any], Hashable],
    what: str,
) -> Iterator[Problem]:
    """A problem for each record whose content differs between campaigns."""
    first: dict[Hashable, tuple[str, Hashable]] = {}
    for name, corpus in corpora:
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


def _first_by_key(
    corpora: Iterable[Corpus], kind: str, key: Callable[[Any], Hashable]
) -> tuple[Any, ...]:
    first: dict[Hashable, Any] = {}
    for record in _all_records(corpora, kind):
        first.setdefault(key(record), record)
    return tuple(first.values())


def _all_records(corpora: Iterable[Corpus], kind: str) -> tuple[Any, ...]:
    return tuple(record for corpus in corpora for record in getattr(corpus, kind))


def _note_lost_order(corpora: Sequence[tuple[str, Corpus]]) -> Iterator[str]:
    for name, corpus in corpora:
        if corpus.sequence:
            yield (
                f"The order of the judgements of {name!r} was left out, because it says nothing "
                "beside those of other campaigns; study that campaign alone for its decisions."
            )


def _common_sample(corpora: Sequence[tuple[str, Corpus]], notes: list[str]) -> tuple[Any, ...]:
    """How documents were sampled, if it is the same in all campaigns; otherwise a note."""
    samples: Collection[tuple[Any, ...]] = {corpus.sampling for _, corpus in corpora}
    if len(samples) == 1:
        return next(iter(samples))
    notes.append(
        "How documents were sampled was left out, because it is not the same in all campaigns: "
        "means are of the judged documents."
    )
    return ()
