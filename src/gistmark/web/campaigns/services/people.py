"""Who takes part in a campaign."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from gistmark.errors import UsageError
from gistmark.web.accounts.models import User
from gistmark.web.accounts.permissions import campaigns_managed_by
from gistmark.web.campaigns.errors import ConflictError, NotAllowedError
from gistmark.web.campaigns.models import Campaign, Membership
from gistmark.web.campaigns.services.audit import record


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
    if user.pk == campaign.owner_id and role != Membership.Role.MANAGER:
        raise ConflictError(f"{user.username!r} owns the campaign and stays its manager.")
    membership, new = Membership.objects.get_or_create(
        campaign=campaign, user=user, defaults={"role": role}
    )
    if not new and membership.role != role:
        membership.role = role
        membership.save(update_fields=["role"])
        new = True
    if new:
        record(campaign, by or user, "joined", user=user.username, role=role)
    return membership


@transaction.atomic
def give_consent(campaign: Campaign, user: User) -> Membership:
    """Note that somebody has read and accepted what the campaign says about itself."""
    membership = Membership.objects.filter(campaign=campaign, user=user).first()
    if membership is None:
        raise NotAllowedError(f"You do not take part in {campaign.name!r}.")
    if membership.consented_at is None:
        membership.consented_at = timezone.now()
        membership.save(update_fields=["consented_at"])
        record(campaign, user, "consented")
    return membership
