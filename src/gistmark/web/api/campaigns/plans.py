"""Plans: how many documents and annotators a campaign needs, and a draft with these numbers."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from gistmark.web.annotate.services.launch import use_plan
from gistmark.web.api.access import managed, person
from gistmark.web.api.schemas import Count, Key, Name, responses
from gistmark.web.results.planning import Wanted, planning_of

router = Router()
Positive = Annotated[float, Field(gt=0, lt=1e9)]
Size = Annotated[float, Field(ge=0, lt=1e9)]
Share = Annotated[float, Field(ge=0, lt=1)]


class PlanWanted(Schema):
    """What to detect: a `difference` in points of ratings, or a `share` of choices above 0.5.

    `pilot` is the key of a campaign that you manage, whose work says how far judgements spread;
    without one, `summary_sd`, `residual_sd`, `annotator_sd` and `severity_sd` do for ratings, and
    `document_correlation` and `annotator_correlation` for choices.
    """

    difference: Positive | None = None
    share: Share | None = None
    pilot: Annotated[str, Field(pattern="^([0-9a-f]{10})?$")] = ""
    summary_sd: Size | None = None
    residual_sd: Size | None = None
    annotator_sd: Size = 0.0
    severity_sd: Size = 0.0
    document_correlation: Share = 0.0
    annotator_correlation: Share = 0.0
    power: Annotated[float, Field(gt=0, lt=1)] = 0.8
    over: Literal["documents", "both"] = "documents"
    seconds: Positive | None = None
    rate: Positive | None = None


class PlanOut(Schema):
    """One plan; `power` has the standard error `error`, and `width` is null for few documents."""

    documents: int
    annotators: int
    systems: int
    judgements: int
    power: float
    width: float | None
    pairs: float
    distinguishable: float
    hours: float | None
    cost: float | None
    error: float


class PlanningOut(Schema):
    """All plans, the cheapest that reaches the power, and what to know about them."""

    sentence: str
    meaning: str
    warnings: list[str]
    best: PlanOut | None
    plans: list[PlanOut]


class PlanIn(Schema):
    """The numbers of a plan; `name` is that of the copy of a campaign that has started."""

    documents: Count
    annotators: Count
    name: Name = ""


class DraftOut(Schema):
    """The draft that has the numbers now."""

    key: str
    name: str


@router.get("/{key}/plan", response=responses(PlanningOut), summary="Plan a campaign")
def get_plan(request: HttpRequest, key: Key, wanted: Query[PlanWanted]) -> dict[str, Any]:
    """How many documents and annotators it takes to tell two systems apart; changes nothing."""
    campaign = managed(request, key)
    ratings = wanted.share is None
    first, third = wanted.summary_sd, wanted.annotator_sd
    if not ratings:
        first, third = wanted.document_correlation, wanted.annotator_correlation
    planning = planning_of(
        campaign,
        Wanted(
            kind="ratings" if ratings else "choices",
            target=wanted.difference or 0.0 if wanted.share is None else wanted.share,
            pilot=managed(request, wanted.pilot) if wanted.pilot else None,
            first=first,
            second=wanted.residual_sd if ratings else None,
            annotator=third,
            power=wanted.power,
            both=wanted.over == "both",
            seconds=wanted.seconds,
            rate=wanted.rate,
            severity=wanted.severity_sd,
        ),
    )
    return {
        "sentence": planning.sentence,
        "meaning": planning.meaning,
        "warnings": list(planning.warnings),
        "best": None if planning.best is None else asdict(planning.best),
        "plans": [asdict(each) for each in planning.plans],
    }


@router.post("/{key}/plan", response=responses(DraftOut), summary="Use a plan")
def set_plan(request: HttpRequest, key: Key, wanted: PlanIn) -> dict[str, Any]:
    """Put the numbers into a draft, documents drawn at random; a started campaign is copied."""
    campaign = managed(request, key)
    draft = use_plan(campaign, wanted.documents, wanted.annotators, person(request), wanted.name)
    return {"key": draft.key, "name": draft.name}
