"""Who may open which page of the results: role by address by method."""

from __future__ import annotations

import pytest
from django.urls import resolve, reverse

from gistmark.web.annotate.models import BatchItem, DecisionGroup, Submission
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import close
from gistmark.web.campaigns.services.members import add_member
from gistmark.web.manage.urls import result_urls
from gistmark.web.results.catalogue import EXPORTS
from gistmark.web.results.exports import Choices, request_export
from gistmark.web.results.statistics.study import statistics_of
from web.api.calling import Caller
from web.factories import make_user
from web.results.working import first_annotator, worked_campaign

pytestmark = pytest.mark.django_db

METHODS = ("get", "head", "post", "put", "patch", "delete")


@pytest.fixture(scope="module")
def shared(shared_db) -> int:
    campaign = worked_campaign(annotators=1, tasks=2)
    statistics_of(campaign)
    request_export(campaign, "csv", Choices(), wait=0)
    return campaign.pk


@pytest.fixture
def campaign(shared, db) -> Campaign:
    return Campaign.objects.get(pk=shared)


def addresses(campaign) -> dict[str, tuple[str, ...]]:
    """Every address of the app, with the methods that it takes."""
    pk = Submission.objects.filter(task__campaign=campaign).first().pk
    group, _ = DecisionGroup.objects.get_or_create(
        campaign=campaign, manager=campaign.owner, verdict="counts"
    )
    item = BatchItem.objects.filter(batch__campaign=campaign).first().pk
    export = request_export(campaign, "csv", Choices(), wait=0).pk
    safe = ("get", "head")
    return {
        reverse("campaign", args=[campaign.key]): safe,
        reverse("campaign-numbers", args=[campaign.key]): safe,
        reverse("campaign-pairs", args=[campaign.key]): safe,
        reverse("campaign-pairs-csv", args=[campaign.key]): safe,
        reverse("campaign-work", args=[campaign.key]): safe,
        reverse("campaign-comments", args=[campaign.key]): safe,
        reverse("campaign-documents", args=[campaign.key]): safe,
        reverse("campaign-document", args=[campaign.key, 0]): safe,
        reverse("campaign-export", args=[campaign.key, "folder"]): safe,
        reverse("campaign-exported", args=[campaign.key, export]): safe,
        reverse("campaign-exported-file", args=[campaign.key, export]): safe,
        reverse("campaign-submission", args=[campaign.key, pk]): safe,
        reverse("campaign-work-decide", args=[campaign.key, pk]): ("post",),
        reverse("campaign-work-decide-many", args=[campaign.key]): ("post",),
        reverse("campaign-work-undo", args=[campaign.key, group.pk]): ("post",),
        reverse("campaign-adjudication", args=[campaign.key]): safe,
        reverse("campaign-adjudicate", args=[campaign.key, item]): (*safe, "post"),
        reverse("campaign-adjudicate-give", args=[campaign.key, item]): ("post",),
        reverse("campaign-adjudicate-withdraw", args=[campaign.key, item]): ("post",),
    }


def unit_addresses(campaign) -> dict[str, tuple[str, ...]]:
    """The addresses about content units, which only some campaigns have."""
    return {
        reverse("campaign-units", args=[campaign.key]): ("get", "head"),
        reverse("campaign-units-document", args=[campaign.key, 0]): ("get", "head", "post"),
        reverse("campaign-units-propose", args=[campaign.key]): ("post",),
        reverse("campaign-units-second-stage", args=[campaign.key]): ("post",),
    }


def test_every_address_of_the_app_is_in_the_table(campaign):
    every = {**addresses(campaign), **unit_addresses(campaign)}
    assert {resolve(address).url_name for address in every} == {
        pattern.name for pattern in result_urls
    }


def test_pages_about_content_units_are_for_managers_of_campaigns_that_have_some(log_in, admin):
    about_units = worked_campaign("content-units", annotators=1, tasks=1)
    colleague = make_user("manager")
    add_member(about_units, colleague, "manager")
    strangers = {make_user(): 404, make_user("manager"): 404, first_annotator(about_units): 403}
    people = {about_units.owner: 200, colleague: 200, admin: 200, None: 302} | strangers
    posted = {"units": "[]", "version": ""}
    for user, allowed in people.items():
        client = log_in(*(() if user is None else (user,)))
        for address, methods in unit_addresses(about_units).items():
            for method in METHODS:
                status = getattr(client, method)(address, posted).status_code
                if method not in methods:
                    assert status == 405
                elif method != "post" or allowed in (403, 404):
                    assert status == allowed, (user, method, address)
                else:
                    assert status in (302, 400), (user, method, address)
    client = log_in(about_units.owner, enforce_csrf_checks=True)
    for address, methods in unit_addresses(about_units).items():
        if "post" in methods:
            assert client.post(address, posted).status_code == 403


