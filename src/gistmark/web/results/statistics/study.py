"""Agreement and rankings of a campaign, computed by `gistmark.study` from the export.

They are what `gistmark study` finds in the exported corpus, number for number. They are kept with
a fingerprint of the work that counts, so they are computed once for each change and never stale.

Pages have them computed beside the requests, in a thread, by one process at a time. Whoever asks
waits a moment for them. Where they take longer, the ones before are shown with their time, and
those who ask later get the new ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from hashlib import sha256
from statistics import stdev
from typing import Any

from gistmark._version import __version__
from gistmark.corpus import Corpus
from gistmark.web.annotate.outcomes import counting
from gistmark.web.annotate.services.submissions import exported_corpus
from gistmark.web.campaigns.models import Campaign
from gistmark.web.config.errors import ConflictError
from gistmark.web.config.server.threads import run_beside
from gistmark.web.config.storage.transactions import shared_lock
from gistmark.web.results.models import HelperScores, Statistics
from gistmark.web.results.statistics.helping import helped

_ON_WORDS = {"span-f1": "f1", "span-kappa": "kappa"}
_FORM = 8
"""What the statistics consist of; those kept in an older form are computed again."""
MOMENT = 2.0
"""So many seconds a page waits for what is done beside it."""


@dataclass(frozen=True, slots=True)
class StudyResults:
    """The results of a campaign: records of a study, and each annotator's agreement with the rest.

    `findings` say in words what judgements come to, `notes` what a reader should know. `agreement`
    has the records about all annotators together; `ranking` and `pairs` those by people.
    `documents` has for each document what `_of_documents` says. `questions`, `options` and `sets`
    are the records about questions of other types; texts are left to the export. `by_question` has
    for each annotator the agreement with the others in each dimension and question. `sequential`
    has the pairs of an adaptive campaign, `helped` what stored scores come to (`helping.Helped`),
    if there are some. `confidence` has the mean confidence and weight of each dimension.
    """

    findings: list[dict[str, Any]]
    notes: list[dict[str, Any]]
    agreement: list[dict[str, Any]]
    ranking: list[dict[str, Any]]
    pairs: list[dict[str, Any]]
    annotators: dict[str, float | None]
    documents: dict[str, dict[str, float | None]]
    questions: list[dict[str, Any]] = field(default_factory=list)
    options: list[dict[str, Any]] = field(default_factory=list)
    sets: list[dict[str, Any]] = field(default_factory=list)
    by_question: dict[str, dict[str, float | None]] = field(default_factory=dict)
    sequential: list[dict[str, Any]] = field(default_factory=list)
    helped: dict[str, Any] | None = None
    confidence: list[dict[str, Any]] = field(default_factory=list)


def fingerprint_of(campaign: Campaign) -> str:
    """What the statistics depend on: which submissions count, names of annotators, stored scores.

    A submission never changes, but a person can be given another name.
    """
    numbers = counting(campaign).order_by("pk").values_list("pk", flat=True)
    members = campaign.memberships.order_by("pk").values_list("user__username", flat=True)
    stored = HelperScores.objects.filter(campaign=campaign)
    scores = stored.values_list("helper", "population", "digest").first()
    work = f"{','.join(map(str, numbers))}:{','.join(members)}:{scores or ''}"
    return sha256(f"{__version__}:{_FORM}:{work}".encode()).hexdigest()


def known_statistics(campaign: Campaign) -> StudyResults | None:
    """The statistics, if they have been computed for the work as it is now."""
    kept = Statistics.objects.filter(campaign=campaign, fingerprint=fingerprint_of(campaign))
    row = kept.first()
    return None if row is None else StudyResults(**row.content)


def statistics_of(campaign: Campaign) -> StudyResults:
    """The statistics, computed now if they have not been.

    Of several who ask at the same time one computes them, and the others wait for that.
    """
    known = known_statistics(campaign)
    if known is not None:
        return known
    with shared_lock(lock_name(campaign)):
        return known_statistics(campaign) or _computed(campaign)


def lock_name(campaign: Campaign) -> str:
    """The lock that whoever computes the statistics of a campaign holds."""
    return f"statistics-{campaign.pk}"


def older_statistics(campaign: Campaign) -> tuple[StudyResults | None, datetime | None]:
    """Those that were kept last, of whatever work, and of when they are."""
    kept = Statistics.objects.filter(campaign=campaign).first()
    if kept is None or kept.content.keys() != set(StudyResults.__slots__):
        return None, None
    return StudyResults(**kept.content), kept.created_at


def _computed(campaign: Campaign) -> StudyResults:
    fingerprint = fingerprint_of(campaign)
    stored = HelperScores.objects.filter(campaign=campaign).first()
    results = compute(exported_corpus(campaign), stored)
    content = {name: getattr(results, name) for name in StudyResults.__slots__}
    # Work may have come in since; then what was read is newer than the fingerprint says.
    if fingerprint_of(campaign) == fingerprint:
        Statistics.objects.update_or_create(
            campaign=campaign, defaults={"fingerprint": fingerprint, "content": content}
        )
    return results


def compute(corpus: Corpus, stored: HelperScores | None = None) -> StudyResults:
    """The statistics of an exported corpus; `gistmark study` finds the same numbers in it.

    With stored scores it finds them by `--scores` and `--helper`.
    """
    from gistmark.analysis.studies.pipeline import people_study

    records = people_study(corpus).records()
    by_question = _by_question(corpus, records["agreement"])
    return StudyResults(
        findings=records["findings"],
        notes=records["notes"],
        agreement=[record for record in records["agreement"] if not record["scope"]],
        ranking=records["ranking"],
        pairs=records["pairs"],
        annotators=_annotators(corpus, by_question),
        documents=_of_documents(corpus, records["agreement"]),
        questions=records["questions"],
        options=records["options"],
        sets=records["sets"],
        by_question=by_question,
        sequential=records["sequential"],
        confidence=[record for record in records["confidence"] if record["by"] == "dimension"],
        helped=None if stored is None else asdict(helped(corpus, stored)),
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

    if corpus.ratings or corpus.comparisons or corpus.responses or corpus.presence:
        return {}
    return {name: each.value for name, each in annotators_on_words(corpus).items()}


def _annotators(
    corpus: Corpus, by_question: Mapping[str, Mapping[str, float | None]]
) -> dict[str, float | None]:
    """Each annotator's agreement with the rest, as one number.

    It is the mean over the dimensions that were rated, else over those that were compared, else
    over questions with options, else over rankings.
    """
    from gistmark.analysis.human.questions import OPTION_TYPES, SET_TYPES

    kinds = [
        {rating.dimension for rating in corpus.ratings},
        {comparison.dimension for comparison in corpus.comparisons},
        {each.question for each in corpus.responses if each.type in OPTION_TYPES},
        {each.question for each in corpus.responses if each.type in SET_TYPES},
    ]
    names: set[str] = next((kind for kind in kinds if kind), set())
    values = {
        annotator: [value for name, value in own.items() if name in names]
        for annotator, own in by_question.items()
    }
    return _means(values) | _on_words(corpus) | _on_units(corpus)


def _on_units(corpus: Corpus) -> dict[str, float | None]:
    """How often each annotator marks a content unit as most of the others do."""
    from gistmark.analysis.agreement.marks import annotators_on_units

    return {name: each.value for name, each in annotators_on_units(corpus).items()}


def _by_question(
    corpus: Corpus, agreement: list[dict[str, Any]]
) -> dict[str, dict[str, float | None]]:
    """Each annotator's agreement with the others in each dimension and question."""
    from gistmark.analysis.agreement.annotators import respondent_quality
    from gistmark.analysis.agreement.habits import majority_shares
    from gistmark.analysis.data.columns import votes_by_dimension
    from gistmark.analysis.human.questions import questions_of
    from gistmark.analysis.human.sets import sets_of
    from gistmark.analysis.studies.records import AGAINST_REST

    values: dict[str, dict[str, float | None]] = defaultdict(dict)
    for record in agreement:
        if record["statistic"] == AGAINST_REST and record["scope"]:
            values[record["scope"]][record["dimension"]] = record["value"]
    for dimension, votes in votes_by_dimension(corpus.comparisons).items():
        for name, share in zip(votes.annotator_names, majority_shares(votes), strict=True):
            values[name][dimension] = share.value
    questions = questions_of(corpus.responses)
    for quality in respondent_quality(questions, sets_of(questions)):
        if quality.dimension:
            values[quality.annotator][quality.dimension] = quality.agreement
    return dict(values)


