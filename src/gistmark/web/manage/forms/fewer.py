"""The forms about fewer judgements: which documents are judged, and adaptive campaigns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from django import forms

from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services import protocol_of
from gistmark.web.campaigns.services.fewer import AdaptiveSettings, adaptive_settings

if TYPE_CHECKING:
    from gistmark.analysis.sampling import Request

_BY = (
    ("random", "At random"),
    ("stratified", "Evenly from strata"),
    ("diversity", "By the diversity of the systems' summaries"),
    ("metric-variance", "By the variance of a metric over systems (needs scores)"),
    ("consistency", "By consistency with a metric's overall order (needs scores)"),
)
_PURPOSES = (
    ("means", "Means and rankings: draw with known probabilities, and weigh by them"),
    ("ranking", "The ranking alone: take those that tell most; means are then not the corpus's"),
)
_STRATA = (
    ("length", "Quarters by length"),
    ("lang", "Languages"),
    ("metric", "Quarters by a metric (needs scores)"),
)


class SampleForm(forms.Form):
    """How many documents are judged, and how they are chosen."""

    size = forms.IntegerField(label="Documents to judge", min_value=1, max_value=1_000_000)
    by = forms.ChoiceField(label="Chosen", choices=_BY)
    purpose = forms.ChoiceField(
        label="For",
        choices=_PURPOSES,
        help_text="At random and from strata, documents always have known probabilities.",
    )
    strata = forms.ChoiceField(label="Strata, if chosen from such", choices=_STRATA)
    seed = forms.IntegerField(label="Seed", min_value=0, max_value=2**31 - 1, initial=0)
    scores = forms.FileField(
        label="Scores",
        required=False,
        allow_empty_file=True,
        help_text="A CSV, JSONL or Parquet file that gistmark score wrote.",
    )
    metric = forms.CharField(
        label="Metric",
        required=False,
        max_length=200,
        help_text="Such as rouge1.f; empty: the first one.",
    )

    def request(self) -> Request:
        """What was asked for."""
        from gistmark.analysis.sampling import Request

        given: dict[str, Any] = self.cleaned_data
        return Request(
            given["size"],
            given["by"],
            given["purpose"],
            given["strata"],
            given["metric"] or None,
            given["seed"],
        )


class AdaptiveForm(forms.Form):
    """Whether the campaign chooses its tasks adaptively, and when it stops."""

    enabled = forms.BooleanField(
        label="Choose each task where it tells most about the systems", required=False
    )
    dimension = forms.ChoiceField(label="Dimension that decides", required=False)
    level = forms.FloatField(
        label="Probability of any false decision",
        min_value=0.0001,
        max_value=0.49,
        help_text="Shared among all pairs of systems.",
    )
    margin = forms.FloatField(
        label="Differences that do not matter",
        min_value=0,
        help_text=(
            "In points of the scale, or as a difference of shares of votes. Pairs that are known "
            "to be closer count as equal; with 0 only differences are decided."
        ),
    )
    floor = forms.FloatField(
        label="Share of tasks chosen by chance alone",
        min_value=0.01,
        max_value=1,
        help_text="So that estimates stay unbiased.",
    )
    stops = forms.BooleanField(
        label="Give out no more tasks once every pair of systems is decided", required=False
    )

    def __init__(self, campaign: Campaign, data: Mapping[str, Any] | None = None) -> None:
        settings = asdict(adaptive_settings(campaign) or AdaptiveSettings())
        super().__init__(data, initial=settings | {"enabled": campaign.adaptive is not None})
        names = [each.name for each in protocol_of(campaign).dimensions]
        choices = [("", "The first one"), *((name, name) for name in names)]
        self.fields["dimension"].choices = choices  # type: ignore[attr-defined]

    def settings(self) -> AdaptiveSettings | None:
        """What was filled in; None where the campaign is not to be adaptive."""
        given = dict(self.cleaned_data)
        return AdaptiveSettings(**given) if given.pop("enabled") else None
