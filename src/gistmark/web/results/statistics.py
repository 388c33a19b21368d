"""Agreement and rankings of a campaign, computed by `gistmark.study` from the export.

They are what `gistmark study` finds in the exported corpus, number for number. They are kept with
a fingerprint of the work that counts, so they are computed once for each change and never stale.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from statistics import stdev
from typing import Any

from gistmark._version import __version__
from gistmark.corpus import Corpus
from gistmark.web.annotate.services import counting, exported_corpus
from gistmark.web.campaigns.models import Campaign
from gistmark.web.results.models import Statistics

_ON_WORDS = {"span-f1": "f1", "span-kappa": "kappa"}
_FORM = 3
"""What the statistics consist of; those kept in an older form are computed again."""


@dataclass(frozen=True, slots=True)
class StudyResults:
    """The results of a campaign: records of a study, and each annotator's agreement with the rest.

    `agreement` has the records about all annotators together; `ranking` and `pairs` those by
    people; `findings` say in words what both come to. `documents` has for each document what
    `_of_documents` says.
    """

    findings: list[dict[str, Any]]
    agreement: list[dict[str, Any]]
    ranking: list[dict[str, Any]]
    pairs: list[dict[str, Any]]
    annotators: dict[str, float | None]
    documents: dict[str, dict[str, float | None]]


def fingerprint_of(campaign: Campaign) -> str:
    """What the statistics depend on: which submissions count, and their annotators' names.

    A submission never changes, but a person can be given another name.
    """
    numbers = counting(campaign).order_by("pk").values_list("pk", flat=True)
    members = campaign.memberships.order_by("pk").values_list("user__username", flat=True)
    work = f"{','.join(map(str, numbers))}:{','.join(members)}"
    return sha256(f"{__version__}:{_FORM}:{work}".encode()).hexdigest()


def known_statistics(campaign: Campaign) -> StudyResults | None:
    """The statistics, if they have been computed for the work as it is now."""
    kept = Statistics.objects.filter(campaign=campaign, fingerprint=fingerprint_of(campaign))
    row = kept.first()
    return None if row is None else StudyResults(**row.content)


def statistics_of(campaign: Campaign) -> StudyResults:
    """The statistics, computed now if they have not been."""
    fingerprint = fingerprint_of(campaign)
    kept = Statistics.objects.filter(campaign=campaign, fingerprint=fingerprint).first()
    if kept is not None:
        return StudyResults(**kept.content)
    results = compute(exported_corpus(campaign))
    content = {name: getattr(results, name) for name in StudyResults.__slots__}
    # Work may have come in since; then what was read is newer than the fingerprint says.
    if fingerprint_of(campaign) == fingerprint:
        Statistics.objects.update_or_create(
            campaign=campaign, defaults={"fingerprint": fingerprint, "content": content}
        )
    return results


def compute(corpus: Corpus) -> StudyResults:
    """The statistics of an exported corpus; `gistmark study` finds the same numbers in it."""
    from gistmark.analysis.pipeline import people_study

    records = people_study(corpus).records()
    return StudyResults(
        findings=records["findings"],
        agreement=[record for record in records["agreement"] if not record["scope"]],
        ranking=records["ranking"],
        pairs=records["pairs"],
        annotators=_against_rest(records["agreement"]) | _with_majority(corpus) | _on_words(corpus),
        documents=_of_documents(corpus, records["agreement"]),
    )


def _of_documents(
    corpus: Corpus, agreement: list[dict[str, Any]]
) -> dict[str, dict[str, float | None]]:
    """How far annotators agree on each document.

    `f1` and `kappa` are the study's, on words that were highlighted; `deviation` is the mean of the
    standard deviations of the ratings of a summary in a dimension, where there are two or more.
    """
    documents: dict[str, dict[str, float | None]] = defaultdict(dict)
    for record in agreement:
        if record["statistic"] in _ON_WORDS and record["scope"]:
            documents[record["scope"]][_ON_WORDS[record["statistic"]]] = record["value"]
    ratings: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for each in corpus.ratings:
        ratings[each.document, each.system, each.dimension].append(each.value)
    deviations: dict[str, list[float | None]] = defaultdict(list)
    for (document, _, _), values in ratings.items():
        deviations[document].append(stdev(values) if len(values) > 1 else None)
    for document, mean in _means(deviations).items():
        documents[document]["deviation"] = mean
    return dict(documents)


def _on_words(corpus: Corpus) -> dict[str, float | None]:
    """How far each annotator highlights the words that others do.

    Where summaries were judged, highlights are those that were shown, and nobody's work here.
    """
    from gistmark.analysis.agreement.highlights import annotators_on_words

    if corpus.ratings or corpus.comparisons:
        return {}
    return {name: each.value for name, each in annotators_on_words(corpus).items()}


def _against_rest(agreement: list[dict[str, Any]]) -> dict[str, float | None]:
    """Each rater's mean correlation with the mean of the others, over dimensions."""
    from gistmark.analysis.records import AGAINST_REST

    values: dict[str, list[float | None]] = defaultdict(list)
    for record in agreement:
        if record["statistic"] == AGAINST_REST and record["scope"]:
            values[record["scope"]].append(record["value"])
    return _means(values)


def _with_majority(corpus: Corpus) -> dict[str, float | None]:
    """How often each voter chooses as the majority of the others, as a mean over dimensions."""
    from gistmark.analysis.agreement.annotators import majority_shares
    from gistmark.analysis.columns import votes_by_dimension

    values: dict[str, list[float | None]] = defaultdict(list)
    for votes in votes_by_dimension(corpus.comparisons).values():
        for name, share in zip(votes.annotator_names, majority_shares(votes), strict=True):
            values[name].append(share.value)
    return _means(values)


def _means(values: Mapping[str, list[float | None]]) -> dict[str, float | None]:
    defined = {name: [v for v in each if v is not None] for name, each in values.items()}
    return {name: sum(each) / len(each) if each else None for name, each in defined.items()}