def _means(values: Mapping[str, list[float | None]]) -> dict[str, float | None]:
    defined = {name: [v for v in each if v is not None] for name, each in values.items()}
    return {name: sum(each) / len(each) if each else None for name, each in defined.items()}


def statistics_soon(campaign: Campaign) -> tuple[StudyResults | None, datetime | None]:
    """The statistics, and where they are older than the work that counts, of when they are.

    None where there are none yet.
    """
    known = statistics_within(campaign, MOMENT)
    return (known, None) if known is not None else older_statistics(campaign)


def statistics_within(campaign: Campaign, seconds: float) -> StudyResults | None:
    """The statistics of the work as it is now; None where they take longer than so many seconds.

    They go on being computed then.
    """
    known = known_statistics(campaign)
    if known is None:
        pk = campaign.pk
        run_beside(job_name(campaign), lambda: _run(pk), wait=seconds)
        known = known_statistics(campaign)
    return known


def current_statistics(campaign: Campaign) -> StudyResults:
    """The statistics for whoever can do nothing without them; a `ConflictError` asks to wait."""
    known = statistics_within(campaign, MOMENT)
    if known is None:
        raise ConflictError("The statistics are being computed; try again in a moment.")
    return known


def job_name(campaign: Campaign) -> str:
    """The thread that computes the statistics of a campaign, and the lock of all processes."""
    return f"{lock_name(campaign)}-job"


def _run(pk: int) -> None:
    campaign = Campaign.objects.get(pk=pk)
    with shared_lock(job_name(campaign), wait=False) as ours:
        if ours:
            statistics_of(campaign)
