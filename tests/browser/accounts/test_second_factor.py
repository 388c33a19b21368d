"""A second factor in a browser: set up with a key, recovery codes, asked for at the log-in."""

from __future__ import annotations

import time
from typing import Any

import pytest

from browser.platform import Person, violations
from browser.test_pages import look
from gistmark.web.accounts.models import SecondFactor
from gistmark.web.accounts.sign_in.second_factor import PERIOD, code_at
from web.factories import make_user

pytestmark = pytest.mark.timeout(180)


def test_from_the_key_to_a_log_in_with_a_code_and_one_with_a_recovery_code(
    axe: Any, chromium: Any, server: str, people: list[Person]
):
    person = Person(chromium, server, make_user("manager"))
    people.append(person)
    page = person.page
    person.log_in()
    page.get_by_role("link", name=person.user.username).click()
    page.get_by_role("link", name="Set it up").click()
    page.get_by_role("button", name="Set it up").click()
    page.get_by_role("img", name="QR code for your authenticator app").wait_for()
    key = page.locator("code").inner_text().replace("-", "")
    assert look(axe, page, dark=True) == []
    step = int(time.time() // PERIOD)
    page.get_by_label("Code", exact=True).fill(code_at(key, step))
    page.get_by_label("Your password").fill("quiet-river-stone-41")
    page.get_by_role("button", name="Switch the second factor on").click()
    codes = page.get_by_label("Recovery codes").input_value().split()
    assert len(codes) == 10
    assert violations(axe, page) == []

    for code in (code_at(key, step + 1), codes[0].lower()):
        page.get_by_role("button", name="Log out").click()
        page.wait_for_url("**/log-in/")
        page.fill("input[name=name]", person.user.username)
        page.fill("input[type=password]", "quiet-river-stone-41")
        page.keyboard.press("Enter")
        page.wait_for_url("**/log-in/code/")
        assert violations(axe, page) == []
        page.get_by_label("Code", exact=True).fill(code)
        page.keyboard.press("Enter")
        page.wait_for_url(f"{server}/campaigns/")
    assert SecondFactor.objects.get().last_step == step + 1
    page.goto(f"{server}/account/second-factor/")
    assert page.get_by_text("Codes left: 9.").is_visible()
    assert look(axe, page) == []
