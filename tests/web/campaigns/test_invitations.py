"""Invitations hold until their day and for their number of people; registering needs none."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils import timezone

from gistmark.errors import UsageError
from gistmark.web.accounts.models import Link, User
from gistmark.web.accounts.people import change_role, deactivate, remove_account
from gistmark.web.accounts.sign_in.credentials import (
    LinkError,
    make_password_link,
    read_link,
)
from gistmark.web.campaigns.models import Campaign, Membership
from gistmark.web.campaigns.services.campaigns import close
from gistmark.web.campaigns.services.invitations import (
    campaign_to_register_for,
    join_as_known,
    join_as_new,
    make_invitation,
    read_invitation,
    register_as_known,
    register_as_new,
)
from gistmark.web.campaigns.services.members import add_member
from web.factories import PASSWORD, make_campaign, make_user

pytestmark = pytest.mark.django_db
INVITATION, TO_PASSWORD = Link.Kind.INVITATION, Link.Kind.PASSWORD


def membership_of(user: User, campaign) -> str | None:
    return Membership.objects.filter(user=user, campaign=campaign).values_list("role").first()


def test_the_secret_is_not_stored(admin):
    made = make_invitation(by=admin)
    assert made.secret not in str(Link.objects.values().get())
    with pytest.raises(LinkError):
        read_link(made.link.hash, INVITATION)


def test_somebody_new_joins_with_the_role_and_the_campaign_of_the_link(admin):
    campaign = make_campaign()
    made = make_invitation(by=admin, role="manager", campaign=campaign)
    user = join_as_new(made.secret, name="ada", password=PASSWORD)
    assert user.role == "manager"
    assert membership_of(user, campaign) == ("manager",)


def test_a_link_is_used_up_by_its_number_of_people(admin):
    made = make_invitation(by=admin, uses=2)
    for name in ("ada", "bob"):
        join_as_new(made.secret, name=name, password=PASSWORD)
    with pytest.raises(LinkError):
        join_as_new(made.secret, name="eve", password=PASSWORD)
    assert not User.objects.filter(username="eve").exists()


def test_a_name_that_is_taken_does_not_use_up_the_link(admin):
    made = make_invitation(by=admin)
    with pytest.raises(UsageError, match="taken"):
        join_as_new(made.secret, name=admin.username, password=PASSWORD)
    assert Link.objects.get().uses_left == 1


def test_a_link_ends(admin):
    made = make_invitation(by=admin)
    Link.objects.update(ends_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(LinkError):
        read_link(made.secret, INVITATION)


def test_a_link_of_one_kind_is_none_of_the_other(admin):
    invitation = make_invitation(by=admin)
    password = make_password_link(by=admin, user=make_user())
    with pytest.raises(LinkError):
        read_link(invitation.secret, TO_PASSWORD)
    with pytest.raises(LinkError):
        read_link(password.secret, INVITATION)


def test_every_link_that_does_not_hold_says_the_same(admin):
    ended = make_invitation(by=admin)
    Link.objects.update(ends_at=timezone.now())
    used = make_invitation(by=admin)
    join_as_new(used.secret, name="ada", password=PASSWORD)
    said = set()
    for secret in (ended.secret, used.secret, "forged", "", "\0"):
        with pytest.raises(LinkError) as caught:
            read_link(secret, INVITATION)
        said.add(str(caught.value))
    assert len(said) == 1


def test_an_invitation_to_a_closed_campaign_no_longer_holds(admin):
    campaign = make_campaign()
    made = make_invitation(by=admin, campaign=campaign)
    close(campaign, admin)
    with pytest.raises(LinkError):
        read_invitation(made.secret)


def test_somebody_known_joins_the_campaign_once(admin, annotator):
    campaign = make_campaign()
    made = make_invitation(by=admin, campaign=campaign, uses=5)
    join_as_known(made.secret, annotator)
    join_as_known(made.secret, annotator)
    assert membership_of(annotator, campaign) == ("annotator",)
    assert Link.objects.get().uses_left == 4


def test_an_invitation_never_lowers_anybody(admin):
    campaign = make_campaign()
    owner = campaign.owner
    made = make_invitation(by=admin, campaign=campaign, role="annotator")
    join_as_known(made.secret, owner)
    assert membership_of(owner, campaign) == ("manager",)
    assert User.objects.get(pk=owner.pk).role == "manager"
    assert Link.objects.get().uses_left == 1


def test_an_invitation_can_raise_somebody(admin, annotator):
    campaign = make_campaign(annotators=(annotator,))
    made = make_invitation(by=admin, campaign=campaign, role="manager")
    join_as_known(made.secret, annotator)
    assert User.objects.get(pk=annotator.pk).role == "manager"
    assert membership_of(annotator, campaign) == ("manager",)


def test_managers_invite_annotators_to_their_own_campaigns_only(manager):
    own, other = make_campaign(owner=manager), make_campaign()
    assert make_invitation(by=manager, campaign=own).link.uses_left == 1
    for role, campaign in (("annotator", other), ("annotator", None), ("manager", own)):
        with pytest.raises(PermissionDenied):
            make_invitation(by=manager, campaign=campaign, role=role)


def test_annotators_invite_nobody(annotator):
    campaign = make_campaign(annotators=(annotator,))
    with pytest.raises(PermissionDenied):
        make_invitation(by=annotator, campaign=campaign)


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"uses": 0}, "1 to 10000 times"),
        ({"uses": 10**9}, "1 to 10000 times"),
        ({"days": 0}, "1 to 365 days"),
        ({"days": 366}, "1 to 365 days"),
        ({"role": "chief"}, "roles are"),
    ],
)
def test_an_invitation_has_bounds(admin, options: dict, what: str):
    with pytest.raises(UsageError, match=what):
        make_invitation(by=admin, **options)


def open_campaign(**options) -> Campaign:
    campaign = make_campaign(**options)
    Campaign.objects.filter(pk=campaign.pk).update(registration_open=True)
    campaign.refresh_from_db()
    return campaign


def test_registration_is_off_by_default():
    campaign = make_campaign()
    for key in (campaign.key, "nonsense", "", "\0"):
        with pytest.raises(Http404):
            campaign_to_register_for(key)


def test_a_closed_campaign_takes_nobody():
    campaign = open_campaign()
    assert campaign_to_register_for(campaign.key) == campaign
    close(campaign, campaign.owner)
    with pytest.raises(Http404):
        campaign_to_register_for(campaign.key)


def test_somebody_new_becomes_an_annotator_and_takes_part():
    campaign = open_campaign()
    user = register_as_new(campaign, name="ada", password=PASSWORD)
    assert user.role == "annotator"
    assert Membership.objects.get(user=user).role == "annotator"


def test_somebody_known_takes_part_once_and_keeps_the_role(annotator):
    campaign = open_campaign()
    register_as_known(campaign, annotator)
    register_as_known(campaign, annotator)
    register_as_known(campaign, campaign.owner)
    roles = set(Membership.objects.values_list("user", "role"))
    assert roles == {(annotator.pk, "annotator"), (campaign.owner.pk, "manager")}


def test_an_invitation_ends_with_the_right_of_its_maker(admin):
    maker = make_user("admin")
    invitations = [make_invitation(by=maker, role=role) for role in ("admin", "annotator")]
    change_role(maker, "manager")
    for made in invitations:
        with pytest.raises(LinkError):
            join_as_new(made.secret, name="eve", password=PASSWORD)


def test_the_invitations_of_a_closed_or_removed_account_end(admin):
    for end in (deactivate, remove_account):
        maker = make_user("admin")
        made = make_invitation(by=maker, role="admin")
        end(maker)
        with pytest.raises(LinkError):
            join_as_new(made.secret, name="eve", password=PASSWORD)


def test_an_invitation_to_a_campaign_ends_when_its_maker_manages_it_no_longer(admin):
    campaign = make_campaign()
    maker = make_user("manager")
    add_member(campaign, maker, Membership.Role.MANAGER)
    made = make_invitation(by=maker, campaign=campaign)
    assert read_invitation(made.secret).campaign == campaign
    Membership.objects.filter(user=maker).delete()
    with pytest.raises(LinkError):
        read_invitation(made.secret)
