"""A task as its annotator sees it: assembled once, nothing that decides quality; and drafts."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from gistmark.errors import UsageError
from gistmark.judgements import PROTOCOLS, AnswerError
from gistmark.web.annotate.codes import completion_code
from gistmark.web.annotate.models import Draft, Task
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.annotate.services.drafts import (
    StaleDraftError,
    browser_payload,
    save_draft,
    task_for,
)
from gistmark.web.annotate.services.leases import release
from gistmark.web.campaigns.services.campaigns import close, pause
from gistmark.web.config.errors import ConflictError, NotAllowedError, NotFoundError
from web.annotate.answering import assert_sound, claimed, done, end_lease, slot_states, whole
from web.factories import make_campaign, make_corpus, make_user, sample_with_units

pytestmark = pytest.mark.django_db


def some(value: int) -> dict[str, object]:
    return {"items": {"1": {"ratings": {"overall": {"value": value}}}}}


@pytest.fixture
def ann():
    return make_user()


@pytest.fixture
def campaign(ann):
    corpus = make_corpus(documents=1, systems=1)
    return make_campaign(corpus=corpus, annotators=(ann,), judges=1)


def test_a_draft_comes_back_with_its_version(campaign, ann):
    task = claimed(campaign, ann)
    assert browser_payload(task)["draft"] is None
    assert browser_payload(task)["version"] == 0
    assert save_draft(task, ann, some(2), 0).version == 1
    shown = browser_payload(task)
    assert (shown["draft"]["items"]["1"]["ratings"]["overall"]["value"], shown["version"]) == (2, 1)


def test_the_older_of_two_tabs_is_refused_and_gets_the_newer_content(campaign, ann):
    task = claimed(campaign, ann)
    save_draft(task, ann, some(2), 0)
    with pytest.raises(StaleDraftError, match="changed in another tab") as caught:
        save_draft(task, ann, some(4), 0)
    assert caught.value.draft.answer["items"]["1"]["ratings"]["overall"]["value"] == 2
    assert caught.value.draft.version == 1
    assert Draft.objects.get().answer == caught.value.draft.answer


def test_a_draft_that_is_sent_again_is_not_refused(campaign, ann):
    task = claimed(campaign, ann)
    save_draft(task, ann, some(2), 0)
    assert save_draft(task, ann, some(2), 0).version == 1


def test_what_does_not_fit_the_task_is_refused_and_nothing_stored(campaign, ann):
    task = claimed(campaign, ann)
    for wrong in (some(9), {"items": {"7": {}}}, {"odd": 1}, [], "x", None):
        with pytest.raises(AnswerError):
            save_draft(task, ann, wrong, 0)
    assert not Draft.objects.exists()


def test_a_nul_character_is_refused(ann):
    campaign = make_campaign("highlight", annotators=(ann,))
    task = claimed(campaign, ann)
    moves = [{"at": 1, "item": "1", "control": "a\x00b", "value": 1}]
    with pytest.raises(UsageError, match="NUL"):
        save_draft(task, ann, {"moves": moves}, 0)


def test_saving_renews_the_lease(campaign, ann):
    task = claimed(campaign, ann)
    end_lease(task)
    save_draft(task, ann, some(2), 0)
    task.refresh_from_db()
    assert task.lease_ends_at > timezone.now() + timedelta(minutes=campaign.lease_minutes - 1)


def test_a_draft_outlives_its_lease_and_gets_its_place_back_if_it_is_open(campaign, ann):
    bob = make_user()
    from gistmark.web.campaigns.services.members import add_member

    add_member(campaign, bob)
    task = claimed(campaign, ann)
    save_draft(task, ann, some(2), 0)
    end_lease(task)
    other = next_task(campaign, bob)
    assert slot_states(campaign) == ["1.1 lapsed", "1.2 held"]
    assert browser_payload(Task.objects.get(pk=task.pk))["draft"]["items"]["1"]
    save_draft(task, ann, some(3), 1)
    assert slot_states(campaign) == ["1.1 lapsed", "1.2 held"]
    release(other, bob)
    assert slot_states(campaign) == ["1.1 lapsed", "1.2 open"]
    save_draft(task, ann, some(4), 2)
    assert slot_states(campaign) == ["1.1 held"]
    assert_sound(campaign)


def test_saving_does_not_bring_back_what_was_given_back(campaign, ann):
    task = claimed(campaign, ann)
    release(task, ann)
    save_draft(task, ann, some(2), 0)
    assert slot_states(campaign) == ["1.1 lapsed", "1.2 open"]


def test_drafts_are_saved_during_a_pause_but_not_after_the_end(campaign, ann):
    task = claimed(campaign, ann)
    pause(campaign, None)
    assert save_draft(task, ann, some(2), 0).version == 1
    close(campaign, None)
    with pytest.raises(NotAllowedError, match="is closed"):
        save_draft(task, ann, some(3), 1)


def test_nobody_writes_into_somebody_elses_draft(campaign, ann):
    task = claimed(campaign, ann)
    for user in (make_user(), campaign.owner):
        with pytest.raises(NotFoundError):
            save_draft(task, user, some(2), 0)


def test_what_was_submitted_takes_no_draft_unless_it_may_be_changed(campaign, ann):
    task = done(campaign, ann).task
    with pytest.raises(ConflictError, match="submitted already"):
        save_draft(task, ann, some(2), 0)
    editable = make_campaign(annotators=(ann,), editable=True)
    task = done(editable, ann, value=1).task
    shown = browser_payload(task)
    assert shown["draft"]["items"]["1"]["ratings"]["overall"]["value"] == 1
    assert (shown["editable"], shown["state"]) == (True, "done")
    save_draft(task, ann, whole(shown, 2), shown["version"])
    assert browser_payload(task)["draft"]["items"]["1"]["ratings"]["overall"]["value"] == 2


def test_a_task_that_nobody_opened_takes_no_draft(campaign, ann):
    task = next_task(campaign, ann)
    with pytest.raises(ConflictError, match="has not been opened"):
        save_draft(task, ann, some(2), 0)


# Opening a task


def test_the_content_is_drawn_once_and_the_clock_starts_then():
    ann = make_user()
    campaign = make_campaign("fluency", annotators=(ann,))
    task = next_task(campaign, ann)
    assert (task.content, task.opened_at) == (None, None)
    first = browser_payload(task)
    task.refresh_from_db()
    opened = task.opened_at
    assert browser_payload(task) == first == browser_payload(next_task(campaign, ann))
    task.refresh_from_db()
    assert task.opened_at == opened


@pytest.mark.parametrize("protocol", PROTOCOLS.builtin)
def test_nothing_that_decides_quality_reaches_the_browser(protocol):
    ann = make_user()
    corpus = sample_with_units()
    campaign = make_campaign(protocol, corpus=corpus, annotators=(ann,))
    task = claimed(campaign, ann)
    sent = json.dumps(browser_payload(task))
    assert not [name for name in corpus.systems if f'"{name}"' in sent]
    assert not [word for word in ("planted", "mediocre", "seed", "checks") if f'"{word}"' in sent]
    assert completion_code(task.pk, campaign) not in sent
    if task.content["question"] is not None:
        assert task.content["question"]["statement"] in json.loads(sent)["question"]
        assert '"answer"' not in sent


def test_planted_summaries_are_others_each_time_while_there_are_others():
    ann = make_user()
    campaign = make_campaign("fluency", annotators=(ann,), items_per_task=1)
    goods = []
    for _ in range(2):
        task = done(campaign, ann).task
        task.refresh_from_db()
        goods += [e["text"] for e in task.content["entries"] if e["planted"] == "good"]
    assert len(set(goods)) == 2


def test_a_task_is_found_by_its_annotator_alone():
    ann, bob = make_user(), make_user()
    campaign = make_campaign(annotators=(ann, bob))
    task = next_task(campaign, ann)
    assert task_for(ann, task.pk) == task
    for user, pk in ((bob, task.pk), (campaign.owner, task.pk), (ann, task.pk + 10_000)):
        with pytest.raises(NotFoundError):
            task_for(user, pk)


def test_a_task_of_a_closed_campaign_is_not_shown():
    ann = make_user()
    campaign = make_campaign(annotators=(ann,))
    task = next_task(campaign, ann)
    close(campaign, None)
    with pytest.raises(NotAllowedError, match="is closed"):
        task_for(ann, task.pk)
