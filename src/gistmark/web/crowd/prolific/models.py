"""What the platform stores about a market: somebody's access to it, its events, and bonuses.

Tokens and secrets are encrypted (`config.storage.encryption`); nothing shows them again.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models

from gistmark.web.campaigns.models import draw_key
from gistmark.web.config.storage.encryption import EncryptedField

LONGEST_ID = 100


class MarketAccount(models.Model):
    """Somebody's access to a market, which studies of their campaigns can use.

    `key` stands in the address that the market sends events to. `hint` is the end of the token, so
    that its owner can tell which one it is. `hooks` are the market's ids of the subscriptions.
    """

    key = models.CharField(max_length=10, unique=True, default=draw_key, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="market_accounts"
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
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
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
