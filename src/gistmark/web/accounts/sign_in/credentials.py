"""Secrets that let somebody in: links that join or set a password, and tokens of the API.

A link expires on a day, after a number of uses, or when its maker may no longer make such links. A
token acts as its user, within its scope, until it ends, is revoked, the password changes or the
account is closed. Either secret is shown once and stored only as a hash. An invalid link does not
say what is wrong with it, so nothing can be learnt by trying addresses.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from gistmark.errors import GistmarkError, UsageError
from gistmark.web.accounts.audit import note
from gistmark.web.accounts.models import Link, Token, User, digest, generate_secret
from gistmark.web.accounts.people import demand_own_account, hash_password, store_password
from gistmark.web.accounts.sign_in.attempts import forget_failures

PASSWORD_DAYS = 3
MOST_DAYS = 365
TOKEN_DAYS = 90
MOST_TOKENS = 50
TOKEN_NAME_LENGTH = 100
_PREFIX = "gm_"
_RESOLUTION = timedelta(minutes=1)


class LinkError(GistmarkError):
    """The link is not valid."""

    def __init__(self) -> None:
        super().__init__(
            gettext(
                "This link is not valid: it has expired, has been used up, or is incomplete. "
                "Ask whoever sent it for a new one."
            )
        )


@dataclass(frozen=True, slots=True)
class NewLink:
    """A link and its secret, which nobody can read again."""

    secret: str
    link: Link


def make_password_link(*, by: User | None, user: User, days: int = PASSWORD_DAYS) -> NewLink:
    """A link with which somebody sets a new password; earlier ones stop working."""
    demand_own_account(user)
    if not user.is_active:
        raise UsageError(f"The account of {user.username} is closed; open it first.")
    with transaction.atomic():
        user.links.filter(kind=Link.Kind.PASSWORD).delete()
        note("password-link-made", by=by, name=user.username)
        return make_link(Link.Kind.PASSWORD, by, days, user=user)


def read_link(secret: str, kind: Link.Kind, *, lock: bool = False) -> Link:
    """The link of this secret, if it is valid; locked where it is about to be used."""
    links = Link.objects.select_for_update(of=("self",)) if lock else Link.objects.all()
    link = (
        links.select_related("campaign", "user", "created_by")
        .filter(hash=digest(secret), kind=kind, uses_left__gt=0, ends_at__gt=timezone.now())
        .first()
    )
    if link is None or (link.user is not None and not link.user.is_active):
        raise LinkError
    if link.created_by is not None and not link.created_by.is_active:
        raise LinkError
    return link


def read_password_link(secret: str, *, lock: bool = False) -> tuple[Link, User]:
    """A link that sets a password, and whose; only admins make them, so their maker is one."""
    link = read_link(secret, Link.Kind.PASSWORD, lock=lock)
    if link.created_by is not None and not link.created_by.is_admin:
        raise LinkError
    assert link.user is not None, "the database refuses password links without a user"
    return link, link.user


def set_password_by_link(secret: str, password: str) -> User:
    """Set a new password; the link is then used up, and failed log-ins are forgotten."""
    hashed = hash_password(password, read_password_link(secret)[1].username)
    with transaction.atomic():
        link, user = read_password_link(secret, lock=True)
        store_password(user, hashed, "password-reset")
        link.delete()
        forget_failures(user.username)
    return user


def make_link(kind: Link.Kind, by: User | None, days: int, **about: object) -> NewLink:
    """A link of any kind; `about` are the other columns of `Link`."""
    if not 1 <= days <= MOST_DAYS:
        raise UsageError(f"A link is valid for 1 to {MOST_DAYS} days, not {days}.")
    secret = generate_secret()
    link = Link.objects.create(
        kind=kind, hash=digest(secret), created_by=by,
        ends_at=timezone.now() + timedelta(days=days), **about,
    )  # fmt: skip
    return NewLink(secret, link)


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token and its secret, which nobody can read again."""

    secret: str
    token: Token


def make_token(
    user: User,
    name: str,
    *,
    days: int = TOKEN_DAYS,
    scope: str = Token.Scope.ALL,
    by: User | None = None,
) -> NewToken:
    """A new token for somebody, with a name that tells what it is for.

    People make their own. Those of a machine are for its own tasks only, and made `by` a manager,
    or on the command line.
    """
    if user.machine:
        scope = Token.Scope.TASKS
    else:
        demand_own_account(user)
    name = name.strip()
    if not 1 <= len(name) <= TOKEN_NAME_LENGTH:
        raise UsageError(
            gettext("A token's name has 1 to %(most)s characters.") % {"most": TOKEN_NAME_LENGTH}
        )
    if not 1 <= days <= MOST_DAYS:
        raise UsageError(gettext("A token is valid for 1 to %(most)s days.") % {"most": MOST_DAYS})
    if scope not in Token.Scope.values:
        raise UsageError(f"There is no scope {scope!r}; known: {', '.join(Token.Scope.values)}.")
    user.tokens.filter(ends_at__lte=timezone.now()).delete()
    if user.tokens.count() >= MOST_TOKENS:
        if user.machine:
            raise UsageError(
                f"{user.username!r} has {MOST_TOKENS} tokens; revoke one that is not needed."
            )
        raise UsageError(
            gettext("You have %(most)s tokens; revoke one that is not needed.")
            % {"most": MOST_TOKENS}
        )
    secret = _PREFIX + generate_secret()
    ends_at = timezone.now() + timedelta(days=days)
    token = Token.objects.create(
        user=user, name=name, hash=digest(secret), ends_at=ends_at, scope=scope
    )
    note("token-made", by=by if user.machine else user, name=user.username, scope=scope, days=days)
    return NewToken(secret, token)


def read_token(secret: str) -> Token | None:
    """The token of this secret, if it is valid; its last use is kept to the minute."""
    token = Token.objects.select_related("user").filter(hash=digest(secret)).first()
    if token is None or token.has_ended or not token.user.is_active:
        return None
    now = timezone.now()
    if token.used_at is None or now - token.used_at > _RESOLUTION:
        Token.objects.filter(pk=token.pk).update(used_at=now)
    return token


def revoke_token(user: User, pk: int, by: User | None = None) -> None:
    """Make a token useless; somebody else's counts as missing."""
    gone, _ = user.tokens.filter(pk=pk).delete()
    if gone:
        note("token-revoked", by=by if user.machine else user, name=user.username)
