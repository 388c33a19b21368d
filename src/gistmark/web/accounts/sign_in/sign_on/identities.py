"""Which account belongs to whom at the provider.

An account is found by issuer and subject, which never change and are never given to somebody else.
An address is not looked at: whoever can state another's address elsewhere would get their account.
An account that exists is connected by its owner, who is logged in.
"""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext

from gistmark.errors import UsageError
from gistmark.web.accounts.audit import note
from gistmark.web.accounts.models import Identity, User
from gistmark.web.accounts.people import demand_own_account
from gistmark.web.config.errors import ConflictError


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
