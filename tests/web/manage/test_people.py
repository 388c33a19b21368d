"""The page of a campaign's people: adding, inviting, allocating, releasing."""

from __future__ import annotations

import pytest

from gistmark.web.accounts.people import deactivate
from gistmark.web.annotate.models import Task
from gistmark.web.annotate.services.claims import next_task
from web.api.calling import Caller
from web.factories import make_campaign, make_user
from web.manage.browsing import url

pytestmark = pytest.mark.django_db


def test_people_are_added_and_invited(client, manager):
    campaign, ann = make_campaign(owner=manager), make_user()
    client.post(url("campaign-people-add", campaign), {"name": ann.username, "role": "annotator"})
    assert campaign.memberships.filter(user=ann, role="annotator").exists()
    page = client.post(url("campaign-people-invite", campaign), {"uses": 3, "days": 7})
    assert "/join/" in page.content.decode()
    assert campaign.links.get().uses_left == 3


def test_managers_see_whom_they_may_add_and_add_many_at_once(client, manager):
    campaign = make_campaign(owner=manager)
    ann, bob, cy, dee = (make_user(name=name) for name in ("ann", "bob", "cy", "dee"))
    deactivate(dee)
    text = client.get(url("campaign-people", campaign)).content.decode()
    assert all(f'value="{user.username}"' in text for user in (ann, bob, cy))
    assert 'value="dee"' not in text
    filled = {"known": ["ann"], "name": "Bob, cy\nann", "role": "annotator"}
    page = client.post(url("campaign-people-add", campaign), filled, follow=True)
    assert "Now taking part: ann, bob, cy." in page.content.decode()
    assert campaign.memberships.filter(role="annotator").count() == 3


def test_of_a_list_with_unknown_names_nobody_is_added(client, manager):
    campaign = make_campaign(owner=manager)
    make_user(name="ann")
    filled = {"name": "ann zed yves", "role": "annotator"}
    page = client.post(url("campaign-people-add", campaign), filled)
    assert page.status_code == 400
    assert "There is no user &#x27;zed&#x27;, &#x27;yves&#x27;." in page.content.decode()
    assert not campaign.memberships.filter(role="annotator").exists()


def test_those_without_tasks_are_removed_and_the_others_stay(client, manager):
    idle, busy = make_user(), make_user()
    campaign = make_campaign(owner=manager, annotators=(idle, busy))
    next_task(campaign, busy)
    chosen = {"people": [idle.username, busy.username]}
    page = client.post(url("campaign-people-remove", campaign), chosen, follow=True)
    assert f"No longer taking part: {idle.username}." in page.content.decode()
    assert f"{busy.username}&#x27; has tasks in this campaign" in page.content.decode()
    assert [each.user for each in campaign.memberships.filter(role="annotator")] == [busy]


def test_a_large_campaign_is_searched_by_name(client, manager):
    people = tuple(make_user(name=f"p{number:02}") for number in range(11))
    campaign = make_campaign(owner=manager, annotators=people)
    members = client.get(url("campaign-people", campaign), {"q": "P07"}).context["members"]
    assert [each.name for each in members] == ["p07"]


def test_programs_list_add_and_remove_people(manager):
    campaign = make_campaign(owner=manager)
    for name in ("ann", "bob"):
        make_user(name=name)
    boss, path = Caller(manager), f"/campaigns/{campaign.key}"
    names = [each["name"] for each in boss.get(f"{path}/candidates").json()]
    assert {"ann", "bob"} <= set(names)
    assert manager.username not in names
    assert boss.post(f"{path}/members", {"names": ["ann", "bob"]}).status_code == 204
    assert boss.post(f"{path}/members", {}).status_code == 400
    assert boss.call("DELETE", f"{path}/members/ann").status_code == 204
    assert boss.call("DELETE", f"{path}/members/ann").status_code == 400
    assert boss.call("DELETE", f"{path}/members/{manager.username}").status_code == 409


@pytest.mark.parametrize(
    ("name", "filled"),
    [
        ("add", {"name": "nobody-knows", "role": "annotator"}),
        ("add", {"name": "a\x00b", "role": "annotator"}),
        ("add", {"name": "", "role": "king"}),
        ("invite", {"uses": 0, "days": 7}),
        ("invite", {"uses": 10**9, "days": 7}),
        ("invite", {"uses": 1, "days": "x"}),
        ("allocate", {}),
        ("allocate", {"people": "nobody-knows"}),
        ("allocate", {"people": "a\x00b"}),
        ("release", {}),
        ("release", {"people": ["x", "y"]}),
    ],
)
def test_people_that_make_no_sense_are_told(client, manager, name, filled):
    campaign = make_campaign(owner=manager, annotators=(make_user(),))
    page = client.post(url(f"campaign-people-{name}", campaign), filled)
    assert page.status_code == 400
    assert "form-errors" in page.content.decode()


def test_tasks_are_allocated_to_the_chosen_and_released(client, manager):
    people = (make_user(), make_user())
    campaign = make_campaign(owner=manager, annotators=people, judges=2)  # 8 slots
    chosen = {"people": [user.username for user in people], "limit": "3"}
    page = client.post(url("campaign-people-allocate", campaign), chosen, follow=True)
    assert "Tasks allocated: 6." in page.content.decode()
    assert "Tasks still open: 2." in page.content.decode()
    chosen = {"people": [people[0].username]}
    page = client.post(url("campaign-people-release", campaign), chosen, follow=True)
    assert "Tasks released: 3." in page.content.decode()
    assert Task.objects.filter(state="held").count() == 3


def test_every_reason_why_tasks_stay_open_is_named_with_its_number(client, manager):
    people = (make_user(), make_user())
    campaign = make_campaign(owner=manager, annotators=people, judges=3)  # 4 batches, 12 slots
    chosen = {"people": [user.username for user in people], "limit": "1"}
    page = client.post(url("campaign-people-allocate", campaign), chosen, follow=True)
    text = page.content.decode()
    # One batch goes to both, whose third slot needs a third person; nine slots are for the limit.
    assert "Tasks allocated: 2." in text
    assert "Tasks still open: 9. Everybody who could do it has as many tasks as the limit" in text
    assert "Tasks still open: 1. There are too few annotators" in text


def test_a_name_that_nobody_has_is_told_without_a_shell_command(client, manager):
    campaign = make_campaign(owner=manager)
    filled = {"name": "nobody-knows", "role": "annotator"}
    page = client.post(url("campaign-people-add", campaign), filled).content.decode()
    assert "There is no user &#x27;nobody-knows&#x27;." in page
    assert "gistmark users" not in page


def test_a_campaign_that_does_not_run_allocates_nothing(client, manager):
    ann = make_user()
    campaign = make_campaign(owner=manager, annotators=(ann,), running=False)
    page = client.post(url("campaign-people-allocate", campaign), {"people": [ann.username]})
    assert page.status_code == 400
    assert "has not started yet" in page.content.decode()
