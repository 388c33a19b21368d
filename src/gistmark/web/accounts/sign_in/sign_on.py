"""Logging in with a provider of OpenID Connect: whose account it is here, and what can go wrong.

An account is found by issuer and subject, which never change and are never given to somebody else.
An address is not looked at: whoever can state another's address elsewhere would get their account.
An account that exists is connected by its owner, who is logged in.

What goes wrong is a sentence for the visitor. The details of what could not be verified are for the
log; a visitor, who may be an attacker, learns that it could not.
"""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext

from gistmark.errors import UsageError
from gistmark.web.accounts.audit import note
from gistmark.web.accounts.models import Identity, User
from gistmark.web.accounts.people import demand_own_account
from gistmark.web.config.errors import ConflictError, NotAllowedError


class SignOnError(NotAllowedError):
    """What the provider sent is not a log-in that can be trusted; `reason` is for the log."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(
            gettext("What the provider sent could not be verified, so you are not logged in.")
        )


class ProviderDownError(ConflictError):
    """The provider does not answer, or not as a provider does."""

    def __init__(self, name: str, reason: str) -> None:
        self.reason = reason
        super().__init__(
            gettext("%(name)s does not answer just now; please try again in a moment.")
            % {"name": name}
        )


class StaleSignOnError(NotAllowedError):
    """The visitor comes back with a log-in that this browser did not begin, or long ago."""

    def __init__(self) -> None:
        super().__init__(
            gettext(
                "This log-in was begun in another browser, too long ago, or has been used already; "
                "please begin again."
            )
        )


class CancelledError(NotAllowedError):
    """The provider, or the person there, said no."""

    def __init__(self, name: str) -> None:
        super().__init__(
            gettext("You were not logged in at %(name)s; please begin again.") % {"name": name}
        )


class NotInvitedError(NotAllowedError):
    """Somebody whom nobody has invited."""

    def __init__(self) -> None:
        super().__init__(
            gettext(
                "No account here is connected with yours at the provider. Ask whoever runs this "
                "platform for an invitation; if you have an account here, log in to it and connect "
                "it under “Account”."
            )
        )


def person_of(issuer: str, subject: str) -> User | None:
    """Whose account this is; None where nobody has connected it."""
    identity = (
        Identity.objects.select_related("user").filter(issuer=issuer, subject=subject).first()
    )
    if identity is None:
        return None
    Identity.objects.filter(pk=identity.pk).update(used_at=timezone.now())
    return identity.user


def connect(user: User, issuer: str, subject: str) -> None:
    """Let somebody log in with the provider from now on; one account of each suffices."""
    demand_own_account(user)
    try:
        with transaction.atomic():
            identity, is_new = Identity.objects.get_or_create(
                issuer=issuer, subject=subject, defaults={"user": user}
            )
            if identity.user_id == user.pk:
                if is_new:
                    note("provider-connected", by=user, name=user.username, issuer=issuer)
                return
    except IntegrityError:
        raise ConflictError(
            gettext("Your account is connected with another account there; disconnect it first.")
        ) from None
    raise ConflictError(gettext("Somebody else's account is connected with this one already."))


def disconnect(user: User) -> None:
    """Forget the provider; who has no password would be locked out, so needs one first."""
    if not user.has_usable_password():
        raise UsageError(
            gettext(
                "You have no password, so you could no longer log in; ask for a link to set one."
            )
        )
    gone, _ = user.identities.all().delete()
    if gone:
        note("provider-disconnected", by=user, name=user.username)
