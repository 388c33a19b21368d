"""Polling: places open again, late work is kept, and what differs is said."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client, override_settings
from django.utils import timezone

from gistmark.web.annotate.models import Task
from gistmark.web.annotate.services.drafts import browser_payload
from gistmark.web.crowd.models import MarketEvent, Participant, Recruitment, Visit
from gistmark.web.crowd.prolific.client import MarketError
from gistmark.web.crowd.prolific.statuses import Told, apply_told
from gistmark.web.crowd.prolific.sync import report_from, sync, sync_all
from web.annotate.answering import done, submit, whole
from web.crowd.arriving import arrive, person
from web.crowd.market import Market, Taken
from web.crowd.market_server import serving
from web.crowd.prolific.studying import published
from web.factories import again

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(shared_db) -> tuple[Market, Recruitment]:
    """A study that participants can take."""
    with serving() as served, override_settings(PROLIFIC_URL=served.address):
        return served.market, published(served)


@pytest.fixture
def market_at_start(made) -> Market:
    """The market, on which nobody has taken it yet."""
    return made[0].copy()


@pytest.fixture
def recruitment(made, db) -> Recruitment:
    return again(made[1])


def come(served, recruitment, *, consent: bool = True) -> tuple[Taken, Client]:
    """Somebody takes a place, arrives, and has a task open."""
    taken, client = served.market.take(recruitment.study), Client()
    arrive(client, recruitment, taken.participant, taken.id, recruitment.study)
    if consent:
        client.post(f"/work/{recruitment.campaign.key}/", follow=True)
    return taken, client


def visit(taken: Taken) -> Visit:
    return Visit.objects.get(session=taken.id)


@pytest.mark.parametrize("leave", ["give_back", "time_out"])
def test_a_place_that_is_given_up_opens_again(served, recruitment, leave):
    taken, _ = come(served, recruitment)
    held = Task.objects.get(annotator=person(taken.participant), state="held")
    before = held.batch.open
    getattr(served.market, leave)(taken.id)
    sync(recruitment)
    held.refresh_from_db()
    held.batch.refresh_from_db()
    assert (held.state, held.batch.open) == ("lapsed", before + 1)
    assert visit(taken).status in ("RETURNED", "TIMED-OUT")


def test_work_that_comes_after_the_place_was_given_up_is_kept(served, recruitment):
    taken, client = come(served, recruitment)
    task = Task.objects.get(annotator=person(taken.participant))
    served.market.time_out(taken.id)
    sync(recruitment)
    answer = whole(browser_payload(task))
    submission = submit(task.pk, person(taken.participant), uuid4(), answer)
    assert submission.task_id == task.pk
    again = client.get(f"/work/{recruitment.campaign.key}/finish/", follow=True)
    assert recruitment.codes["too_late"] in again.text
    assert not Task.objects.filter(annotator=person(taken.participant), state="held").exists()


def test_people_whom_only_the_market_knows_are_known_here_under_a_pseudonym(served, recruitment):
    taken = served.market.take(recruitment.study)
    report = sync(recruitment)
    assert (visit(taken).status, visit(taken).arrived_at) == ("ACTIVE", None)
    assert taken.participant not in person(taken.participant).username
    assert (report.there, report.here, report.agrees) == ({"ACTIVE": 1}, {"ACTIVE": 1}, True)
    forged = arrive(Client(), recruitment, "mallory", taken.id, recruitment.study)
    assert forged.status_code == 403
    honest = arrive(Client(), recruitment, taken.participant, taken.id, recruitment.study)
    assert honest.status_code == 302
    assert Participant.objects.filter(pid=taken.participant).count() == 1


def test_differences_are_said_with_the_pseudonyms_they_are_about(served, recruitment):
    never = served.market.take(recruitment.study)
    served.market.complete(never.id, "GUESSED1")
    early, _ = come(served, recruitment)
    served.market.complete(early.id, recruitment.codes["completed"])
    wrong, _ = come(served, recruitment)
    slow, _ = come(served, recruitment)
    Visit.objects.filter(session__in=[wrong.id, slow.id]).update(outcome="completed")
    served.market.complete(wrong.id, recruitment.codes["too_late"])
    left, _ = come(served, recruitment)
    done(recruitment.campaign, person(left.participant))
    Visit.objects.filter(session=left.id).update(outcome="completed")
    served.market.give_back(left.id)
    arrive(Client(), recruitment, "made-up", "made-up-session", recruitment.study)
    stolen = served.market.take(recruitment.study)
    arrive(Client(), recruitment, "mallory", stolen.id, recruitment.study)
    report = sync(recruitment)
    people = {each.kind: set(each.people) for each in report.differences}
    assert people == {
        "unknown": {person("made-up").username},
        "another": {person("mallory").username},
        "never-came": {person(never.participant).username},
        "unfinished": {person(early.participant).username},
        "wrong-code": {person(wrong.participant).username},
        "no-code": {person(slow.participant).username},
        "left-with-work": {person(left.participant).username},
    }
    recruitment.refresh_from_db()
    assert report_from(recruitment.report) == report
    assert "made-up" not in str(recruitment.report)


def test_a_list_that_is_not_whole_is_said(served, recruitment, monkeypatch):
    from gistmark.web.crowd.prolific.calls import Prolific

    monkeypatch.setattr(Prolific, "counts", lambda *_: {"TOTAL": 3})
    come(served, recruitment)
    [difference] = sync(recruitment).differences
    assert difference.sentence == "Prolific counts 3 submissions, but listed 1."


def test_an_older_message_does_not_undo_a_newer_one(served, recruitment):
    taken, _ = come(served, recruitment)
    now = timezone.now()

    def tell(status: str, seconds: float) -> str:
        at = now + timedelta(seconds=seconds)
        return apply_told(recruitment, Told(taken.id, taken.participant, status, at))

    assert tell("AWAITING REVIEW", 0) == "applied"
    assert tell("ACTIVE", -30) == "older"
    assert tell("ACTIVE", -0.5) == "older"
    assert tell("APPROVED", -0.5) == "applied"
    assert tell("AWAITING REVIEW", -0.2) == "older"
    assert tell("APPROVED", 5) == "unchanged"
    assert visit(taken).status == "APPROVED"


@pytest.mark.parametrize(
    ("session", "pid", "status"), [("", "p", "ACTIVE"), ("s", "p p", "ACTIVE"), ("s", "p", "")]
)
def test_what_cannot_be_stored_is_left_alone(recruitment, session, pid, status):
    assert apply_told(recruitment, Told(session, pid, status, timezone.now())) == "odd"
    assert not Visit.objects.exists()


def test_all_open_studies_are_compared_and_a_failure_stops_none(served, recruitment, caplog):
    other = published(served, recruitment.campaign)
    taken = served.market.take(other.study)
    del served.market.studies[recruitment.study]
    MarketEvent.objects.create(account=recruitment.account, event="old")
    MarketEvent.objects.update(received_at=timezone.now() - timedelta(days=40))
    assert sync_all() == 2
    assert sync_all(after=300) == 1, "the one that failed is tried again"
    assert visit(taken).status == "ACTIVE"
    assert "was not compared" in caplog.text
    assert not MarketEvent.objects.exists()


def test_a_market_that_does_not_answer_changes_nothing(served, recruitment):
    taken, _ = come(served, recruitment)
    sync(recruitment)
    served.faults += [None, (400, {})]
    with pytest.raises(MarketError):
        sync(recruitment)
    assert visit(taken).status == "ACTIVE"
