"""Results: progress, times, annotators, findings, agreement, systems and pairs.

Statistics are computed beside the request; where they take long, the answer is a 202.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from datetime import date
from operator import attrgetter
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Schema, Status
from pydantic import Field

from gistmark.analysis.studies.records import Agreement, Finding, Note, Pair, Rank
from gistmark.errors import unknown_name
from gistmark.web.api.access import managed
from gistmark.web.api.schemas import Key, Name, responses
from gistmark.web.campaigns.models import Campaign
from gistmark.web.config.errors import RETRY_AFTER
from gistmark.web.results.dashboard.dashboard import dashboard_of
from gistmark.web.results.dashboard.pace import read_rate
from gistmark.web.results.dashboard.progress import annotators_of, progress_of
from gistmark.web.results.statistics.study import StudyResults, statistics_within

router = Router()


class Waiting(Schema):
    """How many seconds to wait for what is computed beside the request, before a 202."""

    wait: Annotated[float, Field(ge=0, le=60)] = 20.0


class PendingOut(Schema):
    """What was asked for is being computed; ask for the same again after `retry_after` seconds."""

    detail: str
    retry_after: int = RETRY_AFTER


_PENDING = PendingOut(detail="The statistics are being computed; ask again in a moment.")


def _with_statistics(
    request: HttpRequest,
    campaign: Campaign,
    wait: float,
    read: Callable[[StudyResults], Any],
    response: HttpResponse,
) -> Status[Any]:
    """What is read from the statistics, or word that they are not there yet."""
    statistics = statistics_within(campaign, wait)
    if statistics is not None:
        return Status(200, read(statistics))
    response.headers["Retry-After"] = str(RETRY_AFTER)
    response.headers["Location"] = request.get_full_path()
    return Status(202, _PENDING)


def _soon(model: Any) -> dict[Any, Any]:
    return responses(model) | {202: PendingOut}


class ProgressOut(Schema):
    """Tasks by state; `wanted` is how many will count, `flagged` how many no manager has looked at.

    What is `done` is either accepted or, where a check flagged it and no manager has decided,
    undecided. What is `paid` does not count but is paid; what is `late` came after its slot had
    gone, and waits for a manager.
    """

    wanted: int
    accepted: int
    undecided: int
    open: int
    held: int
    done: int
    paid: int
    rejected: int
    late: int
    lapsed: int
    flagged: int


class TimesOut(Schema):
    """Seconds of accepted tasks: quartiles, and the median of an item, planted ones included.

    `end` is when the work that is left will be done at the pace of the last `days` days, `per_day`
    tasks a day; it is null where there is too little to go by, or where it is more than a year
    away. `per_hour` is what the median annotator earns at the rate that was given for each task
    that is not rejected.
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
    paid: int
    late: int
    rejected: int
    held: int
    to_review: int
    seconds: float
    agreement: float | None


class OptionOut(Schema):
    """The share of the answers about a system that have an option; an empty `system` is all."""

    system: str
    option: str
    count: int
    n: int
    share: float
    low: float | None
    high: float | None


class SetScoreOut(Schema):
    """A system's mean rank, or how often it was best minus how often worst, per time shown."""

    system: str
    value: float
    low: float | None
    high: float | None
    first: int
    last: int
    n: int


class QuestionResultOut(Schema):
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


class PairsWanted(Schema):
    """Whose pairs to list: those of one dimension, or without a dimension those of all."""

    dimension: Name = ""


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


@router.get("/{key}/results/annotators", response=_soon(list[AnnotatorOut]), summary="Annotators")
def get_annotators(
    request: HttpRequest, response: HttpResponse, key: Key, waiting: Query[Waiting]
) -> Status[Any]:
    """How each annotator is doing."""
    campaign = managed(request, key)

    def read(statistics: StudyResults) -> Any:
        return [asdict(each) for each in annotators_of(campaign, statistics.annotators)]

    return _with_statistics(request, campaign, waiting.wait, read, response)


@router.get("/{key}/results/agreement", response=_soon(list[Agreement]), summary="Agreement")
def get_agreement(
    request: HttpRequest, response: HttpResponse, key: Key, waiting: Query[Waiting]
) -> Status[Any]:
    """How far annotators agree, from the work that counts."""
    read = attrgetter("agreement")
    return _with_statistics(request, managed(request, key), waiting.wait, read, response)


@router.get("/{key}/results/ratings", response=_soon(list[Rank]), summary="Systems")
def get_ratings(
    request: HttpRequest, response: HttpResponse, key: Key, waiting: Query[Waiting]
) -> Status[Any]:
    """The systems by the judgements of people, with 95 % intervals."""
    read = attrgetter("ranking")
    return _with_statistics(request, managed(request, key), waiting.wait, read, response)


@router.get("/{key}/results/findings", response=_soon(list[Finding]), summary="Findings")
def get_findings(
    request: HttpRequest, response: HttpResponse, key: Key, waiting: Query[Waiting]
) -> Status[Any]:
    """What the work that counts comes to, in words, with the numbers behind every sentence."""
    read = attrgetter("findings")
    return _with_statistics(request, managed(request, key), waiting.wait, read, response)


@router.get("/{key}/results/notes", response=_soon(list[Note]), summary="Notes")
def get_notes(
    request: HttpRequest, response: HttpResponse, key: Key, waiting: Query[Waiting]
) -> Status[Any]:
    """What a reader of the results should know about the work that counts."""
    read = attrgetter("notes")
    return _with_statistics(request, managed(request, key), waiting.wait, read, response)


@router.get(
    "/{key}/results/questions", response=_soon(list[QuestionResultOut]), summary="Questions"
)
def get_questions(
    request: HttpRequest, response: HttpResponse, key: Key, waiting: Query[Waiting]
) -> Status[Any]:
    """What was answered to questions that are neither ratings nor comparisons, without texts."""
    campaign = managed(request, key)
    return _with_statistics(request, campaign, waiting.wait, _questions, response)


@router.get("/{key}/results/pairs", response=_soon(list[Pair]), summary="Pairs of systems")
def get_pairs(
    request: HttpRequest,
    response: HttpResponse,
    key: Key,
    wanted: Query[PairsWanted],
    waiting: Query[Waiting],
) -> Status[Any]:
    """Every two systems of every ranking, tested against each other; or those of one dimension."""
    campaign = managed(request, key)

    def read(statistics: StudyResults) -> Any:
        return _pairs(statistics, wanted.dimension)

    return _with_statistics(request, campaign, waiting.wait, read, response)


def _questions(statistics: StudyResults) -> list[dict[str, Any]]:
    return [
        {
            **question,
            "options": [o for o in statistics.options if o["question"] == question["question"]],
            "sets": [s for s in statistics.sets if s["question"] == question["question"]],
        }
        for question in statistics.questions
    ]


def _pairs(statistics: StudyResults, dimension: str) -> list[dict[str, Any]]:
    dimensions = list(dict.fromkeys(record["dimension"] for record in statistics.ranking))
    if not dimension or not dimensions:
        return statistics.pairs
    if dimension not in dimensions:
        raise unknown_name("dimension", dimension, dimensions)
    return [pair for pair in statistics.pairs if pair["dimension"] == dimension]
