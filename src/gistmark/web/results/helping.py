"""A campaign's ratings with metrics' help, from a file of scores that a manager brings along."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmark.errors import UsageError
from gistmark.web.annotate.services import exported_corpus
from gistmark.web.campaigns.models import Campaign

if TYPE_CHECKING:
    from gistmark.analysis.prediction_powered import Population, Powered
    from gistmark.analysis.records import Finding
    from gistmark.scoring import Scores


def helped(
    campaign: Campaign, scores: Scores, helper: str, population: Population
) -> tuple[list[Powered], list[Finding]]:
    """Means and differences as `gistmark study --helper` has them, and what they come to."""
    from gistmark.analysis import human
    from gistmark.analysis.findings.headline import headline_score
    from gistmark.analysis.findings.helpers import helper_findings
    from gistmark.analysis.measures import measures_of
    from gistmark.analysis.prediction_powered import powered_estimates
    from gistmark.analysis.prediction_powered.helpers import EVERY
    from gistmark.analysis.weights import not_at_random, weights_of

    corpus = exported_corpus(campaign)
    if not corpus.ratings:
        raise UsageError("Metrics help with mean ratings, and nobody has rated a summary yet.")
    means = human.dimension_means(corpus.ratings)
    records = powered_estimates(
        measures_of(scores, parts="main" if helper == EVERY else "all"), helper, means,
        population=population, weights=weights_of(corpus), reason=not_at_random(corpus),
    )  # fmt: skip
    if not records:
        raise UsageError(
            "No summary that people rated has scores in this file: documents and systems must be "
            "named as in the campaign."
        )
    return list(records), list(helper_findings(records, headline_score(means.names)))
