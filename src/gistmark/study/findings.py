"""What a study found out, in a few plain sentences."""

from __future__ import annotations

from collections.abc import Iterator

from gistmark.study.records import Agreement, Rank
from gistmark.study.results import Study, best_metrics
from gistmark.study.study import headline_score


def headline_findings(study: Study) -> list[str]:
    """Who is best, which metric follows people best, and how far people agree."""
    return [*_best_systems(study), *_best_metrics(study), *_agreement(study)]


def human_names(study: Study) -> list[str]:
    """The human scores of a study, in order."""
    return list(dict.fromkeys(score.human for score in study.human_scores))


def _best_systems(study: Study) -> Iterator[str]:
    for by in ("ratings", "comparisons"):
        records = [record for record in study.ranking if record.by == by]
        dimensions = list(dict.fromkeys(record.dimension for record in records))
        if not dimensions:
            continue
        chosen = headline_score(dimensions)
        first = [
            record
            for record in records
            if record.dimension == chosen and record.cluster == 1 and record.value is not None
        ]
        methods = dict.fromkeys(record.method for record in first)
        for method in list(methods)[:1]:
            best = [record for record in first if record.method == method]
            yield f"Best by {by} of {chosen} ({method}): {', '.join(map(_standing, best))}."


def _standing(record: Rank) -> str:
    bounds = "" if record.low is None else f" [{record.low:.3f}, {record.high:.3f}]"
    return f"{record.system} {record.value:.3f}{bounds}"


def _best_metrics(study: Study) -> Iterator[str]:
    names = human_names(study)
    if not names:
        return
    human = headline_score(names)
    ranked = best_metrics(study, human)[:3]
    if ranked:
        shown = ", ".join(
            f"{record.metric}.{record.part} {record.value:.3f}"
            + ("" if record.low is None else f" [{record.low:.3f}, {record.high:.3f}]")
            for record in ranked
        )
        yield f"Closest to people ({human}, Spearman over all summaries): {shown}."


def _agreement(study: Study) -> Iterator[str]:
    headline: dict[tuple[str, str], Agreement] = {}
    for record in study.agreement:
        telling = record.statistic in ("alpha-symmetric", "span-alpha") or (
            record.statistic.startswith("alpha-") and record.low is not None
        )
        if telling and not record.scope and record.value is not None:
            headline.setdefault((record.subject, record.dimension), record)
    for (subject, dimension), record in headline.items():
        about = f" of {dimension}" if dimension else ""
        bounds = "" if record.low is None else f" [{record.low:.3f}, {record.high:.3f}]"
        yield f"Agreement on {subject}{about} ({record.statistic}): {record.value:.3f}{bounds}."
