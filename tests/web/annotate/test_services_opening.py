"""Opening a task: drawn once, and without anything that decides quality."""

from __future__ import annotations

import json

import pytest

from gistmark.judgements import PROTOCOLS
from gistmark.web.annotate.services import browser_payload, next_task, task_for
from gistmark.web.campaigns.errors import NotAllowedError, NotFoundError
from gistmark.web.campaigns.services import close
from gistmark.web.crowd.codes import completion_code
from web.annotate.answering import done, taken
from web.factories import make_campaign, make_user

pytestmark = pytest.mark.django_db


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
    from gistmark.corpus import load, sample_folder

    corpus = load(sample_folder())
    campaign = make_campaign(protocol, corpus=corpus, annotators=(ann,))
    task = taken(campaign, ann)
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
