"""Role x address x method for the pages of studies on a crowd market."""

from __future__ import annotations

import pytest
from django.urls import URLPattern, reverse

from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.members import add_member
from gistmark.web.crowd.models import Participant, Recruitment, Visit
from gistmark.web.crowd.recruitments import create_recruitment
from gistmark.web.crowd.settings import RecruitmentSettings
from gistmark.web.manage.urls import recruit_urls
from web.factories import make_campaign, make_user

pytestmark = pytest.mark.django_db

FORM = {"get": 200, "post": 400, "put": 405, "delete": 405, "patch": 405}
PAGE = {"get": 200, "post": 405, "put": 405, "delete": 405, "patch": 405}
ACTION = {"get": 405, "post": 302, "put": 405, "delete": 405, "patch": 405}
TABLE = {
    "campaign-recruit": FORM,
    "campaign-recruit-account": ACTION,
    "campaign-study": FORM,
    "campaign-study-step": ACTION,
    "campaign-study-review": PAGE,
    "campaign-study-approve": ACTION,
    "campaign-study-submission": FORM,
    "campaign-study-bonuses": ACTION,
}


@pytest.fixture(scope="module")
def shared(shared_db) -> int:
    made = make_campaign(annotators=(make_user(),))
    settings = RecruitmentSettings(reward=150)
    study = create_recruitment(made, market="prolific", settings=settings, by=made.owner)
    participant = Participant.objects.create(market="prolific", pid="pid-1", user=make_user())
    Visit.objects.create(
        recruitment=study, participant=participant, session="s1", status="AWAITING REVIEW"
    )
    return made.pk


@pytest.fixture
def campaign(shared, db) -> Campaign:
    """A campaign with a study on Prolific that somebody takes part in."""
    return Campaign.objects.get(pk=shared)


def address(name: str, campaign: Campaign, study: str | None = None) -> str:
    pattern = next(str(each.pattern) for each in recruit_urls if each.name == name)
    arguments: dict[str, object] = {"key": campaign.key}
    if "<str:study>" in pattern:
        arguments["study"] = study or Recruitment.objects.get(campaign=campaign).key
    if "<int:pk>" in pattern:
        arguments["pk"] = Visit.objects.get().pk
    return reverse(name, kwargs=arguments)


def statuses(client, where: str) -> dict[str, int]:
    return {method: getattr(client, method)(where).status_code for method in FORM}


def refused(name: str, status: int) -> dict[str, int]:
    return {method: 405 if known == 405 else status for method, known in TABLE[name].items()}


def test_every_address_is_in_the_table():
    assert sorted(e.name for e in recruit_urls if isinstance(e, URLPattern)) == sorted(TABLE)


@pytest.mark.parametrize("name", TABLE)
def test_managers_of_the_campaign_and_admins(name, campaign, log_in, admin):
    colleague = make_user("manager")
    add_member(campaign, colleague, "manager")
    for user in (campaign.owner, colleague, admin):
        assert statuses(log_in(user), address(name, campaign)) == TABLE[name]


@pytest.mark.parametrize("name", TABLE)
def test_nobody_else(name, campaign, log_in):
    where = address(name, campaign)
    annotator = campaign.memberships.get(role="annotator").user
    assert statuses(log_in(annotator), where) == refused(name, 403)
    for stranger in (make_user("manager"), make_user(), Participant.objects.get().user):
        assert statuses(log_in(stranger), where) == refused(name, 404)
    assert statuses(log_in(), where) == refused(name, 302)


@pytest.mark.parametrize("name", [each for each in TABLE if "-study" in each])
def test_a_study_of_another_campaign_is_not_found(name, campaign, log_in):
    other = make_campaign(owner=campaign.owner)
    study = Recruitment.objects.get(campaign=campaign).key
    assert statuses(log_in(campaign.owner), address(name, other, study)) == refused(name, 404)
    for forged in ("0" * 10, "%00"):
        where = address(name, campaign).replace(study, forged)
        assert statuses(log_in(campaign.owner), where) == refused(name, 404)


def test_forms_without_their_token_are_refused(campaign, log_in):
    client = log_in(campaign.owner, enforce_csrf_checks=True)
    for name in TABLE:
        assert client.post(address(name, campaign)).status_code in (403, 405)


@pytest.mark.parametrize("name", TABLE)
def test_no_page_shows_the_id_that_the_market_knows_somebody_by(name, campaign, log_in):
    assert "pid-1" not in log_in(campaign.owner).get(address(name, campaign)).text
