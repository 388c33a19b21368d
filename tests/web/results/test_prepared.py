"""Exports beside the requests: written once, by one process, fetched from the disk, and deleted."""

from __future__ import annotations

from datetime import timedelta
from threading import Event

import pytest
from django.conf import settings as configured
from django.urls import reverse
from django.utils import timezone

from gistmark.web.annotate.models import Submission
from gistmark.web.annotate.services.decisions import decide
from gistmark.web.config.server.threads import wait_for
from gistmark.web.config.storage.transactions import shared_lock
from gistmark.web.results.exports import (
    Choices,
    choices_of,
    download,
    forget_exports,
    look_at,
    prepared,
    request_export,
)
from gistmark.web.results.models import Export
from web.annotate.answering import at_once
from web.results.working import work_on, worked_campaign

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def campaign(settings, tmp_path):
    settings.JOBS_IN_THREADS = True
    settings.EXPORTS_FOLDER = tmp_path / "exports"
    return worked_campaign(annotators=2, tasks=1)


@pytest.fixture
def written(monkeypatch):
    """The formats of the exports that were written, in their order."""
    formats = []
    export_to = prepared.export_to

    def counted(campaign, format, *rest):
        formats.append(format)
        export_to(campaign, format, *rest)

    monkeypatch.setattr(prepared, "export_to", counted)
    return formats


def ask(campaign, format="csv", wait=60.0, **choices):
    return request_export(campaign, format, Choices(**choices), wait=wait)


def content(export):
    return b"".join(download(export, export.campaign.owner).streaming_content)


def test_an_export_is_written_again_only_where_something_has_changed(campaign, written):
    first = ask(campaign)
    assert (first.state, first.done, first.total) == ("ready", 2, 2)
    before = content(first)
    assert len(content(ask(campaign))) == len(before)
    assert written == ["csv"]
    decide(Submission.objects.first(), campaign.owner, "rejected", "Answers at random.")
    again = ask(campaign)
    assert written == ["csv", "csv"]
    assert again.pk == first.pk
    assert len(content(again).splitlines()) < len(before.splitlines())
    assert len(list(configured.EXPORTS_FOLDER.iterdir())) == 1


def test_choices_are_exports_of_their_own(campaign, written):
    plain, named = ask(campaign), ask(campaign, names=True, rejected=True)
    assert plain.pk != named.pk
    assert choices_of(named) == Choices(names=True, rejected=True)
    assert named.name.endswith(".zip")
    assert campaign.memberships.last().user.username.encode() not in content(plain)


def test_a_request_does_not_wait_for_an_export_that_takes_long(campaign, monkeypatch, log_in):
    begun, goes_on, export_to = Event(), Event(), prepared.export_to

    def slow(*arguments):
        begun.set()
        goes_on.wait(60)
        export_to(*arguments)

    monkeypatch.setattr(prepared, "export_to", slow)
    monkeypatch.setattr("gistmark.web.manage.views.exports.MOMENT", 0.1)
    browser = log_in(campaign.owner)
    answer = browser.get(reverse("campaign-export", args=[campaign.key, "csv"]))
    export = Export.objects.get()
    page = reverse("campaign-exported", args=[campaign.key, export.pk])
    file = reverse("campaign-exported-file", args=[campaign.key, export.pk])
    assert answer.headers["Location"] == page
    assert begun.wait(60)
    assert "is being written" in browser.get(page).content.decode()
    assert browser.get(file).status_code == 409
    told = browser.get(f"/api/campaigns/{campaign.key}/export/csv?wait=0")
    assert told.status_code == 202
    assert told.headers["Location"] == f"/api/campaigns/{campaign.key}/exports/{export.pk}"
    assert told.json()["state"] == "running"
    goes_on.set()
    wait_for(f"export-{campaign.pk}")
    assert browser.get(page, headers={"Accept": "application/json"}).json()["state"] == "ready"
    status = browser.get(told.headers["Location"]).json()
    assert b"".join(browser.get(status["file"]).streaming_content).startswith(b"document,")
    assert browser.get(file).status_code == 200


def test_one_process_at_a_time_writes_and_a_lost_one_is_followed_by_another(campaign, written):
    with shared_lock(f"export-{campaign.pk}"):
        (export,) = at_once([lambda: ask(campaign, wait=0.1)])
        assert (export.state, written) == ("waiting", [])
    # Whoever held the lock is gone: the next one who looks begins the work.
    Export.objects.update(state="running")
    assert look_at(export, wait=60).state == "ready"
    assert written == ["csv"]


def test_those_who_ask_at_once_get_what_one_of_them_writes(campaign, written):
    exports = at_once([lambda: ask(campaign)] * 3)
    assert [each.state for each in exports] == ["ready"] * 3
    assert written == ["csv"]


def test_what_fails_says_so_and_can_be_asked_for_again(campaign, monkeypatch, caplog):
    def broken(*_):
        raise RuntimeError("no such luck")

    with monkeypatch.context() as patched:
        patched.setattr(prepared, "export_to", broken)
        export = ask(campaign)
    assert (export.state, export.problem) == ("failed", prepared._MISTAKE)
    assert "no such luck" in caplog.text
    assert ask(campaign).state == "ready"


def test_work_that_comes_in_meanwhile_is_in_the_next_export(campaign, monkeypatch, written):
    user = campaign.memberships.last().user
    counted = prepared.export_to

    def late(*arguments):
        work_on(campaign, user)
        counted(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(prepared, "export_to", late)
        ask(campaign)
    ask(campaign)
    assert written == ["csv", "csv"]


def test_exports_are_deleted_after_a_day_and_files_that_nobody_knows_too(campaign):
    old, new = ask(campaign), ask(campaign, "jsonl")
    Export.objects.filter(pk=old.pk).update(requested_at=timezone.now() - timedelta(days=2))
    stray = configured.EXPORTS_FOLDER / "stray"
    stray.write_text("")
    assert forget_exports(timezone.now() - timedelta(days=1)) == 1
    assert [each.pk for each in Export.objects.all()] == [new.pk]
    old_file = configured.EXPORTS_FOLDER / old.file
    assert old_file.exists(), "it is younger than an hour, so it may be one that is being written"
    assert forget_exports() == 1
    assert list(configured.EXPORTS_FOLDER.iterdir()) == []


def test_files_are_their_owners_alone(campaign):
    export = ask(campaign)
    assert configured.EXPORTS_FOLDER.stat().st_mode & 0o777 == 0o700
    assert (configured.EXPORTS_FOLDER / export.file).stat().st_mode & 0o777 == 0o600


def test_a_file_that_is_gone_is_written_again(campaign, written):
    (configured.EXPORTS_FOLDER / ask(campaign).file).unlink()
    assert content(ask(campaign))
    assert written == ["csv", "csv"]
