"""Who takes part in a campaign, and who may do what with it.

A campaign is managed by admins, by its owner and by its members with the role manager, as long as
they are managers on the platform; it is known to all its members. What somebody may not
even know of is not found (404); what they know of but may not do is not allowed (403).
"""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import Http404
from django.utils.translation import gettext, gettext_noop

from gistmark.errors import UsageError
from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign, Membership
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.config.errors import ConflictError, NotAllowedError

NO_CAMPAIGN = gettext_noop("There is no such campaign, or you do not take part in it.")


def campaigns_managed_by(user: User) -> QuerySet[Campaign]:
    """The campaigns that somebody may change."""
    if user.is_admin:
        return Campaign.objects.all()
    if not user.may_manage:
        return Campaign.objects.none()
    managed = Membership.objects.filter(user=user, role=Membership.Role.MANAGER)
    return Campaign.objects.filter(Q(owner=user) | Q(pk__in=managed.values("campaign")))


def campaigns_known_to(user: User) -> QuerySet[Campaign]:
    """The campaigns that somebody may know of."""
    if user.is_admin:
        return Campaign.objects.all()
    joined = Membership.objects.filter(user=user)
    return Campaign.objects.filter(Q(owner=user) | Q(pk__in=joined.values("campaign")))


def campaign_for_manager(user: User, key: str) -> Campaign:
    """The campaign of this key, for somebody who manages it."""
    campaign = with_key(campaigns_managed_by(user), key)
    if campaign is not None:
        return campaign
    campaign_for_member(user, key)
    raise PermissionDenied(gettext("Only the managers of this campaign may do this."))


def campaign_for_member(user: User, key: str) -> Campaign:
    """The campaign of this key, for somebody who takes part in it."""
    campaign = with_key(campaigns_known_to(user), key)
    if campaign is None:
        raise Http404(gettext(NO_CAMPAIGN))
    return campaign


def with_key(campaigns: QuerySet[Campaign], key: str) -> Campaign | None:
    """The one of these campaigns that has a key; PostgreSQL cannot be asked for a null byte."""
    return None if "\0" in key else campaigns.filter(key=key).first()


def manages(user: User, campaign: Campaign) -> bool:
    """Whether somebody manages this campaign."""
    return campaigns_managed_by(user).filter(pk=campaign.pk).exists()


@transaction.atomic
def add_member(
    campaign: Campaign,
    user: User,
    role: str = Membership.Role.ANNOTATOR,
    by: User | None = None,
) -> Membership:
    """Let somebody take part; who does so already keeps the role, unless it is another one.

    Only somebody who may manage campaigns at all can be made a manager of this one, and the
    owner stays one.
    """
    if role not in Membership.Role.values:
        raise UsageError(f"A role is {' or '.join(Membership.Role.values)}, not {role!r}.")
    if role == Membership.Role.MANAGER and not user.may_manage:
        raise NotAllowedError(f"{user.username!r} is an annotator and cannot manage a campaign.")
    if user.machine and user.memberships.exclude(campaign=campaign).exists():
        raise NotAllowedError(f"{user.username!r} is a machine of another campaign.")
    if user.pk == campaign.owner_id and role != Membership.Role.MANAGER:
        raise ConflictError(f"{user.username!r} owns the campaign and stays its manager.")
    managing = role == Membership.Role.MANAGER
    membership, new = Membership.objects.get_or_create(
        campaign=campaign, user=user, defaults={"role": role, "has_managed": managing}
    )
    if new and not managing and _managed_before(campaign, user):
        membership.has_managed = True
        membership.save(update_fields=["has_managed"])
    if not new and membership.role != role:
        membership.role = role
        membership.has_managed = membership.has_managed or managing
        membership.save(update_fields=["role", "has_managed"])
        new = True
    if new:
        about = {"user": user.username, "number": user.pk, "role": role}
        record(campaign, by or user, "joined", **about)
    return membership


def _managed_before(campaign: Campaign, user: User) -> bool:
    """Whether somebody who is taking part again was a manager the time before."""
    joined = campaign.events.filter(verb="joined", about__role=Membership.Role.MANAGER)
    return joined.filter(Q(about__number=user.pk) | Q(about__user=user.username)).exists()


def knows_answers(user: User, membership: Membership) -> bool:
    """Whether somebody can look up the answers to the checks of a campaign, or could before.

    Admins can for every campaign, and former admins could for those of their time.
    """
    if user.is_admin or membership.role == Membership.Role.MANAGER or membership.has_managed:
        return True
    until = user.admin_until
    return until is not None and membership.campaign.created_at <= until


@transaction.atomic
def remove_member(campaign: Campaign, user: User, by: User | None) -> None:
    """Remove somebody from a campaign; whoever has tasks here stays, as their work does."""
    if user.pk == campaign.owner_id:
        raise ConflictError(f"{user.username!r} owns the campaign and stays in it.")
    if user.tasks.filter(campaign=campaign).exists():
        raise ConflictError(
            f"{user.username!r} has tasks in this campaign and stays in it, so that nothing is "
            "lost."
        )
    deleted, _ = Membership.objects.filter(campaign=campaign, user=user).delete()
    if not deleted:
        raise UsageError(f"{user.username!r} does not take part in the campaign.")
    record(campaign, by, "left", user=user.username)


@transaction.atomic
def transfer_campaign(campaign: Campaign, to: User, by: User | None) -> None:
    """Give a campaign another owner, who manages it from now on; the one before stays a manager."""
    if not to.may_manage or not to.is_active:
        raise NotAllowedError(
            f"{to.username!r} cannot own a campaign: owners are managers or admins whose account "
            "is open."
        )
    before = campaign.owner
    if before.pk == to.pk:
        raise UsageError(f"{to.username!r} owns the campaign {campaign.name!r} already.")
    add_member(campaign, to, Membership.Role.MANAGER, by)
    campaign.owner = to
    campaign.save(update_fields=["owner"])
    record(campaign, by, "transferred", owner=to.username, before=before.username)


def candidates_for(campaign: Campaign) -> QuerySet[User]:
    """Everybody with an open account of their own who does not take part yet."""
    members = Membership.objects.filter(campaign=campaign)
    people = User.objects.filter(is_active=True, from_market=False, machine=False)
    return people.exclude(pk__in=members.values("user"))
