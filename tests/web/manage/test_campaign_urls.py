"""Role x address x method for every address of a campaign's pages."""

from __future__ import annotations

import zlib

import pytest
from django.urls import URLPattern, reverse

from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.machines import (
    add_machine,
    machines_of,
    make_machine_token,
    tokens_of,
)
from gistmark.web.campaigns.services.members import add_member
from gistmark.web.config.storage.encryption import encrypt
from gistmark.web.manage.urls import campaign_urls
from gistmark.web.qualification.services.plans import replace_practice
from gistmark.web.results.models import HelperScores
from web.factories import make_campaign, make_user
from web.qualification.practising import QUESTIONS, make_practice

pytestmark = pytest.mark.django_db

FORM = {"get": 200, "post": 400, "put": 405, "delete": 405, "patch": 405}
PAGE = {"get": 200, "post": 405, "put": 405, "delete": 405, "patch": 405}
ACTION = {"get": 405, "post": 302, "put": 405, "delete": 405, "patch": 405}
DONE = {"get": 405, "post": 200, "put": 405, "delete": 405, "patch": 405}
SENT = {"get": 405, "post": 400, "put": 405, "delete": 405, "patch": 405}

FOR_ANY_MANAGER = {"campaigns": PAGE, "campaign-new": FORM, "campaigns-combine": FORM}
OF_A_CAMPAIGN = {
    "campaign-state": ACTION,
    "campaign-pilot": FORM,
    "campaign-preview": PAGE,
    "campaign-preview-task": PAGE,
    "campaign-design": PAGE,
    "campaign-design-preview": SENT,
    "campaign-design-blocks": ACTION,
    "campaign-version": ACTION,
    "campaign-settings": FORM,
    "campaign-protocol": SENT,
    "campaign-changes": SENT,
    "campaign-plan": PAGE,
    "campaign-helper": FORM,
    "campaign-helper-remove": ACTION,
    "campaign-helper-scores": PAGE,
    "campaign-plan-use": ACTION,
    "campaign-fewer": PAGE,
    "campaign-fewer-sample": SENT,
    "campaign-fewer-all": ACTION,
    "campaign-fewer-adaptive": SENT,
    "campaign-fewer-stop": ACTION,
    "campaign-copy": SENT,
    "campaign-delete": ACTION,
    "campaign-checks": PAGE,
    "campaign-checks-generate": ACTION,
    "campaign-checks-approve": ACTION,
    "campaign-question-new": FORM,
    "campaign-question": FORM,
    "campaign-question-approve": ACTION,
    "campaign-question-remove": ACTION,
    "campaign-planted-new": FORM,
    "campaign-planted": FORM,
    "campaign-planted-approve": ACTION,
    "campaign-planted-remove": ACTION,
    "campaign-practice": FORM,
    "campaign-practice-people": ACTION,
    "campaign-practice-import": SENT,
    "campaign-practice-file": PAGE,
    "campaign-practice-attempts": PAGE,
    "campaign-practice-new": FORM,
    "campaign-practice-item": FORM,
    "campaign-practice-answer": PAGE,
    "campaign-practice-move": ACTION,
    "campaign-practice-remove": ACTION,
    "campaign-comprehension-new": FORM,
    "campaign-comprehension": FORM,
    "campaign-comprehension-remove": ACTION,
    "campaign-notices": PAGE,
    "campaign-notices-invite": SENT,
    "campaign-notices-remind": ACTION,
    "campaign-webhook-new": SENT,
    "campaign-webhook-test": ACTION,
    "campaign-webhook-remove": ACTION,
    "campaign-machines": FORM,
    "campaign-machine-token": DONE,
    "campaign-machine-revoke": ACTION,
    "campaign-people": PAGE,
    "campaign-people-add": SENT,
    "campaign-people-invite": SENT,
    "campaign-people-allocate": SENT,
    "campaign-people-release": SENT,
    "campaign-people-remove": SENT,
}
REMOVALS = {
    f"campaign-{kind}-remove" for kind in ("question", "planted", "practice", "comprehension")
}
"""What is gone after the first of several people has done it."""
TABLE = OF_A_CAMPAIGN | FOR_ANY_MANAGER
METHODS = ("get", "post", "put", "delete", "patch")
OF_OTHERS = ("get", "post", "put")
"""For all but the owner: what no address knows is refused in one way, whoever asks."""


@pytest.fixture(scope="module")
def shared(shared_db) -> int:
    made = make_campaign(annotators=(make_user(),), running=False)
    practice = make_practice((4,), comprehension=QUESTIONS[:1], leaves_out=False)
    replace_practice(made, practice, made.owner)
    made.webhooks.create(url="https://example.org/hook", secret=encrypt("x"))
    machine = add_machine(made, model="tiny-judge", url="http://localhost:8000/v1")
    make_machine_token(machine, made.owner)
    HelperScores.objects.create(campaign=made, summaries=0, content=zlib.compress(b""),
                                helper="all", population="beyond")  # fmt: skip
    return made.pk


@pytest.fixture
def campaign(shared, db) -> Campaign:
    return Campaign.objects.get(pk=shared)


