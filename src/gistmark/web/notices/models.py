"""Webhooks of campaigns, and when somebody was last reminded."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from gistmark.web.campaigns.models import Campaign
from gistmark.web.config.storage.encryption import EncryptedField


class Webhook(models.Model):
    """An address that is told when work arrives or a campaign ends.

    `submissions` and `closed_at` are what it was told last, so that nothing is told twice and what
    came up while the platform was down is told later.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=500)
    secret = EncryptedField()
    on_work = models.BooleanField(default=True)
    on_end = models.BooleanField(default=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="webhooks"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    submissions = models.PositiveIntegerField(default=0)
    told_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "url"], name="webhooks_differ"),
            models.CheckConstraint(
                condition=Q(on_work=True) | Q(on_end=True), name="a_webhook_is_told_something"
            ),
        ]

    @property
    def about(self) -> str:
        """What its deliveries belong to, in the outbox."""
        return f"webhook {self.pk}"


class Reminder(models.Model):
    """When an annotator was last reminded of the work in a campaign."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="reminders")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reminders"
    )
    sent_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "user"], name="one_reminder_each")
        ]
