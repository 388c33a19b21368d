"""Metrics that help people: scores that are stored with a campaign, and what they come to.

A manager brings along a file of scores. Those of the campaign's own summaries are kept, compressed,
until they are replaced or removed, or the campaign is deleted. With them, the statistics of the
campaign have the means and differences of `gistmark study --helper`.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast

from django.db import transaction

from gistmark.corpus import Corpus
from gistmark.errors import GistmarkError, UsageError
from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign, Summary
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.campaigns.services.uploads import read_scores_upload
from gistmark.web.results.models import HelperScores

if TYPE_CHECKING:
    from gistmark.analysis.data.measures import Parts
    from gistmark.analysis.prediction_powered import Population
    from gistmark.scoring import Scores

LARGEST_STORED = 10 * 1024**2
_FILE = "scores.csv"
_WITH_RATINGS = ("rating", "form")


@dataclass(frozen=True, slots=True)
class Helped:
    """What the stored scores come to, as the statistics keep it.

    `records` are those of `gistmark study --helper`, `findings` say in words what they come to;
    `problem` says why there are none.
    """

    helper: str
    population: str
    records: list[dict[str, Any]]
    findings: list[dict[str, Any]]
    problem: str | None = None


def stored_helper(campaign: Campaign) -> HelperScores | None:
    """The scores that are stored with a campaign, without their values."""
    return HelperScores.objects.filter(campaign=campaign).defer("content").first()


@transaction.atomic
def store_helper(
    campaign: Campaign,
    name: str,
    pieces: Iterable[bytes],
    *,
    helper: str,
    population: Population,
    by: User | None,
) -> HelperScores:
    """Keep a file of scores with the campaign, in place of the one before."""
    from gistmark.analysis.data.measures import measures_of
    from gistmark.analysis.prediction_powered.helpers import helper_of

    if campaign.protocol["kind"] not in _WITH_RATINGS:
        raise UsageError("Metrics help with mean ratings, and this campaign asks for none.")
    helper = helper.strip()
    longest = HelperScores.LONGEST_HELPER
    if not 0 < len(helper) <= longest:
        raise UsageError(
            f"The helper is a metric, several with +, or all: at most {longest} characters."
        )
    scores = _of_campaign(read_scores_upload(name, pieces), campaign)
    helper_of(measures_of(scores, parts=_parts(helper)), helper)
    content = _packed(scores)
    stored, _ = HelperScores.objects.update_or_create(
        campaign=campaign,
        defaults={
            "file_name": Path(name.replace("\\", "/")).name[-HelperScores.LONGEST_NAME :],
            "helper": helper,
            "population": population,
            "summaries": scores.summary_count,
            "content": content,
            "digest": sha256(content).hexdigest(),
        },
    )
    record(campaign, by, "helper-stored", helper=helper, summaries=scores.summary_count)
    return stored


@transaction.atomic
def drop_helper(campaign: Campaign, by: User | None) -> None:
    """Delete the scores that are stored with a campaign."""
    deleted, _ = HelperScores.objects.filter(campaign=campaign).delete()
    if deleted:
        record(campaign, by, "helper-removed")


def scores_file(stored: HelperScores) -> bytes:
    """The stored scores as CSV, for `gistmark study --scores`."""
    return zlib.decompress(bytes(stored.content))


def helped(corpus: Corpus, stored: HelperScores) -> Helped:
    """Means and differences of a campaign's export with the help of its scores."""
    try:
        records, findings = _estimated(corpus, stored)
    except GistmarkError as error:
        return Helped(stored.helper, stored.population, [], [], str(error))
    return Helped(stored.helper, stored.population, records, findings)


def _estimated(
    corpus: Corpus, stored: HelperScores
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    from gistmark.analysis import human
    from gistmark.analysis.data.measures import measures_of
    from gistmark.analysis.data.weights import not_at_random, weights_of
    from gistmark.analysis.findings.headline import headline_score
    from gistmark.analysis.findings.metrics import helper_findings
    from gistmark.analysis.prediction_powered import powered_estimates

    if not corpus.ratings:
        raise UsageError("Metrics help with mean ratings, and nobody has rated a summary yet.")
    means = human.dimension_means(corpus.ratings)
    records = powered_estimates(
        measures_of(_unpacked(stored), parts=_parts(stored.helper)), stored.helper, means,
        population=cast("Population", stored.population), weights=weights_of(corpus),
        reason=not_at_random(corpus),
    )  # fmt: skip
    if not records:
        raise UsageError("No summary that people have rated so far has scores of this helper.")
    findings = helper_findings(records, headline_score(means.names))
    return [asdict(each) for each in records], [asdict(each) for each in findings]


def _parts(helper: str) -> Parts:
    from gistmark.analysis.prediction_powered.helpers import EVERY

    return "main" if helper == EVERY else "all"


def _of_campaign(scores: Scores, campaign: Campaign) -> Scores:
    """The scores of the campaign's own summaries."""
    summaries = Summary.objects.filter(document__campaign=campaign)
    known = set(summaries.values_list("document__name", "system"))
    units = list(zip(scores.documents, scores.systems, strict=True))
    kept = [index for index, unit in enumerate(units) if unit in known]
    if not kept:
        raise UsageError(
            "No summary of this campaign has scores in the file: documents and systems must be "
            "named as in the campaign."
        )
    numbers = {index: number for number, index in enumerate(kept)}
    columns = {
        name: replace(
            column,
            values=column.values[kept],
            reasons={numbers[i]: why for i, why in column.reasons.items() if i in numbers},
        )
        for name, column in scores.columns.items()
    }
    chosen = [units[index] for index in kept]
    return replace(
        scores,
        documents=[document for document, _ in chosen],
        systems=[system for _, system in chosen],
        columns=columns,
    )


def _packed(scores: Scores) -> bytes:
    with TemporaryDirectory(prefix="gistmark-scores-") as folder:
        path = Path(folder) / _FILE
        scores.write(path)
        content = zlib.compress(path.read_bytes())
    if len(content) > LARGEST_STORED:
        raise UsageError(
            f"Compressed, the scores are larger than {LARGEST_STORED // 1024**2} MB, which is the "
            "limit; leave out metrics that are not needed."
        )
    return content


def _unpacked(stored: HelperScores) -> Scores:
    return read_scores_upload(_FILE, [scores_file(stored)])