def address(name, campaign):
    if name in FOR_ANY_MANAGER:
        return reverse(name)
    pattern = next(each for each in campaign_urls if each.name == name)
    arguments = {"key": campaign.key}
    if "<int:machine>" in str(pattern.pattern):
        arguments["machine"] = machines_of(campaign).get().pk
    if "<int:pk>" in str(pattern.pattern):
        rows = {
            "campaign-question": campaign.questions,
            "campaign-planted": campaign.planted,
            "campaign-practice": campaign.practice_items,
            "campaign-comprehension": campaign.comprehension,
            "campaign-webhook": campaign.webhooks,
            "campaign-machine-revoke": tokens_of(machines_of(campaign).get()),
            "campaign-machine": machines_of(campaign),
        }
        of = next(rows[kind] for kind in rows if name.startswith(kind))
        arguments["pk"] = of.first().pk
    return reverse(name, kwargs=arguments)


def statuses(client, where, methods=OF_OTHERS) -> dict[str, int]:
    """What each method gives."""
    return {method: getattr(client, method)(where).status_code for method in methods}


def refused(name, status) -> dict[str, int]:
    """The same for every method that the address knows."""
    return {method: 405 if TABLE[name][method] == 405 else status for method in OF_OTHERS}


def test_every_address_is_in_the_table():
    names = [each.name for each in campaign_urls if isinstance(each, URLPattern)]
    assert sorted(names) == sorted(TABLE)


@pytest.mark.parametrize("name", OF_A_CAMPAIGN)
def test_managers_of_the_campaign_and_admins(name, campaign, log_in, admin):
    colleague = make_user("manager")
    add_member(campaign, colleague, "manager")
    where = address(name, campaign)
    known = OF_A_CAMPAIGN[name]
    assert statuses(log_in(campaign.owner), where, METHODS) == known
    removed = name.endswith("-delete") or name in REMOVALS
    expected = {method: known[method] for method in OF_OTHERS} | ({"post": 404} if removed else {})
    for user in (colleague, admin):
        assert statuses(log_in(user), where) == expected


@pytest.mark.parametrize("name", OF_A_CAMPAIGN)
def test_annotators_of_the_campaign_know_it_but_may_not(name, campaign, log_in):
    annotator = campaign.memberships.get(role="annotator", user__machine=False).user
    demoted = make_user("manager")
    add_member(campaign, demoted, "manager")
    demoted.role = "annotator"
    demoted.save()
    for user in (annotator, demoted):
        assert statuses(log_in(user), address(name, campaign)) == refused(name, 403)


@pytest.mark.parametrize("name", OF_A_CAMPAIGN)
def test_others_do_not_learn_that_there_is_such_a_campaign(name, campaign, log_in):
    where = address(name, campaign)
    for user in (make_user("manager"), make_user()):
        client = log_in(user)
        assert statuses(client, where) == refused(name, 404)
        assert campaign.name not in client.post(where).content.decode()


@pytest.mark.parametrize("name", OF_A_CAMPAIGN)
def test_a_forged_key_is_not_found(name, campaign, log_in):
    forged = address(name, campaign).replace(campaign.key, "0" * 10)
    assert statuses(log_in(campaign.owner), forged) == refused(name, 404)


@pytest.mark.parametrize("name", [*OF_A_CAMPAIGN, *FOR_ANY_MANAGER])
def test_visitors_are_sent_to_log_in(name, campaign, log_in):
    where, visitor = address(name, campaign), log_in()
    assert statuses(visitor, where) == refused(name, 302)
    method = "get" if TABLE[name]["get"] != 405 else "post"
    assert getattr(visitor, method)(where).url.startswith("/log-in/")


@pytest.mark.parametrize("name", FOR_ANY_MANAGER)
def test_the_list_and_new_campaigns_are_for_managers(name, campaign, log_in, admin):
    where = address(name, campaign)
    for user in (admin, make_user("manager")):
        assert statuses(log_in(user), where, METHODS) == TABLE[name]
    assert statuses(log_in(make_user()), where) == refused(name, 403)


def test_forms_without_their_token_are_refused(campaign, log_in):
    client = log_in(campaign.owner, enforce_csrf_checks=True)
    for name in OF_A_CAMPAIGN:
        assert client.post(address(name, campaign)).status_code in (403, 405)


def test_another_campaigns_check_is_not_found(campaign, log_in):
    other = make_campaign(owner=campaign.owner, running=False)
    client = log_in(campaign.owner)
    pk = other.questions.first().pk
    for name in ("campaign-question", "campaign-question-approve", "campaign-question-remove"):
        where = reverse(name, args=[campaign.key, pk])
        assert client.post(where, {"statement": "x", "answer": "true"}).status_code == 404
    assert other.questions.filter(pk=pk).exists()


def test_managers_see_their_own_campaigns_only(campaign, log_in, admin):
    other = make_campaign(running=False)
    page = log_in(campaign.owner).get("/campaigns/").content.decode()
    assert campaign.name in page
    assert other.name not in page
    page = log_in(admin).get("/campaigns/").content.decode()
    assert campaign.name in page
    assert other.name in page
