"""Fewer judgements: the sample of documents, and adaptive campaigns that stop."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import File, Form, Router, Schema
from ninja.files import UploadedFile
from pydantic import Field

from gistmark.web.annotate.services.adaptive import go_on, stop
from gistmark.web.api.access import managed, person
from gistmark.web.api.schemas import Count, Key, Name, responses
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.corpora import sample_of
from gistmark.web.campaigns.services.fewer import (
    AdaptiveSettings,
    adaptive_settings,
    choose_sample,
    drop_sample,
    let_stop,
    make_adaptive,
)
from gistmark.web.campaigns.services.uploads import read_scores_upload
from gistmark.web.results.statistics.decisions import decisions_of
from gistmark.web.results.statistics.study import known_statistics

router = Router()


class SampledOut(Schema):
    """A document that is judged, and its probability of being chosen; null if not at random."""

    document: str
    method: str
    probability: float | None
    seed: int | None


class SampleOut(Schema):
    """The documents that are judged; an empty list means all of the corpus."""

    sampled: list[SampledOut]


class SampleWanted(Schema):
    """How many documents are judged, and how they are chosen.

    For `means` they are drawn with known probabilities; for the `ranking` the most informative ones
    are taken. `metric` names one of the uploaded scores.
    """

    size: Count = 0
    by: Literal["random", "stratified", "metric-variance", "diversity", "consistency"] = "random"
    purpose: Literal["means", "ranking"] = "means"
    strata: Literal["length", "lang", "metric"] = "length"
    metric: Name = ""
    seed: Count = 0


class AdaptiveIn(Schema):
    """The rule of an adaptive campaign; with `enabled` false it is not adaptive.

    `level` is the probability of any false decision, `margin` a difference that does not matter,
    `floor` the share of tasks that chance alone chooses. Once the campaign has started, only
    `stops` may change.
    """

    enabled: bool = True
    dimension: Name = ""
    level: Annotated[float, Field(gt=0, lt=0.5)] = 0.05
    margin: Annotated[float, Field(ge=0)] = 0.0
    floor: Annotated[float, Field(gt=0, le=1)] = 0.1
    stops: bool = True


class DecidedPairOut(Schema):
    """Two systems by the campaign's own rule, as `study.json` has them under `sequential`."""

    dimension: str
    left: str
    right: str
    difference: float | None
    low: float | None
    high: float | None
    n: int
    decided: str
    through: bool
    after: int | None
    judgements: int
    level: float
    margin: float
    reason: str | None


class AdaptiveOut(Schema):
    """An adaptive campaign: its settings, its progress, and since when it has stopped.

    `decided` to `sentence` are null before the start. `more` forecasts how many judgements the
    undecided pairs still need; `close` counts the pairs for which no forecast is possible.
    """

    enabled: bool
    dimension: str
    level: float
    margin: float
    floor: float
    stops: bool
    decided: int | None
    pairs: int | None
    more: int | None
    close: int | None
    sentence: str | None
    stopped_at: datetime | None
    known_pairs: list[DecidedPairOut]


class StopIn(Schema):
    """Whether to stop giving out tasks, or to go on."""

    action: Literal["stop", "go-on"]


@router.get("/{key}/sample", response=responses(SampleOut), summary="The sampled documents")
def get_sample(request: HttpRequest, key: Key) -> dict[str, Any]:
    """Which documents of the corpus are judged, and how they were chosen."""
    return _sample(managed(request, key))


@router.post("/{key}/sample", response=responses(SampleOut), summary="Choose documents")
def set_sample(
    request: HttpRequest,
    key: Key,
    wanted: Form[SampleWanted],
    scores: File[UploadedFile | None] = None,
) -> dict[str, Any]:
    """Choose the documents of a draft that are judged; `scores` is a file of `gistmark score`."""
    from gistmark.analysis.sampling import Request

    campaign = managed(request, key)
    read = None if scores is None else read_scores_upload(scores.name or "", scores.chunks())
    asked = Request(
        wanted.size, wanted.by, wanted.purpose, wanted.strata, wanted.metric or None, wanted.seed
    )
    choose_sample(campaign, asked, person(request), read)
    return _sample(campaign)


@router.delete("/{key}/sample", response=responses(SampleOut), summary="Judge all documents")
def delete_sample(request: HttpRequest, key: Key) -> dict[str, Any]:
    """Let all documents of a draft be judged again."""
    campaign = managed(request, key)
    drop_sample(campaign, person(request))
    return _sample(campaign)


@router.get("/{key}/adaptive", response=responses(AdaptiveOut), summary="Adaptive allocation")
def get_adaptive(request: HttpRequest, key: Key) -> dict[str, Any]:
    """How the campaign chooses its tasks, what it has decided, and whether it has stopped."""
    return _adaptive(managed(request, key))


@router.put("/{key}/adaptive", response=responses(AdaptiveOut), summary="Set adaptive allocation")
def set_adaptive(request: HttpRequest, key: Key, wanted: AdaptiveIn) -> dict[str, Any]:
    """Let a draft choose its tasks adaptively; later, only whether it stops by itself."""
    campaign, user = managed(request, key), person(request)
    if campaign.state == Campaign.State.DRAFT:
        given = wanted.dict()
        enabled = given.pop("enabled")
        make_adaptive(campaign, AdaptiveSettings(**given) if enabled else None, user)
    else:
        let_stop(campaign, wanted.stops, user)
    return _adaptive(campaign)


@router.post("/{key}/adaptive/stop", response=responses(AdaptiveOut), summary="Stop or go on")
def stop_adaptive(request: HttpRequest, key: Key, wanted: StopIn) -> dict[str, Any]:
    """Give out no more tasks, or go on; what annotators hold they may always finish."""
    campaign = managed(request, key)
    (stop if wanted.action == "stop" else go_on)(campaign, person(request))
    return _adaptive(campaign)


def _sample(campaign: Campaign) -> dict[str, Any]:
    return {"sampled": [asdict(each) for each in sample_of(campaign)]}


def _adaptive(campaign: Campaign) -> dict[str, Any]:
    settings = adaptive_settings(campaign) or AdaptiveSettings()
    statistics = known_statistics(campaign)
    known = decisions_of(campaign, statistics.sequential if statistics else ())
    counts = dict.fromkeys(("decided", "pairs", "more", "close", "sentence"))
    return {
        "enabled": campaign.adaptive is not None,
        **asdict(settings),
        **(counts if known is None else asdict(known.outlook)),
        "stopped_at": None if known is None else known.stopped_at,
        "known_pairs": [] if known is None else list(known.pairs),
    }
