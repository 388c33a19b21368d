"""People and metrics together: scores that are stored with a campaign, and what they come to."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from django.http import Http404, HttpRequest, HttpResponse
from ninja import File, Form, Router, Schema
from ninja.files import UploadedFile

from gistmark.errors import UsageError
from gistmark.web.api.access import managed, person
from gistmark.web.api.schemas import Key, Name, responses
from gistmark.web.campaigns.models import Campaign
from gistmark.web.results.statistics.helping import (
    drop_helper,
    scores_file,
    store_helper,
    stored_helper,
)
from gistmark.web.results.statistics.study import statistics_soon

router = Router()


class HelperWanted(Schema):
    """Which of the scores help, and what intervals hold for."""

    helper: Name = "all"
    population: Literal["beyond", "corpus"] = "beyond"


class PoweredOut(Schema):
    """A mean, or a difference of two systems, as `study.json` has it under `powered`."""

    human: str
    helper: str
    left: str
    right: str
    value: float | None
    low: float | None
    high: float | None
    classical: float | None
    classical_low: float | None
    classical_high: float | None
    tuning: float | None
    n: int
    extra: int
    equivalent: float | None
    saved: int | None
    population: str
    reason: str | None
    caution: str | None


class HelperOut(Schema):
    """The stored scores and what they come to; every field is null where none are stored.

    `records` is null, too, while they are being computed; `problem` says why there are none.
    """

    file: str | None
    helper: str | None
    population: str | None
    summaries: int | None
    stored_at: datetime | None
    finding: str | None
    records: list[PoweredOut] | None
    problem: str | None


@router.get("/{key}/helper", response=responses(HelperOut), summary="Stored scores that help")
def get_helper(request: HttpRequest, key: Key) -> dict[str, Any]:
    """Systems' means and differences by people alone and with the stored scores."""
    return _helper(managed(request, key))


@router.post("/{key}/helper", response=responses(HelperOut), summary="Store scores that help")
def set_helper(
    request: HttpRequest,
    key: Key,
    wanted: Form[HelperWanted],
    scores: File[UploadedFile | None] = None,
) -> dict[str, Any]:
    """Keep a file of `gistmark score` with the campaign, in place of the one before."""
    campaign = managed(request, key)
    if scores is None:
        raise UsageError("The scores are missing: send a file of gistmark score as `scores`.")
    store_helper(
        campaign, scores.name or "", scores.chunks(),
        helper=wanted.helper, population=wanted.population, by=person(request),
    )  # fmt: skip
    return _helper(campaign)


@router.delete("/{key}/helper", response=responses(HelperOut), summary="Remove stored scores")
def delete_helper(request: HttpRequest, key: Key) -> dict[str, Any]:
    """Delete the scores that are stored with the campaign."""
    campaign = managed(request, key)
    drop_helper(campaign, person(request))
    return _helper(campaign)


@router.get("/{key}/helper/scores", response=responses(None), summary="The stored scores as CSV")
def get_helper_scores(request: HttpRequest, key: Key) -> HttpResponse:
    """The file for `gistmark study --scores`."""
    stored = stored_helper(managed(request, key))
    if stored is None:
        raise Http404("No scores are stored with this campaign.")
    return HttpResponse(scores_file(stored), content_type="text/csv; charset=utf-8")


def _helper(campaign: Campaign) -> dict[str, Any]:
    stored = stored_helper(campaign)
    if stored is None:
        return dict.fromkeys(HelperOut.model_fields)
    results, older = statistics_soon(campaign)
    known = None if results is None or older is not None else results.helped
    return {
        "file": stored.file_name,
        "helper": stored.helper,
        "population": stored.population,
        "summaries": stored.summaries,
        "stored_at": stored.created_at,
        "finding": known["findings"][0]["text"] if known and known["findings"] else None,
        "records": None if known is None else known["records"],
        "problem": None if known is None else known["problem"],
    }
