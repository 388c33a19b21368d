"""People who come from a crowd market: recruitments, participants and their visits.

What a market calls a person stands in one table, that of participants. Everything else knows them
by the pseudonym that their account has for a name, so no export shows it unless it is asked for.

Of a market itself somebody's access to it is stored, its events, and bonuses. Tokens and secrets
are encrypted (`config.storage.encryption`); nothing shows them again.
"""

from __future__ import annotations

from django.conf import settings as django_settings
from django.db import models
from django.db.models import Q

from gistmark.web.campaigns.models import Campaign, draw_key
from gistmark.web.config.storage.encryption import EncryptedField
from gistmark.web.crowd.settings import OUTCOMES, RecruitmentSettings, in_words, settings_from

LONGEST_ID = 100


class MarketAccount(models.Model):
    """Somebody's access to a market, which studies of their campaigns can use.

    `key` stands in the address that the market sends events to. `hint` is the end of the token, so
    that its owner can tell which one it is. `hooks` are the market's ids of the subscriptions.
    """

    key = models.CharField(max_length=10, unique=True, default=draw_key, editable=False)
    owner = models.ForeignKey(
        django_settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="market_accounts"
    )
    market = models.CharField(max_length=40)
    hint = models.CharField(max_length=4)
    workspace = models.CharField(max_length=LONGEST_ID, blank=True, default="")
    workspace_title = models.CharField(max_length=200, blank=True, default="")
    currency = models.CharField(max_length=3, default="GBP")
    hooks = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "market"], name="one_account_per_market")
        ]


class MarketSecrets(models.Model):
    """What opens a market for the owner of an account, and what signs the market's events.

    It is a table of its own because a backup leaves it out unless it is asked for: an account
    whose secrets are not there needs its token again.
    """

    in_backups = False

    account = models.OneToOneField(
        MarketAccount, on_delete=models.CASCADE, primary_key=True, related_name="secrets"
    )
    token = EncryptedField()
    hook_secret = EncryptedField(blank=True, default="")


class MarketEvent(models.Model):
    """An event of a market that was received; the same one again changes nothing."""

    account = models.ForeignKey(MarketAccount, on_delete=models.CASCADE, related_name="events")
    event = models.CharField(max_length=LONGEST_ID)
    received_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "event"], name="an_event_is_taken_once")
        ]


class BonusPayment(models.Model):
    """Bonuses that are paid together, once a manager has confirmed their total.

    `bulk` is the market's id. The state changes before the market is told to pay, so that nothing
    is sent a second time, whatever happens in between.
    """

    class State(models.TextChoices):
        """What the market knows of it; `unsure` is what was sent and never answered."""

        SET_UP = "set-up", "waits to be confirmed"
        SENT = "sent", "is being sent"
        PAID = "paid"
        UNSURE = "unsure", "may have been paid"

    recruitment = models.ForeignKey(
        "crowd.Recruitment", on_delete=models.PROTECT, related_name="bonus_payments"
    )
    bulk = models.CharField(max_length=LONGEST_ID, unique=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.SET_UP)
    amount = models.PositiveIntegerField()
    total = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(
        django_settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    sent_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]


class Bonus(models.Model):
    """What one visit gets beside the reward; it can be had once."""

    payment = models.ForeignKey(BonusPayment, on_delete=models.CASCADE, related_name="bonuses")
    visit = models.OneToOneField("crowd.Visit", on_delete=models.PROTECT, related_name="bonus")
    amount = models.PositiveIntegerField()

    class Meta:
        ordering = ["id"]


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
