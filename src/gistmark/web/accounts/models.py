"""Who uses the platform: users with a role, links that invite or reset, tokens of the API,
second factors, identities at a provider, sessions, failed attempts, and the audit trail of that.

Of a link or a token only a hash is stored, so a copy of the database opens no door.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy

from gistmark.web.accounts.names import KEY_LENGTH, name_key
from gistmark.web.config.storage.encryption import EncryptedField


def digest(secret: str) -> str:
    """What is stored of a link's or a token's secret."""
    return sha256(secret.encode()).hexdigest()


def generate_secret() -> str:
    """A secret that nobody can guess and an address can hold."""
    return secrets.token_urlsafe(32)


class People(UserManager["User"]):
    """Finds people by name, in upper or lower case."""

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(key=name_key(username or ""))


class User(AbstractUser):
    """A person. Admins manage everything, managers their campaigns; annotators do tasks.

    `key` is what the name is looked up and compared by (`gistmark.web.accounts.names`).
    `admin_until` is when somebody last stopped being an admin. An account that is `erased` belongs
    to nobody: it keeps work under a pseudonym (`gistmark.web.privacy`). Whoever comes `from_market`
    is an annotator under a pseudonym, who gets in by the market's address and has no password. A
    `machine` is an annotator that is not a person: it has no password either, and works through the
    API by a token.
    """

    class Role(models.TextChoices):
        """What a person may do on the platform as a whole."""

        ADMIN = "admin", gettext_lazy("Admin")
        MANAGER = "manager", gettext_lazy("Manager")
        ANNOTATOR = "annotator", gettext_lazy("Annotator")

    role = models.CharField(max_length=10, choices=Role.choices, default=Role.ANNOTATOR)
    key = models.CharField(max_length=KEY_LENGTH, unique=True, editable=False)
    second_factor_due = models.DateTimeField(null=True, blank=True, editable=False)
    """Until when setting up a second factor can be put off, where one is required."""
    admin_until = models.DateTimeField(null=True, blank=True, editable=False)
    erased = models.BooleanField(default=False, editable=False)
    from_market = models.BooleanField(default=False, editable=False)
    machine = models.BooleanField(default=False, editable=False)

    objects: ClassVar[People] = People()

    class Meta:
        ordering = ["username"]
        constraints = [
            models.CheckConstraint(
                condition=Q(role__in=["admin", "manager", "annotator"]), name="role_is_known"
            ),
            models.CheckConstraint(
                condition=Q(from_market=False) | Q(role="annotator", password__startswith="!"),  # noqa: S106
                name="participants_have_no_password",
            ),
            models.CheckConstraint(
                condition=Q(machine=False)
                | Q(role="annotator", from_market=False, password__startswith="!"),  # noqa: S106
                name="machines_are_annotators_without_a_password",
            ),
        ]

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.key = self.key or name_key(self.username)
        super().save(*args, **kwargs)

    @property
    def may_manage(self) -> bool:
        """Whether the person may set up campaigns."""
        return self.role in (self.Role.ADMIN, self.Role.MANAGER)

    @property
    def is_admin(self) -> bool:
        return self.role == self.Role.ADMIN


class Link(models.Model):
    """A secret address: to join (a campaign), set a new password, or confirm an e-mail address."""

    class Kind(models.TextChoices):
        """What following the link leads to."""

        INVITATION = "invitation"
        ADDRESS = "address"
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
    """A token of the API, which acts as its user within its scope, until it ends."""

    class Scope(models.TextChoices):
        """What a program may do with the token."""

        ALL = "all", gettext_lazy("everything that I may do")
        READ = "read", gettext_lazy("only read, change nothing")
        TASKS = "tasks", gettext_lazy("only work on my own tasks")

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=100)
    hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True)
    ends_at = models.DateTimeField()
    scope = models.CharField(max_length=10, choices=Scope.choices, default=Scope.ALL)

    class Meta:
        ordering = ["-created_at"]

    @property
    def has_ended(self) -> bool:
        return self.ends_at <= timezone.now()


class SecondFactor(models.Model):
    """The key of somebody's authenticator app; it counts once it is confirmed.

    `last_step` is the step of the last code that was taken, so that none is taken twice.
    """

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="second_factor")
    secret = EncryptedField()
    confirmed_at = models.DateTimeField(null=True)
    last_step = models.BigIntegerField(default=0)


class RecoveryCode(models.Model):
    """A code that replaces one of the app, once; stored as a hash."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="recovery_codes")
    hash = models.CharField(max_length=64)


class Identity(models.Model):
    """Who somebody is at a provider of OpenID Connect, which they may log in with."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="identities")
    issuer = models.CharField(max_length=500)
    subject = models.CharField(max_length=255)
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "identities"
        constraints = [
            models.UniqueConstraint(fields=["issuer", "subject"], name="one_account_each"),
            models.UniqueConstraint(fields=["user", "issuer"], name="one_identity_each"),
        ]


class MailAddress(models.Model):
    """Where somebody gets e-mail, if they said so; it is used once they have confirmed it."""

    class Digest(models.TextChoices):
        """How often a manager is told what happened in the campaigns."""

        NEVER = "never", gettext_lazy("never")
        DAILY = "daily", gettext_lazy("every day")
        WEEKLY = "weekly", gettext_lazy("every week")

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="mail_address")
    address = models.CharField(max_length=254)
    verified_at = models.DateTimeField(null=True)
    reminders = models.BooleanField(default=True)
    digest = models.CharField(max_length=10, choices=Digest.choices, default=Digest.NEVER)
    digested_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "mail addresses"


class Device(models.Model):
    """A browser in which somebody is logged in: its session's key, and what it calls itself."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="devices")
    session = models.CharField(max_length=40, unique=True)
    agent = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]


class AuditEntry(models.Model):
    """An entry of the platform's audit trail: who did what to whose account.

    Entries are added and never changed or deleted; triggers of the database see to that. The
    names stay as they were at that time, until a person is erased (`Redaction`). `by` is empty for
    the command line and for visitors.
    """

    at = models.DateTimeField(auto_now_add=True, db_index=True)
    verb = models.CharField(max_length=30)
    by = models.CharField(max_length=150, blank=True)
    name = models.CharField(max_length=150, blank=True, db_index=True)
    about = models.JSONField(default=dict)

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "audit entries"

    def save(self, *args: Any, **kwargs: Any) -> None:
        assert self._state.adding, "entries of the audit trail are never changed"
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        raise AssertionError("entries of the audit trail are never deleted")


class Redaction(models.Model):
    """Lets entries of the audit trail lose a name, and nothing else, while there is a row.

    A row is only ever seen by the transaction that adds it, and is gone when that ends.
    """


class Attempt(models.Model):
    """A failed log-in or a registration, kept for a while so that floods can be slowed down."""

    name = models.CharField(max_length=150, db_index=True)
    address = models.GenericIPAddressField(null=True, db_index=True)
    at = models.DateTimeField(auto_now_add=True, db_index=True)
