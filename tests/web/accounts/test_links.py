"""Links hold until their day and for their number of people, and tell nothing else."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone

from gistmark.errors import UsageError
from gistmark.web.accounts.attempts import note_failure
from gistmark.web.accounts.credentials import (
    LinkError,
    make_password_link,
    read_link,
    set_password_by_link,
)
from gistmark.web.accounts.models import Attempt, Link, User
from gistmark.web.accounts.people import deactivate
from gistmark.web.campaigns.models import Membership
from gistmark.web.campaigns.services import close
from gistmark.web.campaigns.services.invitations import (
    join_as_known,
    join_as_new,
    make_invitation,
    read_invitation,
)
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


def test_a_password_link_sets_the_password_once(annotator):
    made = make_password_link(by=None, user=annotator)
    note_failure(annotator.username, "192.0.2.1")
    set_password_by_link(made.secret, "another-quiet-stone")
    assert User.objects.get(pk=annotator.pk).check_password("another-quiet-stone")
    assert not Attempt.objects.exists()
    with pytest.raises(LinkError):
        set_password_by_link(made.secret, "a-third-quiet-stone")


def test_a_weak_password_does_not_use_up_the_link(annotator):
    made = make_password_link(by=None, user=annotator)
    with pytest.raises(UsageError):
        set_password_by_link(made.secret, "123")
    assert read_link(made.secret, TO_PASSWORD).user == annotator


def test_a_new_password_link_ends_the_one_before(annotator):
    first = make_password_link(by=None, user=annotator)
    second = make_password_link(by=None, user=annotator)
    with pytest.raises(LinkError):
        read_link(first.secret, TO_PASSWORD)
    assert read_link(second.secret, TO_PASSWORD).user == annotator


def test_a_closed_account_gets_no_password_link_and_keeps_none(annotator):
    made = make_password_link(by=None, user=annotator)
    deactivate(annotator)
    with pytest.raises(LinkError):
        read_link(made.secret, TO_PASSWORD)
    with pytest.raises(UsageError, match="closed"):
        make_password_link(by=None, user=annotator)


def test_the_database_itself_refuses_a_password_link_for_nobody():
    with pytest.raises(IntegrityError), transaction.atomic():
        Link.objects.create(kind=TO_PASSWORD, hash="x", ends_at=timezone.now())
