"""Adjudication: items by disagreement, decisions that change no submission, and the export."""

from __future__ import annotations

import csv
import json
import zipfile
from uuid import uuid4

import pytest
from django.urls import reverse

from gistmark.analysis import study
from gistmark.corpus import load
from gistmark.errors import UsageError
from gistmark.judgements import AnswerError
from gistmark.web.annotate.models import Adjudication, BatchItem, Submission, Task
from gistmark.web.annotate.outcomes import counting
from gistmark.web.annotate.services.adjudications import (
    adjudicate,
    adjudicate_as,
    adjudications_of,
    give_to,
    withdraw,
)
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.annotate.services.decisions import decide
from gistmark.web.annotate.services.drafts import browser_payload
from gistmark.web.annotate.services.leases import release
from gistmark.web.campaigns.services.consents import give_consent
from gistmark.web.campaigns.services.members import add_member
from gistmark.web.config.errors import ConflictError, NotAllowedError, NotFoundError
from gistmark.web.results.adjudication import disputed_item, disputed_items
from gistmark.web.results.dashboard.progress import progress_of
from gistmark.web.results.exports import Choices, export_to
from web.annotate.answering import claimed, submit, whole
from web.api.calling import Caller
from web.factories import again, make_campaign, make_corpus, make_user
from web.results.working import worked_campaign

pytestmark = pytest.mark.django_db

SAID = {("d1", "sys1"): (0, 4), ("d1", "sys2"): (2, 2), ("d2", "sys1"): (1, 3)}
"""What ann and bob say about three of four summaries, from 0 to 4; about the fourth, 3 and 3."""


@pytest.fixture(scope="module")
def made_campaign(shared_db):
    """Two annotators who disagree about some items, and a third who has done nothing."""
    people = tuple(make_user(name=name) for name in ("ann", "bob"))
    made = make_campaign(annotators=people, judges=2, checks={"too_fast": "off"})
    for number, user in enumerate(people):
        give_consent(made, user)
        for _ in range(4):
            task = claimed(made, user)
            (entry,) = task.content["entries"]
            about = (entry["document"], entry["systems"][0])
            value = SAID.get(about, (3, 3))[number]
            submit(task.pk, user, uuid4(), whole(browser_payload(task), value))
    eve = make_user(name="eve")
    add_member(made, eve)
    give_consent(made, eve)
    return made


@pytest.fixture
def campaign(made_campaign, db):
    return again(made_campaign)


@pytest.fixture
def worst(campaign) -> int:
    return disputed_items(campaign)[0].item


def rating(value: int) -> dict:
    return {"ratings": {"overall": {"value": value}}}


def names_of(campaign, items) -> list[str]:
    rows = BatchItem.objects.in_bulk([each.item for each in items])
    return [rows[each.item].read().id for each in items]


def exported(campaign, folder, **choices):
    export_to(campaign, "folder", folder / "out.zip", Choices(**choices))
    with zipfile.ZipFile(folder / "out.zip") as archive:
        archive.extractall(folder / "out")
    return folder / "out"


def test_items_come_by_disagreement(campaign):
    items = disputed_items(campaign)
    assert names_of(campaign, items)[:2] == ["d1/sys1", "d2/sys1"]
    # |0 - 4| / 4, |1 - 3| / 4, and twice the same value
    assert [each.value for each in items] == [1.0, 0.5, 0.0, 0.0]
    assert disputed_items(campaign) == items
    decide(
        Submission.objects.filter(annotator__username="ann").first(),
        campaign.owner,
        "rejected",
        "x",
    )
    assert len(disputed_items(campaign)) == 3


@pytest.mark.parametrize("protocol", ["pairwise", "highlight", "likert"])
def test_every_kind_of_judgement_can_be_disputed_decided_and_exported(protocol, tmp_path):
    made = worked_campaign(protocol, annotators=3, checks={"too_fast": "off"})
    first, *_ = disputed_items(made)
    shown = disputed_item(made, first.item)
    assert max(shown.disagreement.values()) == pytest.approx(first.value, abs=1e-6)
    chosen = shown.opinions[0]
    adjudicate_as(made, first.item, made.owner, chosen.submission, "She is right.")
    again = disputed_item(made, first.item)
    draft = again.payload["draft"]["items"]["1"]
    adjudicate(made, first.item, made.owner, draft)
    latest, former = disputed_item(made, first.item).history
    assert latest.values == former.values
    assert (latest.holds, former.holds) == (True, False)
    folder = exported(made, tmp_path, adjudicated=True)
    corpus = load(folder)
    kinds = {"pairwise": "comparisons", "highlight": "highlights"}
    records = getattr(corpus, kinds.get(protocol, "ratings"))
    decided = [each for each in records if each.annotator == "adjudicated"]
    assert decided
    about = {each.document for each in decided}
    if protocol == "highlight":
        assert {each.annotator for each in records if each.document in about} == {"adjudicated"}
        (row,) = map(json.loads, (folder / "adjudications.jsonl").read_text().splitlines())
        assert [(m["start"], m["end"]) for m in row["highlights"]] == [
            (each.start, each.end) for each in decided
        ]
    study(corpus)


