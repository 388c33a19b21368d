"""Role x address x method for every address of the campaigns app."""

from __future__ import annotations

import pytest
from django.urls import URLPattern, reverse

from gistmark.web.campaigns.services import add_member
from gistmark.web.campaigns.urls import urlpatterns
from web.factories import make_campaign, make_user

pytestmark = pytest.mark.django_db

FORM = {"get": 200, "post": 400, "put": 405, "delete": 405, "patch": 405}
PAGE = {"get": 200, "post": 405, "put": 405, "delete": 405, "patch": 405}
ACTION = {"get": 405, "post": 302, "put": 405, "delete": 405, "patch": 405}
SENT = {"get": 405, "post": 400, "put": 405, "delete": 405, "patch": 405}

FOR_ANY_MANAGER = {"campaigns": PAGE, "campaign-new": FORM}
OF_A_CAMPAIGN = {
    "campaign-state": ACTION,
    "campaign-settings": FORM,
    "campaign-protocol": SENT,
    "campaign-changes": SENT,
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
    "campaign-people": PAGE,
    "campaign-people-add": SENT,
    "campaign-people-invite": SENT,
    "campaign-people-allocate": SENT,
    "campaign-people-release": SENT,
}
METHODS = ("get", "post", "put", "delete", "patch")


@pytest.fixture
def campaign():
    return make_campaign(annotators=(make_user(),), running=False)


def address(name, campaign):
    if name in FOR_ANY_MANAGER:
        return reverse(name)
    pattern = next(each for each in urlpatterns if each.name == name)
    arguments = {"key": campaign.key}
    if "<int:pk>" in str(pattern.pattern):
        of = campaign.questions if "question" in name else campaign.planted
        arguments["pk"] = of.first().pk
    return reverse(name, kwargs=arguments)


def test_every_address_is_in_the_table():
    names = [each.name for each in urlpatterns if isinstance(each, URLPattern)]
    assert sorted(names) == sorted(FOR_ANY_MANAGER | OF_A_CAMPAIGN)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", OF_A_CAMPAIGN)
def test_managers_of_the_campaign_and_admins(name, method, campaign, log_in, admin):
    colleague = make_user("manager")
    add_member(campaign, colleague, "manager")
    for user in (campaign.owner, colleague, admin):
        client = log_in(user)
        answer = getattr(client, method)(address(name, campaign))
        assert answer.status_code == OF_A_CAMPAIGN[name][method], user
        if "remove" in name and method == "post":
            break


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", OF_A_CAMPAIGN)
def test_annotators_of_the_campaign_know_it_but_may_not(name, method, campaign, log_in):
    annotator = campaign.memberships.get(role="annotator").user
    demoted = make_user("manager")
    add_member(campaign, demoted, "manager")
    demoted.role = "annotator"
    demoted.save()
    for user in (annotator, demoted):
        answer = getattr(log_in(user), method)(address(name, campaign))
        assert answer.status_code == (403 if OF_A_CAMPAIGN[name][method] != 405 else 405)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", OF_A_CAMPAIGN)
def test_others_do_not_learn_that_there_is_such_a_campaign(name, method, campaign, log_in):
    refused = 405 if OF_A_CAMPAIGN[name][method] == 405 else 404
    for user in (make_user("manager"), make_user()):
        answer = getattr(log_in(user), method)(address(name, campaign))
        assert answer.status_code == refused
        assert campaign.name not in answer.content.decode()


@pytest.mark.parametrize("name", OF_A_CAMPAIGN)
def test_a_forged_key_is_not_found(name, campaign, log_in):
    method = "get" if OF_A_CAMPAIGN[name]["get"] == 200 else "post"
    forged = address(name, campaign).replace(campaign.key, "0" * 10)
    assert getattr(log_in(campaign.owner), method)(forged).status_code == 404


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", [*OF_A_CAMPAIGN, *FOR_ANY_MANAGER])
def test_visitors_are_sent_to_log_in(name, method, campaign, log_in):
    expected = (OF_A_CAMPAIGN | FOR_ANY_MANAGER)[name][method]
    answer = getattr(log_in(), method)(address(name, campaign))
    assert answer.status_code == (405 if expected == 405 else 302)
    if expected != 405:
        assert answer.url.startswith("/log-in/")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", FOR_ANY_MANAGER)
def test_the_list_and_new_campaigns_are_for_managers(name, method, campaign, log_in, admin):
    expected = FOR_ANY_MANAGER[name][method]
    for user in (admin, make_user("manager")):
        answer = getattr(log_in(user), method)(address(name, campaign))
        assert answer.status_code == expected
    answer = getattr(log_in(make_user()), method)(address(name, campaign))
    assert answer.status_code == (405 if expected == 405 else 403)


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
        answer = client.post(where, {"statement": "x", "answer": "true"})
        messages = [str(message) for message in answer.wsgi_request._messages]
        assert answer.status_code == 404 or "no such statement" in messages[0]
    assert other.questions.filter(pk=pk).exists()


def test_managers_see_their_own_campaigns_only(campaign, log_in, admin):
    other = make_campaign(running=False)
    page = log_in(campaign.owner).get("/campaigns/").content.decode()
    assert campaign.name in page
    assert other.name not in page
    page = log_in(admin).get("/campaigns/").content.decode()
    assert campaign.name in page
    assert other.name in page
