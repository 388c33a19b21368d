"""The page of notices and one's own e-mail in a browser: axe finds nothing, nothing sticks out."""

from __future__ import annotations

from typing import Any

import pytest

from browser.platform import Person
from browser.test_pages import look
from gistmark.web.accounts.models import MailAddress
from gistmark.web.config.environment import MailServer
from gistmark.web.notices.webhooks import make_webhook, try_webhook
from gistmark.web.outbox.queue import deliver_due
from web.factories import make_campaign, make_user

pytestmark = pytest.mark.timeout(180)


def test_notices_and_addresses_look_right(
    axe: Any, chromium: Any, server: str, people: list[Person], settings: Any
):
    settings.MAIL = MailServer("127.0.0.1", 9, "none", "gistmark@uni.example")
    settings.PRIVATE_WEBHOOKS = True
    owner = make_user("manager")
    campaign = make_campaign(owner=owner, name="Bridges")
    made = make_webhook(campaign, "http://127.0.0.1:9/a/rather/long/path/of/a/hook", by=owner)
    try_webhook(campaign, made.webhook.pk)
    deliver_due()
    MailAddress.objects.create(user=owner, address="ada@uni.example")
    person = Person(chromium, server, owner)
    people.append(person)
    person.enter()
    page = person.page
    page.goto(f"{server}/campaigns/{campaign.key}/notices/")
    assert look(axe, page, dark=True) == []
    assert page.get_by_text("127.0.0.1:9 does not answer").is_visible()
    page.goto(f"{server}/account/")
    assert look(axe, page) == []
    person.context.clear_cookies()
    page.goto(f"{server}/log-in/")
    page.get_by_role("link", name="Forgot your password?").click()
    page.get_by_role("button", name="Send me a link").wait_for()
    assert look(axe, page) == []
    page.get_by_label("Name").fill("nobody")
    page.get_by_role("button", name="Send me a link").click()
    page.get_by_text("a link is on its way to it").wait_for()
    assert look(axe, page) == []
