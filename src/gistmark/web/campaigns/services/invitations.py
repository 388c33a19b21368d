"""Joining: by a link that invites to the platform or to a campaign, or by registering for a
campaign that its managers have opened to everybody.
"""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404
from django.utils.translation import gettext

from gistmark.errors import UsageError
from gistmark.web.accounts.audit import note
from gistmark.web.accounts.models import Link, User
from gistmark.web.accounts.people import (
    checked_role,
    create_user,
    demand_own_account,
    hash_password,
)
from gistmark.web.accounts.sign_in.credentials import LinkError, NewLink, make_link, read_link
from gistmark.web.campaigns.models import Campaign, Membership
from gistmark.web.campaigns.services.members import add_member, campaigns_managed_by, with_key

INVITATION_DAYS = 14
MOST_USES = 10_000
_RANKS = [User.Role.ANNOTATOR, User.Role.MANAGER, User.Role.ADMIN]


def make_invitation(
    *,
    by: User | None,
    role: str = User.Role.ANNOTATOR,
    campaign: Campaign | None = None,
    uses: int = 1,
    days: int = INVITATION_DAYS,
) -> NewLink:
    """A link to join. Managers invite annotators to their campaigns, admins anybody; `by` is
    None for whoever works on the server itself."""
    _check_right(by, checked_role(role), campaign)
    if not 1 <= uses <= MOST_USES:
        raise UsageError(f"An invitation can be used 1 to {MOST_USES} times, not {uses}.")
    note("invitation-made", by=by, role=role, campaign=campaign.key if campaign else "", uses=uses)
    return make_link(Link.Kind.INVITATION, by, days, role=role, campaign=campaign, uses_left=uses)


def read_invitation(secret: str, *, lock: bool = False) -> Link:
    """The invitation of this secret, if it is valid.

    It ends with the campaign that it leads to, and with the right of its maker to make it.
    """
    link = read_link(secret, Link.Kind.INVITATION, lock=lock)
    if link.campaign is not None and link.campaign.state == Campaign.State.CLOSED:
        raise LinkError
    try:
        _check_right(link.created_by, link.role, link.campaign)
    except PermissionDenied:
        raise LinkError from None
    return link


def join_as_new(secret: str, *, name: str, password: str | None) -> User:
    """Make an account with an invitation; those who log in elsewhere have no password."""
    read_invitation(secret)
    hashed = None if password is None else hash_password(password, name)
    with transaction.atomic():
        link = read_invitation(secret, lock=True)
        user = create_user(name, role=link.role, hashed=hashed)
        _use(link, user)
    return user


def join_as_known(secret: str, user: User) -> None:
    """Use an invitation with the account that somebody has; their role only ever rises."""
    demand_own_account(user)
    with transaction.atomic():
        link = read_invitation(secret, lock=True)
        if gains_nothing(link, user):
            return
        if _raises(link, user):
            before, user.role = user.role, link.role
            user.save(update_fields=["role"])
            note("role-changed", by=user, name=user.username, before=before, role=link.role)
        _use(link, user)


def gains_nothing(link: Link, user: User) -> bool:
    """Whether an invitation gives somebody nothing that they do not have."""
    if _raises(link, user):
        return False
    if link.campaign is None:
        return True
    enough = {Membership.Role.MANAGER, _membership_role(link)}
    return user.memberships.filter(campaign=link.campaign, role__in=enough).exists()


def campaign_to_register_for(key: str) -> Campaign:
    """The campaign of this key, if it is open to everybody; else there is no such page."""
    open_ones = Campaign.objects.filter(registration_open=True).exclude(state=Campaign.State.CLOSED)
    campaign = with_key(open_ones, key)
    if campaign is None:
        raise Http404(gettext("There is no campaign at this address that you can register for."))
    return campaign


def register_as_new(campaign: Campaign, *, name: str, password: str | None) -> User:
    """Make an annotator's account and let it take part."""
    hashed = None if password is None else hash_password(password, name)
    with transaction.atomic():
        user = create_user(name, hashed=hashed)
        add_member(campaign, user, Membership.Role.ANNOTATOR)
    return user


def register_as_known(campaign: Campaign, user: User) -> None:
    """Let somebody take part who has an account; those who do so already keep their role."""
    demand_own_account(user)
    with transaction.atomic():
        if not user.memberships.filter(campaign=campaign).exists():
            add_member(campaign, user, Membership.Role.ANNOTATOR)


def _use(link: Link, user: User) -> None:
    link.uses_left -= 1
    link.save(update_fields=["uses_left"])
    maker = "" if link.created_by is None else link.created_by.username
    note("invitation-used", by=user, name=user.username, made_by=maker, role=link.role)
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
