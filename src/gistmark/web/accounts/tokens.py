"""Tokens of the API. A token acts as its user until it is revoked or the account is closed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from gistmark.errors import UsageError
from gistmark.web.accounts.models import Token, User, digest, draw_secret

MOST_TOKENS = 50
NAME_LENGTH = 100
_PREFIX = "gm_"
_RESOLUTION = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class MadeToken:
    """A token and its secret, which nobody can read again."""

    secret: str
    token: Token


def make_token(user: User, name: str) -> MadeToken:
    """A new token for somebody, with a name that tells what it is for."""
    name = name.strip()
    if not 1 <= len(name) <= NAME_LENGTH:
        raise UsageError(f"A token's name has 1 to {NAME_LENGTH} characters.")
    if user.tokens.count() >= MOST_TOKENS:
        raise UsageError(f"You have {MOST_TOKENS} tokens; revoke one that is not needed.")
    secret = _PREFIX + draw_secret()
    return MadeToken(secret, Token.objects.create(user=user, name=name, hash=digest(secret)))


def user_of_token(secret: str) -> User | None:
    """Who a token stands for; its last use is kept to the minute."""
    token = Token.objects.select_related("user").filter(hash=digest(secret)).first()
    if token is None or not token.user.is_active:
        return None
    now = timezone.now()
    if token.used_at is None or now - token.used_at > _RESOLUTION:
        Token.objects.filter(pk=token.pk).update(used_at=now)
    return token.user


def revoke_token(user: User, pk: int) -> None:
    """Make a token useless; one of somebody else is as good as not there."""
    user.tokens.filter(pk=pk).delete()
