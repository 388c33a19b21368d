"""People who come from a crowd market: recruitments, participants and their visits.

What a market calls a person stands in one table, that of participants. Everything else knows them
by the pseudonym that their account has for a name, so no export shows it unless it is asked for.
"""

from __future__ import annotations

from django.conf import settings as django_settings
from django.db import models
from django.db.models import Q

from gistmark.web.campaigns.models import Campaign, draw_key
from gistmark.web.crowd.prolific.models import (
    LONGEST_ID,
    Bonus,
    BonusPayment,
    MarketAccount,
    MarketEvent,
    MarketSecrets,
)
from gistmark.web.crowd.settings import OUTCOMES, RecruitmentSettings, in_words, settings_from

__all__ = [
    "LONGEST_ID",
    "Bonus",
    "BonusPayment",
    "MarketAccount",
    "MarketEvent",
    "MarketSecrets",
    "Participant",
    "Recruitment",
    "Visit",
]


class Recruitment(models.Model):
    """A study on a market that sends people to a campaign.

    `key` stands in the study's address. `study` is the market's id of it, empty until it is known.
    `codes` are the completion codes by outcome. With an `account` the market itself is told what to
    do; `market_status` is the market's own word for the study's state, and `report` what the last
    comparison with the market, at `synced_at`, came to. `attempted_at` is when the study was to be
    made on the market, as long as nobody knows whether it was.
    """

    class State(models.TextChoices):
        """Nobody new comes in once it has ended; whoever is at work can finish."""

        DRAFT = "draft"
        ACTIVE = "active"
        PAUSED = "paused"
        ENDED = "ended"

    key = models.CharField(max_length=10, unique=True, default=draw_key, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="recruitments")
    market = models.CharField(max_length=40)
    study = models.CharField(max_length=LONGEST_ID, blank=True, default="")
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    settings = models.JSONField(default=dict)
    codes = models.JSONField(default=dict)
    account = models.ForeignKey(
        MarketAccount, null=True, on_delete=models.SET_NULL, related_name="recruitments"
    )
    market_status = models.CharField(max_length=40, blank=True, default="")
    attempted_at = models.DateTimeField(null=True)
    synced_at = models.DateTimeField(null=True)
    report = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(
        django_settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["market", "study"], condition=~Q(study=""), name="a_study_recruits_once"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "active", "paused", "ended"]),
                name="recruitment_state_is_known",
            ),
        ]

    def read_settings(self) -> RecruitmentSettings:
        """The settings as the rules know them."""
        return settings_from(self.settings)


class Participant(models.Model):
    """Who a market's id stands for here: an account without a password, under a pseudonym.

    This is the only table with the ids (PIDs) of markets.
    """

    market = models.CharField(max_length=40)
    pid = models.CharField(max_length=LONGEST_ID)
    user = models.OneToOneField(
        django_settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="participant"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["market", "pid"], name="a_participant_is_one_person")
        ]


class Visit(models.Model):
    """A submission of the market: that somebody took a place, what became of it here and there.

    `session` is the market's id of it, `status` the market's word for its state, `outcome` how it
    ended here. `browser` is a hash of the cookie of the browser that it belongs to. `arrived_at` is
    empty where the market told of somebody who has not come yet, `verified_at` is when a token
    signed by the market last proved whose the visit is, and `synced_at` when the market last told
    its status, as of `status_at`. `entered_code` is what the participant gave the market, and
    `review` what the market was last told to do about it.
    """

    class Review(models.TextChoices):
        """What a manager decided about a visit."""

        APPROVE = "approve", "approved"
        REJECT = "reject", "rejected"
        RETURN = "return", "asked to return"

    recruitment = models.ForeignKey(Recruitment, on_delete=models.PROTECT, related_name="visits")
    participant = models.ForeignKey(Participant, on_delete=models.PROTECT, related_name="visits")
    session = models.CharField(max_length=LONGEST_ID)
    status = models.CharField(max_length=40, blank=True, default="")
    outcome = models.CharField(max_length=30, blank=True, default="")
    browser = models.CharField(max_length=64, blank=True, default="")
    arrived_at = models.DateTimeField(null=True, blank=True)
    verified_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    code_shown_at = models.DateTimeField(null=True, blank=True)
    synced_at = models.DateTimeField(null=True, blank=True)
    status_at = models.DateTimeField(null=True)
    entered_code = models.CharField(max_length=LONGEST_ID, blank=True, default="")
    review = models.CharField(max_length=10, choices=Review.choices, blank=True, default="")
    reviewed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["recruitment", "status"])]
        constraints = [
            models.UniqueConstraint(
                fields=["recruitment", "session"], name="a_session_is_one_visit"
            ),
            models.CheckConstraint(
                condition=Q(outcome__in=["", *OUTCOMES]), name="visit_outcome_is_known"
            ),
        ]

    @property
    def outcome_in_words(self) -> str:
        """How it ended, as managers read it; empty while it goes on."""
        return in_words(self.outcome)
