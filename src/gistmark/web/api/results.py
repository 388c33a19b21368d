"""Results: progress, times, annotators, findings, agreement, systems, pairs, and the export."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date
from typing import Annotated, Any, Literal

from django.http import FileResponse, HttpRequest
from ninja import Query, Router, Schema
from pydantic import AfterValidator, WithJsonSchema

from gistmark.errors import unknown_name
from gistmark.web.api.access import managed, person
from gistmark.web.api.schemas import Key, Name, responses
from gistmark.web.campaigns.services import record
from gistmark.web.results.catalogue import EXPORTS
from gistmark.web.results.dashboard import dashboard_of
from gistmark.web.results.exports import Choices, download
from gistmark.web.results.pace import read_rate
from gistmark.web.results.progress import annotators_of, progress_of
from gistmark.web.results.statistics import statistics_of

router = Router()


def _known(name: str) -> str:
    if name not in EXPORTS:
        raise ValueError(f"it is none of {', '.join(EXPORTS)}")
    return name


Format = Annotated[
    str,
    AfterValidator(_known),
    WithJsonSchema({"type": "string", "enum": list(EXPORTS)}),
]


class ProgressOut(Schema):
    """Tasks by state; `wanted` is how many will count, `flagged` how many wait for a manager.

    What is `done` is either accepted or, where a check flagged it and no manager has decided,
    undecided.
    """

    wanted: int
    accepted: int
    undecided: int
    open: int
    held: int
    done: int
    rejected: int
    lapsed: int
    flagged: int


class TimesOut(Schema):
    """Seconds of accepted tasks: quartiles, and the median of an item, planted ones included.

    The end is that of the work that is left, at `per_day` tasks a day in the last `days` days; it
    is null where there is too little to go by, or where it is more than a year away. `per_hour` is
    what the median annotator earns at the rate that was given for each submitted task.
    """

    n: int
    low: float | None
    median: float | None
    high: float | None
    item: float | None
    per_day: float | None
    days: float | None
    end: date | None
    per_hour: float | None


class RateWanted(Schema):
    """What is paid for a task, in any currency."""

    rate: Name = ""


class AnnotatorOut(Schema):
    """One annotator's work; agreement with the rest is null where it is not defined."""

    name: str
    done: int
    undecided: int
    rejected: int
    held: int
    to_review: int
    seconds: float
    agreement: float | None


class AgreementOut(Schema):
    """A statistic of agreement, as `study.json` has it."""

    subject: str
    dimension: str
    statistic: str
    scope: str
    value: float | None
    low: float | None
    high: float | None
    chance: float | None
    n: int
    reason: str | None


class RankOut(Schema):
    """A system's value and rank in one dimension, as `study.json` has it."""

    by: str
    dimension: str
    method: str
    system: str
    value: float | None
    low: float | None
    high: float | None
    rank: float | None
    letters: str | None
    cluster: int | None
    n: int
    reason: str | None


class PairOut(Schema):
    """Two systems of one ranking, the better one left, as `study.json` has it.

    `low` and `high` hold every difference that the test does not reject at 5 %; `p_corrected` is
    corrected by Holm among all pairs of the ranking.
    """

    by: str
    dimension: str
    method: str
    left: str
    right: str
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    p_corrected: float | None
    effect: float | None
    wins: float | None
    test: str
    n: int
    reason: str | None


class OptionOut(Schema):
    """The share of the answers about a system that have an option; no system is all of them."""

    system: str
    option: str
    count: int
    n: int
    share: float
    low: float | None
    high: float | None


class SetScoreOut(Schema):
    """A system's mean rank, or its times best less its times worst over the times shown."""

    system: str
    value: float
    low: float | None
    high: float | None
    first: int
    last: int
    n: int


class QuestionOut(Schema):
    """A question with the shares of its options, or the scores of systems by its rankings."""

    question: str
    type: str
    answers: int
    annotators: int
    documents: int
    systems: int
    characters: float | None
    options: list[OptionOut]
    sets: list[SetScoreOut]


class FindingOut(Schema):
    """A conclusion in words, with the numbers that it rests on, as `study.json` has it."""

    kind: str
    text: str
    detail: str
    by: str
    dimension: str
    level: str
    coefficient: str
    name: str
    value: float | None
    low: float | None
    high: float | None
    p: float | None
    compared: int | None
    n: int | None


class PairsWanted(Schema):
    """Whose pairs to list: those of one dimension, or without a dimension those of all."""

    dimension: Name = ""


