"""Links that let somebody join or set a password. The secret is in the address, shown once.

A link is a promise with an end: it holds until a day, and a number of times. What is wrong with
one that does not hold is not told, so nothing can be learnt by trying addresses.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from gistmark.errors import GistmarkError, UsageError
from gistmark.web.accounts.attempts import forget_failures
from gistmark.web.accounts.models import Link, User, digest, draw_secret
from gistmark.web.accounts.people import checked_role, create_user, set_password
from gistmark.web.accounts.permissions import campaigns_managed_by
from gistmark.web.campaigns.models import Campaign, Membership
from gistmark.web.campaigns.services import add_member

INVITATION_DAYS = 14
PASSWORD_DAYS = 3
MOST_USES = 10_000
MOST_DAYS = 365
_RANKS = [User.Role.ANNOTATOR, User.Role.MANAGER, User.Role.ADMIN]


class LinkError(GistmarkError):
    """The link does not hold."""

    def __init__(self) -> None:
        super().__init__(
            "This link does not hold (any more): it has ended, was used up, or is not complete. "
            "Ask whoever sent it for a new one."
        )


@dataclass(frozen=True, slots=True)
class MadeLink:
    """A link and its secret, which nobody can read again."""

    secret: str
    link: Link


def make_invitation(
    *,
    by: User | None,
    role: str = User.Role.ANNOTATOR,
    campaign: Campaign | None = None,
    uses: int = 1,
    days: int = INVITATION_DAYS,
) -> MadeLink:
    """A link to join. Managers invite annotators to their campaigns, admins anybody; `by` is
    None for whoever works on the server itself."""
    _check_right(by, checked_role(role), campaign)
    if not 1 <= uses <= MOST_USES:
        raise UsageError(f"An invitation can be used 1 to {MOST_USES} times, not {uses}.")
    return _make(Link.Kind.INVITATION, by, days, role=role, campaign=campaign, uses_left=uses)


def make_password_link(*, by: User | None, user: User, days: int = PASSWORD_DAYS) -> MadeLink:
    """A link with which somebody sets a new password; earlier ones for them stop to hold."""
    if not user.is_active:
        raise UsageError(f"The account of {user.username} is closed; open it first.")
    with transaction.atomic():
        user.links.filter(kind=Link.Kind.PASSWORD).delete()
        return _make(Link.Kind.PASSWORD, by, days, user=user)


def read_link(secret: str, kind: Link.Kind, *, lock: bool = False) -> Link:
    """The link of this secret, if it holds; locked where it is about to be used."""
    links = Link.objects.select_for_update(of=("self",)) if lock else Link.objects.all()
    found = (
        links.select_related("campaign", "user")
        .filter(hash=digest(secret), kind=kind, uses_left__gt=0, ends_at__gt=timezone.now())
        .first()
    )
    if found is None or _has_lost_its_end(found):
        raise LinkError
    return found


def join_as_new(secret: str, *, name: str, password: str) -> User:
    """Make an account with an invitation."""
    with transaction.atomic():
        link = read_link(secret, Link.Kind.INVITATION, lock=True)
        user = create_user(name, role=link.role, password=password)
        _use(link, user)
    return user


def join_as_known(secret: str, user: User) -> None:
    """Use an invitation with the account that somebody has; their role only ever rises."""
    with transaction.atomic():
        link = read_link(secret, Link.Kind.INVITATION, lock=True)
        if gains_nothing(link, user):
            return
        if _raises(link, user):
            user.role = link.role
            user.save(update_fields=["role"])
        _use(link, user)


def gains_nothing(link: Link, user: User) -> bool:
    """Whether an invitation gives somebody nothing that they do not have."""
    if _raises(link, user):
        return False
    if link.campaign is None:
        return True
    enough = {Membership.Role.MANAGER, _membership_role(link)}
    return user.memberships.filter(campaign=link.campaign, role__in=enough).exists()


def set_password_by_link(secret: str, password: str) -> User:
    """Set a new password; the link then no longer holds, and failed log-ins are forgotten."""
    with transaction.atomic():
        link = read_link(secret, Link.Kind.PASSWORD, lock=True)
        assert link.user is not None, "the database refuses password links without a user"
        set_password(link.user, password)
        link.delete()
        forget_failures(link.user.username)
    return link.user


def _has_lost_its_end(link: Link) -> bool:
    """Whether what a link leads to is closed by now."""
    if link.user is not None and not link.user.is_active:
        return True
    return link.campaign is not None and link.campaign.state == Campaign.State.CLOSED


def _make(kind: Link.Kind, by: User | None, days: int, **about: object) -> MadeLink:
    if not 1 <= days <= MOST_DAYS:
        raise UsageError(f"A link holds 1 to {MOST_DAYS} days, not {days}.")
    secret = draw_secret()
    link = Link.objects.create(
        kind=kind, hash=digest(secret), created_by=by,
        ends_at=timezone.now() + timedelta(days=days), **about,
    )  # fmt: skip
    return MadeLink(secret, link)


def _use(link: Link, user: User) -> None:
    link.uses_left -= 1
    link.save(update_fields=["uses_left"])
    if link.campaign is not None:
        add_member(link.campaign, user, _membership_role(link))


def _raises(link: Link, user: User) -> bool:
    """Whether a link gives somebody a higher role than they have."""
    return _RANKS.index(User.Role(link.role)) > _RANKS.index(User.Role(user.role))


def _membership_role(link: Link) -> Membership.Role:
    """What somebody becomes in the campaign of a link."""
    manages = link.role != User.Role.ANNOTATOR
    return Membership.Role.MANAGER if manages else Membership.Role.ANNOTATOR


def _check_right(by: User | None, role: str, campaign: Campaign | None) -> None:
    if by is None or by.is_admin:
        return
    if role != User.Role.ANNOTATOR or campaign is None:
        raise PermissionDenied("Managers invite annotators to their campaigns; admins do the rest.")
    if not campaigns_managed_by(by).filter(pk=campaign.pk).exists():
        raise PermissionDenied("Only the managers of this campaign may invite to it.")
