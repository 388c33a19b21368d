"""Who uses the platform: users with a role, links that invite or reset, and tokens of the API.

Of a link or a token only a hash is stored, so a copy of the database opens no door.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy


def digest(secret: str) -> str:
    """What is stored of a link's or a token's secret."""
    return sha256(secret.encode()).hexdigest()


def generate_secret() -> str:
    """A secret that nobody can guess and an address can hold."""
    return secrets.token_urlsafe(32)


class People(UserManager["User"]):
    """Finds people by name, in upper or lower case."""

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(username__iexact=username)


class User(AbstractUser):
    """A person. Admins manage everything, managers their campaigns; annotators do tasks."""

    class Role(models.TextChoices):
        """What a person may do on the platform as a whole."""

        ADMIN = "admin", gettext_lazy("Admin")
        MANAGER = "manager", gettext_lazy("Manager")
        ANNOTATOR = "annotator", gettext_lazy("Annotator")

    role = models.CharField(max_length=10, choices=Role.choices, default=Role.ANNOTATOR)

    objects: ClassVar[People] = People()

    class Meta:
        ordering = ["username"]
        constraints = [
            models.UniqueConstraint(Lower("username"), name="names_differ_in_more_than_case"),
            models.CheckConstraint(
                condition=Q(role__in=["admin", "manager", "annotator"]), name="role_is_known"
            ),
        ]

    @property
    def may_manage(self) -> bool:
        """Whether the person may set up campaigns."""
        return self.role in (self.Role.ADMIN, self.Role.MANAGER)

    @property
    def is_admin(self) -> bool:
        return self.role == self.Role.ADMIN


class Link(models.Model):
    """A secret address: it lets somebody join (a campaign), or set a new password."""

    class Kind(models.TextChoices):
        """What following the link leads to."""

        INVITATION = "invitation"
        PASSWORD = "password"  # noqa: S105

    kind = models.CharField(max_length=10, choices=Kind.choices)
    hash = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=10, choices=User.Role.choices, blank=True)
    user = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.CASCADE, related_name="links"
    )
    campaign = models.ForeignKey(
        "campaigns.Campaign", null=True, blank=True, on_delete=models.CASCADE, related_name="links"
    )
    created_by = models.ForeignKey(
        User, null=True, on_delete=models.SET_NULL, related_name="created_links"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    ends_at = models.DateTimeField()
    uses_left = models.PositiveIntegerField(default=1)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="invitation") | Q(user__isnull=False),
                name="a_password_link_is_for_a_user",
            )
        ]


class Token(models.Model):
    """A token of the API, which acts as its user."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=100)
    hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at"]


class Attempt(models.Model):
    """A failed log-in or a registration, kept for a while so that floods can be slowed down."""

    name = models.CharField(max_length=150, db_index=True)
    address = models.GenericIPAddressField(null=True, db_index=True)
    at = models.DateTimeField(auto_now_add=True, db_index=True)