def test_a_decision_stands_beside_the_answers_and_in_their_place_only_on_demand(
    campaign, worst, tmp_path
):
    before = list(Submission.objects.order_by("pk").values())
    adjudicate(campaign, worst, campaign.owner, rating(4), " Bob is right. ")
    assert list(Submission.objects.order_by("pk").values()) == before
    assert len(load(exported(campaign, tmp_path)).ratings) == 8
    (row,) = csv.DictReader((tmp_path / "out" / "adjudications.csv").open())
    assert (row["document"], row["system"], row["dimension"], float(row["value"])) == (
        "d1", "sys1", "overall", 4,
    )  # fmt: skip
    assert (row["by"], row["note"], row["delegated"]) == ("manager", "Bob is right.", "false")
    ratings = load(exported(campaign, tmp_path, adjudicated=True)).ratings
    own = [each for each in ratings if (each.document, each.system) == ("d1", "sys1")]
    assert [(each.annotator, each.value) for each in own] == [("adjudicated", 4.0)]
    assert len(ratings) == 7


def test_a_decision_can_be_changed_and_withdrawn_and_all_are_kept(campaign, worst):
    adjudicate(campaign, worst, campaign.owner, rating(4))
    adjudicate(campaign, worst, campaign.owner, rating(1))
    assert adjudications_of(campaign)[worst].answer["ratings"]["overall"]["value"] == 1
    withdraw(campaign, worst, campaign.owner)
    assert adjudications_of(campaign) == {}
    assert Adjudication.objects.count() == 2
    with pytest.raises(ConflictError, match="Nothing is decided"):
        withdraw(campaign, worst, campaign.owner)


def test_what_cannot_be_a_decision_is_refused(campaign, worst):
    for answer in ({}, {"ratings": {}}, {"ratings": {"overall": {}}}):
        with pytest.raises(UsageError, match="Nothing is decided"):
            adjudicate(campaign, worst, campaign.owner, answer)
    for answer in ([], "x", rating(9), {"choices": {"overall": "left"}}):
        with pytest.raises(AnswerError):
            adjudicate(campaign, worst, campaign.owner, answer)
    with pytest.raises(UsageError, match="at most 2000"):
        adjudicate(campaign, worst, campaign.owner, rating(1), "x" * 2001)
    other = Submission.objects.exclude(task__batch__items=worst).first()
    with pytest.raises(NotFoundError):
        adjudicate_as(campaign, worst, campaign.owner, other.pk)
    stranger = make_campaign()
    with pytest.raises(NotFoundError):
        adjudicate(stranger, worst, stranger.owner, rating(1))
    for user in (make_user("manager"), make_user()):
        with pytest.raises(NotAllowedError):
            adjudicate(campaign, worst, user, rating(1))
    assert not Adjudication.objects.exists()


def test_a_third_annotator_decides_by_a_task_of_its_own(campaign, worst):
    before = (progress_of([campaign]), counting(campaign).count(), disputed_items(campaign))
    with pytest.raises(ConflictError, match="has had this item"):
        give_to(campaign, worst, campaign.owner, "ann")
    task = give_to(campaign, worst, campaign.owner, "eve")
    eve = task.annotator
    assert next_task(campaign, eve) == task
    payload = browser_payload(task)
    assert len(payload["items"]) == 1
    assert payload["draft"] is None
    shown = json.dumps(payload)
    assert not [secret for secret in ("ann", "bob", "d1", "adjudic") if f'"{secret}' in shown]
    submit(task.pk, eve, uuid4(), whole(payload, 4))
    decided = adjudications_of(campaign)[worst]
    assert (decided.by, decided.delegated) == (eve, True)
    assert (progress_of([campaign]), counting(campaign).count(), disputed_items(campaign)) == before
    assert_sound_but_for_adjudication(campaign)
    with pytest.raises(ConflictError, match="has had this item"):
        give_to(campaign, worst, campaign.owner, "eve")


