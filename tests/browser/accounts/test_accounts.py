"""Accounts in a browser: the set-up, the sample campaign, logging out and in, an invitation."""

from __future__ import annotations

from typing import Any

import pytest

from browser.platform import Person
from gistmark.web.accounts.models import User
from gistmark.web.accounts.sign_in.set_up import set_up_code
from gistmark.web.campaigns.models import Campaign
from web.factories import PASSWORD

pytestmark = pytest.mark.timeout(180)


def visitor(chromium: Any, server: str, people: list[Person], name: str) -> Person:
    """Somebody who has no account yet, at a browser of their own."""
    person = Person(chromium, server, User(username=name))
    people.append(person)
    return person


def fill_in_account(person: Person, button: str) -> None:
    """Choose a name and a password, and make the account."""
    person.page.get_by_label("Name").fill(person.user.username)
    person.page.get_by_label("Password", exact=True).fill(PASSWORD)
    person.page.get_by_label("The same password again").fill(PASSWORD)
    person.page.get_by_role("button", name=button).click()


def test_from_the_set_up_to_an_annotator_who_was_invited(
    chromium: Any, server: str, people: list[Person]
):
    admin = visitor(chromium, server, people, "ada")
    page = admin.page
    page.goto(f"{server}/set-up/")
    page.get_by_label("Set-up code").fill(set_up_code().lower())
    fill_in_account(admin, "Make the admin's account")

    page.get_by_role("button", name="Load the sample campaign").click()
    page.get_by_text("is loaded.").wait_for()
    campaign = Campaign.objects.get()
    assert page.get_by_role("heading", name=campaign.name).is_visible()

    page.get_by_role("button", name="Log out").click()
    page.wait_for_url("**/log-in/")
    page.goto(f"{server}/campaigns/{campaign.key}/people/")
    assert f"/log-in/?next=/campaigns/{campaign.key}/people/" in page.url
    admin.log_in()
    page.goto(f"{server}/campaigns/{campaign.key}/people/")
    page.get_by_role("button", name="Make a link").click()
    link = page.get_by_label("The link").input_value()

    annotator = visitor(chromium, server, people, "grace")
    annotator.page.goto(link)
    fill_in_account(annotator, "Make the account")
    annotator.page.get_by_text(f"You take part in {campaign.name}.").wait_for()
    assert annotator.page.get_by_role("link", name="grace").is_visible()
    assert not annotator.page.get_by_role("link", name="Campaigns").is_visible()
    roles = {each.username: each.role for each in User.objects.all()}
    assert roles == {"ada": "admin", "grace": "annotator"}
    assert campaign.memberships.get(role="annotator").user.username == "grace"
