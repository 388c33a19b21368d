"""So many days after its end, annotators of a campaign who take part nowhere else are erased."""

from __future__ import annotations

from datetime import timedelta

import pytest
from click.testing import CliRunner
from django.urls import reverse
from django.utils import timezone

from gistmark.cli.campaign.group import campaign as command
from gistmark.errors import UsageError
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Submission
from gistmark.web.campaigns.models import Campaign, Event
from gistmark.web.campaigns.services.campaigns import change_settings, close
from gistmark.web.campaigns.services.machines import add_machine
from gistmark.web.campaigns.services.members import add_member
from gistmark.web.crowd.models import Participant, Recruitment, Visit
from gistmark.web.privacy.erasure import erase
from gistmark.web.privacy.retention import apply_retention, due_retentions, retention_of
from web.api.calling import Caller
from web.factories import again, make_campaign, make_user
from web.privacy import living
from web.results.working import worked_campaign

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made_ended(shared_db):
    """A campaign that was closed ten days ago, with the work of two annotators."""
    campaign = worked_campaign(annotators=2, tasks=1)
    close(campaign, None)
    Campaign.objects.update(closed_at=timezone.now() - timedelta(days=10))
    campaign.refresh_from_db()
    return campaign


@pytest.fixture
def ended(made_ended, db):
    return again(made_ended)


def people_of(campaign: Campaign) -> list[User]:
    found = User.objects.filter(memberships__campaign=campaign, role="annotator")
    return list(found.order_by("pk"))


@pytest.mark.parametrize(("days", "count"), [(None, 0), (11, 0), (10, 2), (1, 2)])
def test_annotators_are_erased_once_the_days_have_passed(ended, days, count):
    names = tuple(user.username for user in people_of(ended))
    if days is not None:
        change_settings(ended, None, retention_days=days)
    submissions = Submission.objects.count()
    assert apply_retention() == count
    assert (living.traces(names) == []) == bool(count)
    assert Submission.objects.count() == submissions
    assert apply_retention() == 0
    told = list(Event.objects.filter(verb="retention").values_list("about", flat=True))
    assert told == ([{"people": count}] if count else [])


def test_a_campaign_that_goes_on_keeps_its_people():
    campaign = worked_campaign(annotators=2, tasks=1)
    change_settings(campaign, None, retention_days=1)
    assert retention_of(campaign).ends_at is None
    assert due_retentions() == []


def test_who_takes_part_elsewhere_stays_until_that_has_ended_too(ended):
    change_settings(ended, None, retention_days=5)
    first, second = people_of(ended)
    other = make_campaign(annotators=(first,))
    assert apply_retention() == 1
    assert not User.objects.get(pk=first.pk).erased
    assert User.objects.get(pk=second.pk).erased
    assert retention_of(ended).elsewhere == 1
    close(other, None)
    Campaign.objects.update(closed_at=timezone.now() - timedelta(days=10))
    assert apply_retention() == 0
    change_settings(Campaign.objects.get(pk=other.pk), None, retention_days=3)
    assert apply_retention() == 1
    assert User.objects.get(pk=first.pk).erased


def test_managers_and_admins_stay(ended):
    boss = make_user("admin")
    add_member(ended, boss)
    change_settings(ended, None, retention_days=5)
    apply_retention()
    assert not User.objects.get(pk=boss.pk).erased
    assert not User.objects.get(pk=ended.owner_id).erased


def test_who_came_from_a_study_that_is_still_open_waits(ended):
    change_settings(ended, None, retention_days=5)
    first, _ = people_of(ended)
    study = Recruitment.objects.create(campaign=ended, market="prolific", state="active")
    participant = Participant.objects.create(market="prolific", pid="p1", user=first)
    Visit.objects.create(recruitment=study, participant=participant, session="s1")
    assert retention_of(ended).waiting == 1
    assert apply_retention() == 1
    Recruitment.objects.update(state="ended")
    assert apply_retention() == 1
    assert Participant.objects.get().pid != "p1"


def test_the_settings_say_when_and_whom(ended, log_in):
    client, address = log_in(ended.owner), reverse("campaign-settings", args=[ended.key])
    assert "gistmark campaign retention" not in client.get(address).content.decode()
    form = {"name": ended.name, "lease_minutes": 120, "language": "", "retention_days": 30}
    client.post(address, form)
    page = client.get(address).content.decode()
    ends = ended.closed_at + timedelta(days=30)
    assert (
        f"From {ends.day} {ends:%B %Y} on, as things are now: annotators who are erased: 2." in page
    )
    client.post(address, form | {"retention_days": ""})
    ended.refresh_from_db()
    assert ended.retention_days is None
    assert client.post(address, form | {"retention_days": -1}).status_code == 400


def test_the_api_and_the_service_check_the_days(ended):
    caller = Caller(ended.owner)
    path = f"/campaigns/{ended.key}"
    assert caller.call("PATCH", path, {"retention_days": 30}).json()["retention_days"] == 30
    assert caller.call("PATCH", path, {"retention_days": 0}).json()["retention_days"] is None
    with pytest.raises(UsageError, match="Retention is 1 to"):
        change_settings(ended, None, retention_days=10**6)


def test_the_command_says_what_would_happen_and_then_does_it(ended):
    change_settings(ended, None, retention_days=5)
    run = CliRunner().invoke
    assert (
        f"{ended.name}: annotators who are erased: 2."
        in run(command, ["retention", "--dry-run"], catch_exceptions=False).output
    )
    assert not User.objects.filter(erased=True).exists()
    assert "Erased: 2 people." in run(command, ["retention"], catch_exceptions=False).output
    assert "No campaign is past" in run(command, ["retention"], catch_exceptions=False).output


def test_a_machine_is_nobody_to_erase(ended):
    change_settings(ended, None, retention_days=1)
    machine = add_machine(ended, model="tiny-judge", name="judge").membership.user
    assert machine not in retention_of(ended).people
    assert apply_retention() == 2
    machine.refresh_from_db()
    assert not machine.erased
    with pytest.raises(UsageError, match="judge is a machine and no person"):
        erase(machine, by=None)
