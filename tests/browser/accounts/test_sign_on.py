"""A provider of OpenID Connect in a browser: invited through it, out again, and connected later."""

from __future__ import annotations

from typing import Any

import pytest

from browser.platform import Person, violations
from browser.test_pages import look
from gistmark.web.accounts.models import Identity, User
from gistmark.web.accounts.sign_in import provider as talking
from gistmark.web.campaigns.services.invitations import make_invitation
from gistmark.web.config.environment import Provider
from web.accounts.provider_server import CLIENT, SECRET, local_provider
from web.factories import make_campaign, make_user

pytestmark = pytest.mark.timeout(180)


def test_an_invitation_through_the_provider_and_an_account_that_is_connected(
    axe: Any, chromium: Any, server: str, people: list[Person], settings: Any
):
    campaign = make_campaign(running=False, name="Bridges")
    secret = make_invitation(by=campaign.owner, campaign=campaign).secret
    talking._kept.clear()
    with local_provider() as known:
        settings.OIDC = Provider(known.url, CLIENT, SECRET, "Example University")
        known.wants_consent = True
        ada = Person(chromium, server, User(username="ada"))
        people.append(ada)
        page = ada.page
        page.goto(f"{server}/join/{secret}/")
        assert violations(axe, page) == []
        page.get_by_role("link", name="Log in with Example University").click()
        page.get_by_role("link", name="Log in as subject-1").click()
        page.wait_for_url(f"{server}/join/{secret}/")
        assert look(axe, page) == []
        assert page.get_by_label("Name").input_value() == "ada"
        page.get_by_role("button", name="Make the account").click()
        page.get_by_text("You take part in Bridges.").wait_for()
        page.get_by_role("button", name="Log out", exact=True).click()
        page.get_by_role("link", name="Log out of Example University too").wait_for()
        assert look(axe, page) == []
        page.get_by_role("link", name="Log out of Example University too").click()
        page.get_by_role("heading", name="Logged out of the provider").wait_for()

        known.person["sub"] = "subject-2"
        manager = Person(chromium, server, make_user("manager"))
        people.append(manager)
        manager.log_in()
        page = manager.page
        page.goto(f"{server}/account/")
        assert look(axe, page, dark=True) == []
        page.get_by_role("button", name="Connect").click()
        page.get_by_role("link", name="Log in as subject-2").click()
        page.get_by_text("You can log in with Example University from now on.").wait_for()
        page.get_by_role("button", name="Log out", exact=True).click()
        page.wait_for_url("**/log-in/")
        assert look(axe, page) == []
        page.get_by_role("link", name="Log in with Example University").click()
        page.get_by_role("link", name="Log in as subject-2").click()
        page.wait_for_url(f"{server}/campaigns/")
    assert {each.user.username: each.subject for each in Identity.objects.all()} == {
        "ada": "subject-1",
        manager.user.username: "subject-2",
    }
