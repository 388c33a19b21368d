"""What a study puts first: the one rule that findings, terminal, report and dashboard follow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gistmark.analysis.correlation.levels import Level
from gistmark.analysis.data.campaigns import split_names
from gistmark.analysis.human.composites import guess_overall
from gistmark.analysis.studies.records import Agreement, Correlation, Finding, Headline, Rank
from gistmark.errors import unknown_name
from gistmark.records import Rating

USUAL_LEVELS: tuple[Level, ...] = ("system", "summary")
"""What papers report beside each other; `global` takes their part where neither is defined."""


def headline_score(names: Sequence[str], overall: str | None = None) -> str | None:
    """The human score that a reader looks at first: the overall dimension, HS3, or the first."""
    for candidate in (overall, guess_overall(names), "HS3", "HS1"):
        if candidate is not None and candidate in names:
            return candidate
    return names[0] if names else None


def overall_by_campaign(ratings: Sequence[Rating], overall: str | None) -> str | None:
    """The overall dimension in its first campaign, where several campaigns judged it."""
    dimensions = list(dict.fromkeys(rating.dimension for rating in ratings))
    if overall is not None and overall not in dimensions:
        raise unknown_name("dimension", overall, dimensions)
    name = guess_overall(dimensions) if overall is None else overall
    split = (new for (dimension, _), new in split_names(ratings).items() if dimension == name)
    return next(split, name)


def choose_headline(
    humans: Sequence[str],
    correlations: Iterable[Correlation],
    ranks: Iterable[Rank],
    *,
    overall: str | None,
    level: Level | None,
    coefficient: str,
) -> Headline:
    """The headline of a study, with the user's choices where there are any."""
    human = headline_score(humans, overall)
    defined = {
        record.level
        for record in correlations
        if (record.human, record.coefficient) == (human, coefficient)
        and record.value is not None
        and not record.given
        and not record.subset
    }
    usual = tuple(name for name in USUAL_LEVELS if name in defined) or ("global",)
    dimensions: dict[str, list[str]] = {"ratings": [], "comparisons": []}
    for rank in ranks:
        if rank.by in dimensions and rank.dimension not in dimensions[rank.by]:
            dimensions[rank.by].append(rank.dimension)
    return Headline(
        human=human,
        ratings=headline_score(dimensions["ratings"], overall),
        comparisons=headline_score(dimensions["comparisons"], overall),
        level=", ".join((level,) if level is not None else usual),
        coefficient=coefficient,
    )


def leading_ranking(findings: Iterable[Finding], ranking: Sequence[Rank]) -> list[Rank]:
    """The ranking that the first finding about systems speaks of, else the first by a metric.

    Systems without a rank are in it too, at its end.
    """
    about = next(((f.by, f.dimension) for f in findings if f.kind == "systems"), None)
    ranked = (record for record in ranking if record.rank is not None)
    first = next((r for r in ranked if about in (None, (r.by, r.dimension))), None)
    if first is None:
        return []
    kind = (first.by, first.dimension, first.method)
    return [record for record in ranking if (record.by, record.dimension, record.method) == kind]


def headline_agreement(records: Iterable[Agreement]) -> list[Agreement]:
    """One statistic for each kind of judgement and dimension: alpha on the scale that suits it.

    For ratings that is the alpha that is marked as `main`; for comparisons the alpha that does not
    depend on sides, for highlights and errors alpha on words, for content units nominal alpha. For
    rankings it is Kendall's tau, for best-worst choices ordinal alpha, for options nominal alpha or
    alpha on sets.
    """
    headlines: dict[tuple[str, str], Agreement] = {}
    for record in records:
        statistics = _HEADLINES.get(record.subject, ("alpha-symmetric", "span-alpha"))
        is_main = record.main if record.subject == "ratings" else record.statistic in statistics
        if is_main and not record.scope:
            headlines.setdefault((record.subject, record.dimension), record)
    return list(headlines.values())


_HEADLINES = {
    "units": ("alpha-nominal",),
    "answers": ("alpha-nominal", "alpha-masi"),
    "rankings": ("kendall-tau",),
    "best-worst": ("alpha-ordinal",),
}