def test_other_campaigns_have_no_pages_about_content_units(campaign, log_in):
    client = log_in(campaign.owner)
    for name in ("campaign-units", "campaign-units-document"):
        address = next(each for each in unit_addresses(campaign) if resolve(each).url_name == name)
        assert client.get(address).status_code == 409
    assert "Units</a>" not in client.get(f"/campaigns/{campaign.key}/").content.decode()


def statuses(client, campaign) -> dict[tuple[str, str], int]:
    return {
        (address, method): getattr(client, method)(address).status_code
        for address in addresses(campaign)
        for method in METHODS
    }


def expected(campaign, allowed: int, posted: int) -> dict[tuple[str, str], int]:
    return {
        (address, method): 405
        if method not in methods
        else (posted if method == "post" else allowed)
        for address, methods in addresses(campaign).items()
        for method in METHODS
    }


def test_managers_of_the_campaign_and_admins_may_see_and_decide(campaign, log_in, admin):
    colleague = make_user("manager")
    add_member(campaign, colleague, "manager")
    for user in (campaign.owner, colleague, admin):
        assert statuses(log_in(user), campaign) == expected(campaign, 200, 302)


def test_visitors_are_sent_to_the_log_in(campaign, log_in):
    assert statuses(log_in(), campaign) == expected(campaign, 302, 302)
    for address in addresses(campaign):
        response = log_in().get(address)
        if response.status_code == 302:
            assert response.url.startswith("/log-in/")


def test_an_annotator_of_the_campaign_may_see_nothing(campaign, log_in):
    client = log_in(first_annotator(campaign))
    assert statuses(client, campaign) == expected(campaign, 403, 403)


def test_for_others_the_campaign_does_not_exist(campaign, log_in):
    for role in ("annotator", "manager"):
        client = log_in(make_user(role))
        assert statuses(client, campaign) == expected(campaign, 404, 404)


def test_a_manager_who_became_an_annotator_may_see_nothing(campaign, log_in):
    campaign.owner.role = "annotator"
    campaign.owner.save()
    assert statuses(log_in(campaign.owner), campaign) == expected(campaign, 403, 403)


def test_a_closed_campaign_can_still_be_looked_at_and_decided(campaign, log_in):
    close(campaign, None)
    assert statuses(log_in(campaign.owner), campaign) == expected(campaign, 200, 302)


def test_another_campaigns_work_cannot_be_decided(campaign, log_in):
    other = worked_campaign(annotators=1, tasks=1)
    foreign = Submission.objects.get(task__campaign=other)
    for pk in (foreign.pk, 10**30):
        assert (
            log_in(campaign.owner).get(f"/campaigns/{campaign.key}/work/{pk}/").status_code == 404
        )
        address = reverse("campaign-work-decide", args=[campaign.key, pk])
        response = log_in(campaign.owner).post(address, {"decision": "reject", "reason": "x"})
        assert response.status_code == 404
    foreign.task.refresh_from_db()
    assert foreign.task.state == "done"


def test_another_campaigns_export_cannot_be_fetched(campaign, log_in):
    other = worked_campaign(annotators=1, tasks=1)
    foreign = request_export(other, "csv", Choices(names=True), wait=0)
    for pk in (foreign.pk, 10**30):
        for rest in ("", "file/"):
            address = f"/campaigns/{campaign.key}/exports/{pk}/{rest}"
            assert log_in(campaign.owner).get(address).status_code == 404
    caller = Caller(campaign.owner)
    assert caller.get(f"/campaigns/{campaign.key}/exports/{foreign.pk}").status_code == 404
    assert caller.get(f"/campaigns/{campaign.key}/exports/{foreign.pk}/file").status_code == 404


def test_decisions_need_a_csrf_token(campaign, log_in):
    client = log_in(campaign.owner, enforce_csrf_checks=True)
    for address, methods in addresses(campaign).items():
        if "post" in methods:
            assert client.post(address, {"decision": "accept"}).status_code == 403


@pytest.mark.parametrize("key", ["nothing", "%00", "a" * 300, "é", "%F0%9F%98%80"])
def test_a_forged_key_leads_nowhere(key, campaign, log_in):
    client = log_in(campaign.owner)
    for address, methods in addresses(campaign).items():
        result = address.replace(campaign.key, key)
        assert getattr(client, methods[0])(result).status_code == 404


def test_forms_of_the_export_that_do_not_exist_are_not_found(campaign, log_in):
    for name in ("pdf", "../folder", "%00", "FOLDER"):
        address = f"/campaigns/{campaign.key}/export/{name}/"
        assert log_in(campaign.owner).get(address).status_code == 404
    for name in EXPORTS:
        address = reverse("campaign-export", args=[campaign.key, name])
        assert log_in(campaign.owner).get(address).status_code in (200, 302)
