"""Downloading what is stored and erasing, on the pages and over the API."""

from __future__ import annotations

import logging
import zipfile
from io import BytesIO

import pytest
from django.urls import reverse

from gistmark.web.accounts.models import AuditEntry, User
from web.api.calling import Caller
from web.factories import again, make_campaign, make_user
from web.privacy import living
from web.results.working import work_on

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made_person(shared_db):
    user = make_user(name="quentin.ember")
    campaign = make_campaign(annotators=(user,))
    work_on(campaign, user)
    return user


@pytest.fixture
def person(made_person, db):
    return again(made_person)


def names(archive: bytes) -> list[str]:
    return zipfile.ZipFile(BytesIO(archive)).namelist()


def test_everybody_downloads_their_own_data_and_admins_that_of_others(log_in, admin, person):
    own = log_in(person).post(reverse("account-data"))
    theirs = log_in(admin).post(reverse("person-data", args=[person.pk]))
    for answer in (own, theirs, Caller(person).get("/account/data")):
        assert answer["Content-Type"] == "application/zip"
        assert "submissions.json" in names(answer.content)
    assert "submissions.json" not in names(Caller(admin).get("/account/data").content)
    by = AuditEntry.objects.filter(verb="data-exported", name=person.username)
    assert list(by.order_by("pk").values_list("by", flat=True)) == [
        person.username, admin.username, person.username,
    ]  # fmt: skip


def test_an_admin_sees_what_will_happen_and_confirms_with_the_name(log_in, admin, person):
    client, address = log_in(admin), reverse("person-erase", args=[person.pk])
    page = client.get(address).content.decode()
    assert "Kept under a random name: submissions (1)." in page
    refused = client.post(address, {"name": "quentin"})
    assert refused.status_code == 400
    assert "Type quentin.ember to confirm." in refused.content.decode()
    assert User.objects.filter(username="quentin.ember").exists()
    done = client.post(address, {"name": "quentin.ember"}, follow=True).content.decode()
    assert "The person is erased. Their work is kept under the name erased-" in done
    assert living.traces(("quentin.ember",)) == []
    page = client.get(reverse("person", args=[person.pk])).content.decode()
    assert "The person of this account was erased" in page
    assert "Erase this person" not in page
    assert client.post(address, {"name": "x"}).status_code == 400


def test_campaigns_of_a_manager_go_to_whom_the_admin_chooses(log_in, admin):
    campaign = make_campaign()
    client, owner = log_in(admin), campaign.owner
    address = reverse("person-erase", args=[owner.pk])
    assert campaign.name in client.get(address).content.decode()
    refused = client.post(address, {"name": owner.username})
    assert "first say who takes over" in refused.content.decode()
    client.post(address, {"name": owner.username, "owner": admin.username})
    campaign.refresh_from_db()
    assert campaign.owner == admin


def test_admins_do_not_erase_themselves_by_the_page_of_a_person(log_in, admin):
    make_user("admin")
    answer = log_in(admin).post(reverse("person-erase", args=[admin.pk]), {"name": admin.username})
    assert answer.status_code == 400
    assert User.objects.get(pk=admin.pk).is_active


def test_somebody_erases_themselves_and_is_logged_out(log_in, person):
    client, address = log_in(person), reverse("account-erase")
    assert "stay in the studies under a random name: 1." in client.get(address).content.decode()
    assert client.post(address, {"name": "quentin"}).status_code == 400
    done = client.post(address, {"name": "quentin.ember"}, follow=True)
    assert done.redirect_chain[-1][0] == reverse("log-in")
    assert "are gone" in done.content.decode()
    assert living.traces(("quentin.ember",)) == []
    assert client.get(reverse("account")).status_code == 302


def test_owners_and_the_only_admin_are_told_what_comes_first(log_in, admin):
    page = log_in(admin).get(reverse("account-erase")).content.decode()
    assert "is the only admin" in page
    owner = make_campaign().owner
    assert "You own campaigns" in log_in(owner).get(reverse("account-erase")).content.decode()
    refused = log_in(owner).post(reverse("account-erase"), {"name": owner.username})
    assert refused.status_code == 400
    assert User.objects.get(pk=owner.pk).is_active


def test_the_api_tells_numbers_and_erases_when_confirmed(admin, person):
    boss, path = Caller(admin), "/accounts/quentin.ember"
    assert boss.get(f"{path}/erasure").json()["kept"] == {"submissions": 1}
    assert boss.get(f"{path}/data").status_code == 200
    assert boss.post(f"{path}/erasure", {"confirm": "somebody"}).status_code == 400
    done = boss.post(f"{path}/erasure", {"confirm": "quentin.ember"})
    assert done.json()["pseudonym"].startswith("erased-")
    assert living.traces(("quentin.ember",)) == []
    assert boss.post(f"/accounts/{admin.username}/erasure", {"confirm": "x"}).status_code == 400


def test_logs_have_no_names(log_in, admin, person, caplog):
    caplog.set_level(logging.DEBUG)
    logging.getLogger("django.db.backends").setLevel(logging.INFO)
    visitor = log_in()
    for password in ("wrong", "quiet-river-stone-41"):
        visitor.post(reverse("log-in"), {"username": "quentin.ember", "password": password})
    client = log_in(admin)
    client.get(reverse("people"), {"q": "quentin.ember"})
    client.get(reverse("people-audit"), {"name": "quentin.ember"})
    client.post(reverse("person-erase", args=[person.pk]), {"name": "nobody"})
    client.post(reverse("person-erase", args=[person.pk]), {"name": "quentin.ember"})
    assert "quentin" not in caplog.text
