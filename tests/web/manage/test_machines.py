"""The page of a campaign's machines: adding one, its tokens, and the commands that run it."""

from __future__ import annotations

import re
import shlex
from html import unescape

import pytest
from django.urls import reverse

from gistmark.web.accounts.people import deactivate
from gistmark.web.campaigns.services.machines import (
    add_machine,
    machines_of,
    make_machine_token,
    tokens_of,
)
from web.api.calling import Caller
from web.factories import make_campaign
from web.manage.browsing import url

pytestmark = pytest.mark.django_db

NEW = {"model": "qwen", "url": "http://localhost:8000/v1", "name": "judge"}


def with_token(secret: str) -> Caller:
    caller = Caller(None)
    caller.headers["Authorization"] = f"Bearer {secret}"
    return caller


def test_a_manager_with_a_browser_adds_a_machine_gets_its_token_once_and_revokes_it(
    client, manager
):
    campaign = make_campaign(owner=manager)
    page = client.post(url("campaign-machines", campaign), NEW, follow=True).content.decode()
    assert "The machine judge takes part." in page
    machine = machines_of(campaign).get()
    shown = client.post(url("campaign-machine-token", campaign, machine.pk))
    (secret,) = re.findall(r'value="(gm_[^"]+)"', shown.content.decode())
    assert "no-store" in shown.headers["Cache-Control"]
    program = with_token(secret)
    assert program.get(f"/campaigns/{campaign.key}/machine").json()["name"] == "judge"
    page = client.get(url("campaign-machines", campaign)).content.decode()
    assert secret not in page
    assert f"made by {manager.username}" in page
    (where,) = re.findall(r'action="([^"]+/revoke/)"', page)
    page = client.post(where, follow=True).content.decode()
    assert "The token is revoked" in page
    assert "/revoke/" not in page
    assert program.get(f"/campaigns/{campaign.key}/machine").status_code == 401
    again = client.post(where, follow=True).content.decode()
    assert "it may be revoked already" in again


def test_the_page_has_the_command_for_any_computer_and_the_one_for_the_platforms_own(
    client, manager, settings
):
    settings.ADDRESS = "https://rate.example.org"
    campaign = make_campaign(owner=manager)
    add_machine(campaign, model="a model; rm -rf /", url="http://localhost:8000/v1", name="judge")
    page = client.get(url("campaign-machines", campaign)).content.decode()
    shown = re.findall(r"<code[^>]*>(gistmark campaign judge .*?)</code>", page)
    commands = [shlex.split(unescape(each)) for each in shown]
    judge = ["gistmark", "campaign", "judge", campaign.key]
    assert commands == [
        [*judge, "--url", "https://rate.example.org", "--judge-url", "http://localhost:8000/v1",
         "--judge-model", "a model; rm -rf /"],
        [*judge, "--name", "judge"],
    ]  # fmt: skip


def test_a_token_is_revoked_only_as_that_of_its_machine_and_campaign(client, manager):
    campaign, other = make_campaign(owner=manager), make_campaign(owner=manager)
    machine, stranger = (add_machine(each, model="m") for each in (campaign, other))
    made = make_machine_token(machine, manager)
    for where in (
        reverse("campaign-machine-revoke", args=[other.key, machine.pk, made.token.pk]),
        reverse("campaign-machine-revoke", args=[other.key, stranger.pk, made.token.pk]),
    ):
        client.post(where)
        assert tokens_of(machine).count() == 1
    own = make_machine_token(stranger, manager).token
    client.post(reverse("campaign-machine-revoke", args=[campaign.key, machine.pk, own.pk]))
    assert tokens_of(stranger).count() == 1


def test_a_machine_whose_account_is_closed_gets_no_token(client, manager):
    campaign = make_campaign(owner=manager)
    machine = add_machine(campaign, model="m")
    deactivate(machine.membership.user)
    page = client.get(url("campaign-machines", campaign)).content.decode()
    assert "Make a token" not in page
    refused = client.post(url("campaign-machine-token", campaign, machine.pk))
    assert refused.status_code == 409
    assert not tokens_of(machine).exists()
