"""Judgements by campaign: which campaigns share a dimension, and each campaign's kept apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from gistmark.corpus import Corpus
from gistmark.records import Comparison, Rating, Response

NO_CAMPAIGN = "no campaign"
"""What judgements without a campaign are called beside those of campaigns."""

Judgement = Rating | Comparison | Response


def campaign_name(campaign: str | None) -> str:
    """The name of a judgement's campaign."""
    return NO_CAMPAIGN if campaign is None else campaign


def campaigns_by_dimension(judgements: Iterable[Judgement]) -> dict[str, list[str]]:
    """The campaigns in which each dimension, or question, was judged."""
    campaigns: dict[str, dict[str, None]] = {}
    for judgement in judgements:
        name = campaign_name(judgement.campaign)
        campaigns.setdefault(_dimension(judgement), {})[name] = None
    return {dimension: list(names) for dimension, names in campaigns.items()}


def split_names(judgements: Iterable[Judgement]) -> dict[tuple[str, str], str]:
    """The name of a dimension in a campaign, where several campaigns share the dimension."""
    return {
        (dimension, campaign): f"{dimension} ({campaign})"
        for dimension, campaigns in campaigns_by_dimension(judgements).items()
        if len(campaigns) > 1
        for campaign in campaigns
    }


def by_campaign(corpus: Corpus, *, like: Corpus | None = None) -> Corpus:
    """The corpus with a dimension for each campaign, where several campaigns share one.

    `recall` of the campaigns A and B becomes `recall (A)` and `recall (B)`, which are then studied
    like any two dimensions. Highlights, marks of content units and marked errors have no dimension
    and stay as they are. `like` is the corpus that this one is a part of.
    """
    whole = corpus if like is None else like
    ratings = split_names(whole.ratings)
    comparisons = split_names(whole.comparisons)
    responses = split_names(whole.responses)
    return replace(
        corpus,
        ratings=tuple(replace(r, dimension=_split(r, ratings)) for r in corpus.ratings),
        comparisons=tuple(replace(c, dimension=_split(c, comparisons)) for c in corpus.comparisons),
        responses=tuple(replace(r, question=_split(r, responses)) for r in corpus.responses),
    )


def scales_by_campaign(
    corpus: Corpus, scales: Mapping[str, tuple[float, float]]
) -> dict[str, tuple[float, float]]:
    """The scales of dimensions by the names that these have in each campaign."""
    split = {name: scales[key[0]] for key, name in split_names(corpus.ratings).items()
             if key[0] in scales}  # fmt: skip
    return {**scales, **split}


def parts_by_campaign(corpus: Corpus, kind: str) -> list[tuple[str, Corpus]]:
    """Each campaign's records of a kind without dimensions, beside all else of the corpus."""
    groups: dict[str, list[Any]] = {}
    for record in getattr(corpus, kind):
        groups.setdefault(campaign_name(record.campaign), []).append(record)
    return [(name, replace(corpus, **{kind: tuple(records)})) for name, records in groups.items()]


def _dimension(judgement: Judgement) -> str:
    return judgement.question if isinstance(judgement, Response) else judgement.dimension


def _split(judgement: Judgement, names: Mapping[tuple[str, str], str]) -> str:
    dimension = _dimension(judgement)
    return names.get((dimension, campaign_name(judgement.campaign)), dimension)
