"""What waits to be sent, what became of what was sent, and how a delivery can fail."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from gistmark.errors import GistmarkError
from gistmark.web.config.storage.encryption import EncryptedField


class Delivery(models.Model):
    """An e-mail or a request to a webhook, and how often it was tried.

    `content` is what is sent, encrypted since it may hold an address and a link that opens
    something; it is forgotten once it was sent or given up. `about` says what it belongs to, such
    as `webhook 7`, and `title` what it is, for the list on a page; neither names a person. `person`
    is whose mail it is, where that is somebody with an account.
    """

    class Kind(models.TextChoices):
        """How it is sent."""

        MAIL = "mail"
        WEBHOOK = "webhook"

    class State(models.TextChoices):
        """Whether it still waits."""

        WAITING = "waiting"
        SENT = "sent"
        FAILED = "failed"

    kind = models.CharField(max_length=10, choices=Kind.choices)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    about = models.CharField(max_length=60, blank=True, db_index=True)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="deliveries"
    )
    title = models.CharField(max_length=60)
    content = EncryptedField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    due_at = models.DateTimeField()
    tries = models.PositiveIntegerField(default=0)
    ended_at = models.DateTimeField(null=True)
    error = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "deliveries"
        indexes = [models.Index(fields=["state", "due_at"])]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="waiting") | Q(content=""), name="what_has_ended_is_forgotten"
            )
        ]


class NotSentError(GistmarkError):
    """It did not arrive this time; it is tried again later."""


class GivenUpError(GistmarkError):
    """It makes no sense to try again, as for an address that does not exist."""