class ExportWanted(Schema):
    """Whether annotators keep their names, and whether rejected work comes along.

    Work that is flagged and undecided is left out, or counted as accepted work is. What was decided
    in adjudication comes as a file of its own in a folder; with `adjudicated` it also stands in
    place of what annotators said.
    """

    names: bool = False
    rejected: bool = False
    undecided: Literal["leave-out", "count"] = "leave-out"
    adjudicated: bool = False


@router.get("/{key}/results/progress", response=responses(ProgressOut), summary="Progress")
def get_progress(request: HttpRequest, key: Key) -> dict[str, int]:
    """How far the campaign has come."""
    campaign = managed(request, key)
    progress = progress_of([campaign])[campaign.pk]
    return asdict(progress) | {"wanted": progress.wanted, "accepted": progress.accepted}


@router.get("/{key}/results/times", response=responses(TimesOut), summary="Times and pay")
def get_times(request: HttpRequest, key: Key, wanted: Query[RateWanted]) -> dict[str, Any]:
    """How long work takes, when it will end, and what an hour of it earns."""
    board = dashboard_of(managed(request, key), compute="no", rate=read_rate(wanted.rate))
    timings, forecast = board.timings, board.forecast
    return {
        "n": timings.n,
        "low": timings.low,
        "median": timings.median,
        "high": timings.high,
        "item": board.pace.item_seconds,
        "per_day": None if forecast is None else forecast.per_day,
        "days": None if forecast is None else forecast.days,
        "end": None if forecast is None else forecast.end,
        "per_hour": None if board.pay is None else board.pay.median,
    }


@router.get(
    "/{key}/results/annotators", response=responses(list[AnnotatorOut]), summary="Annotators"
)
def get_annotators(request: HttpRequest, key: Key) -> list[dict[str, Any]]:
    """How each annotator is doing."""
    campaign = managed(request, key)
    annotators = annotators_of(campaign, statistics_of(campaign).annotators)
    return [asdict(each) for each in annotators]


@router.get("/{key}/results/agreement", response=responses(list[AgreementOut]), summary="Agreement")
def get_agreement(request: HttpRequest, key: Key) -> list[dict[str, Any]]:
    """How far annotators agree, from the work that counts."""
    return statistics_of(managed(request, key)).agreement


@router.get("/{key}/results/ratings", response=responses(list[RankOut]), summary="Systems")
def get_ratings(request: HttpRequest, key: Key) -> list[dict[str, Any]]:
    """The systems by the judgements of people, with 95 % intervals."""
    return statistics_of(managed(request, key)).ranking


@router.get("/{key}/results/findings", response=responses(list[FindingOut]), summary="Findings")
def get_findings(request: HttpRequest, key: Key) -> list[dict[str, Any]]:
    """What the work that counts comes to, in words, with the numbers behind every sentence."""
    return statistics_of(managed(request, key)).findings


@router.get("/{key}/results/questions", response=responses(list[QuestionOut]), summary="Questions")
def get_questions(request: HttpRequest, key: Key) -> list[dict[str, Any]]:
    """What was answered to questions that are neither ratings nor comparisons, without texts."""
    statistics = statistics_of(managed(request, key))
    return [
        {
            **question,
            "options": [o for o in statistics.options if o["question"] == question["question"]],
            "sets": [s for s in statistics.sets if s["question"] == question["question"]],
        }
        for question in statistics.questions
    ]


@router.get("/{key}/results/pairs", response=responses(list[PairOut]), summary="Pairs of systems")
def get_pairs(request: HttpRequest, key: Key, wanted: Query[PairsWanted]) -> list[dict[str, Any]]:
    """Every two systems of every ranking, tested against each other; or those of one dimension."""
    statistics = statistics_of(managed(request, key))
    dimensions = list(dict.fromkeys(record["dimension"] for record in statistics.ranking))
    if not wanted.dimension or not dimensions:
        return statistics.pairs
    if wanted.dimension not in dimensions:
        raise unknown_name("dimension", wanted.dimension, dimensions)
    return [pair for pair in statistics.pairs if pair["dimension"] == wanted.dimension]


@router.get("/{key}/export/{format}", summary="Export", response=responses(None))
def export_campaign(
    request: HttpRequest,
    key: Key,
    format: Format,
    wanted: Query[ExportWanted],
) -> FileResponse:
    """The work that counts as a file; a folder comes as a ZIP archive."""
    campaign = managed(request, key)
    choices = Choices(**wanted.dict() | {"undecided": wanted.undecided == "count"})
    response = download(campaign, format, choices)
    record(campaign, person(request), "exported", format=format, **asdict(choices))
    return response