def test_what_a_third_annotator_did_decides_only_while_it_is_accepted(campaign, worst):
    task = give_to(campaign, worst, campaign.owner, "eve")
    sent = submit(task.pk, task.annotator, uuid4(), whole(browser_payload(task), 4))
    decide(sent, campaign.owner, "rejected", "Hasty.")
    assert adjudications_of(campaign) == {}
    assert_sound_but_for_adjudication(campaign)
    decide(sent, campaign.owner, "counts")
    assert worst in adjudications_of(campaign)


def test_a_task_to_adjudicate_that_is_given_back_goes_to_nobody(campaign, worst):
    task = give_to(campaign, worst, campaign.owner, "eve")
    release(task, task.annotator)
    assert Task.objects.get(pk=task.pk).state == "lapsed"
    fay = make_user(name="fay")
    add_member(campaign, fay)
    assert next_task(campaign, fay) is None
    assert_sound_but_for_adjudication(campaign)


def test_who_adjudicated_an_item_does_not_judge_it_again():
    corpus = make_corpus(documents=1, systems=1)
    people = tuple(make_user() for _ in range(3))
    made = make_campaign(corpus=corpus, annotators=people, judges=3)
    for value, user in zip((0, 4), people, strict=False):
        task = claimed(made, user)
        submit(task.pk, user, uuid4(), whole(browser_payload(task), value))
    (disputed,) = disputed_items(made)
    task = give_to(made, disputed.item, made.owner, people[2].username)
    submit(task.pk, people[2], uuid4(), whole(browser_payload(task), 4))
    assert next_task(made, people[2]) is None


def assert_sound_but_for_adjudication(campaign):
    extra = campaign.batches.exclude(adjudicates=None)
    assert all(batch.open == 0 for batch in extra)
    assert not Task.objects.filter(batch__in=extra, state="open").exists()
    for batch in campaign.batches.filter(adjudicates=None):
        counting_slots = sum(task.as_slot().counts for task in batch.tasks.all())
        assert counting_slots == campaign.judges


def test_the_pages_show_annotators_side_by_side_and_take_a_decision(campaign, worst, log_in):
    client = log_in(campaign.owner)
    listed = client.get(reverse("campaign-adjudication", args=[campaign.key])).content.decode()
    assert 'Open <span class="number">2</span>' in listed
    assert "the mean absolute difference" in listed
    address = reverse("campaign-adjudicate", args=[campaign.key, worst])
    shown = client.get(address).content.decode()
    assert all(name in shown for name in ("ann", "bob", "As <bdi>ann</bdi> did", "eve"))
    for sent, sentence in (
        ({}, "The form has no answer"),
        ({"answer": "[]"}, "must be"),
        ({"answer": json.dumps(rating(4))}, "The decision is stored"),
    ):
        assert sentence in client.post(address, sent, follow=True).content.decode()
    bob = Submission.objects.get(annotator__username="bob", task__batch__items=worst)
    client.post(address, {"submission": bob.pk})
    give = reverse("campaign-adjudicate-give", args=[campaign.key, worst])
    assert (
        "eve has the item" in client.post(give, {"annotator": "eve"}, follow=True).content.decode()
    )
    assert "as <bdi>bob</bdi> did" in client.get(address).content.decode()
    withdrawn = reverse("campaign-adjudicate-withdraw", args=[campaign.key, worst])
    assert "open again" in client.post(withdrawn, follow=True).content.decode()
    dashboard = client.get(reverse("campaign", args=[campaign.key])).content.decode()
    assert "adjudicated item" not in dashboard


def test_programs_adjudicate_too(campaign, worst):
    caller = Caller(campaign.owner)
    base = f"/campaigns/{campaign.key}/adjudication"
    first = caller.get(base, limit=1).json()
    assert (first["count"], first["items"][0]["id"], first["items"][0]["systems"]) == (
        4, worst, ["sys1"],
    )  # fmt: skip
    made = caller.post(f"{base}/{worst}", {"answer": rating(2), "note": "between"}).json()
    assert (made["answer"]["ratings"]["overall"]["value"], made["note"]) == (2, "between")
    assert caller.get(base).json()["items"][0]["adjudication"]["by"] == campaign.owner.username
    assert caller.post(f"{base}/{worst}", {}).status_code == 400
    assert caller.post(f"{base}/{worst}", {"answer": rating(9)}).status_code == 400
    assert caller.call("DELETE", f"{base}/{worst}").status_code == 204
    task = caller.post(f"{base}/{worst}/give", {"annotator": "eve"}).json()["task"]
    assert Task.objects.get(pk=task).annotator.username == "eve"
