"""Nothing that decides quality reaches an annotator or a visitor, whatever they open or send.

Addresses of the platform are opened with every method, before, during and after the work, and
every response is searched (`leaks.py`).
"""

from __future__ import annotations

import json
import re
from uuid import uuid4

import pytest

from gistmark.judgements.tasks.slots import SUBMITTED
from gistmark.web.annotate.codes import completion_code
from gistmark.web.annotate.models import Submission, Task
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.annotate.services.comments import add_comment
from gistmark.web.annotate.services.drafts import browser_payload
from gistmark.web.annotate.services.launch import start
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import change_settings, close
from gistmark.web.campaigns.services.consents import give_consent
from gistmark.web.campaigns.services.invitations import make_invitation
from gistmark.web.qualification.services.attempts import (
    answer_comprehension,
    continue_practice,
    submit_practice,
)
from gistmark.web.qualification.services.plans import replace_practice
from web.api.calling import Caller
from web.factories import make_campaign, make_user
from web.leaks import (
    EVERY,
    OPEN_TO_ANNOTATORS,
    OTHERS_WORDS,
    WORDS,
    assert_nothing_leaks,
    body_of,
    codes_of,
    field_names,
    make_secretive_corpus,
    recruit,
    responses,
)
from web.results.working import work_on

pytestmark = pytest.mark.django_db

FORM = {
    "kind": "form",
    "shows": [],
    "dimensions": [],
    "checks": {"attention": "reject"},
    "blocks": [
        {"type": "show", "what": "pair"},
        {"type": "pairwise", "name": "better", "question": "Which one?"},
        {
            "type": "choice",
            "name": "awake",
            "question": "Please choose “tree”.",
            "options": ["tree", "house", "river"],
            "expected": "tree",
        },
    ],
}
"""A form with an attention check."""


@pytest.mark.parametrize(
    ("protocol", "codes", "changes", "during"),
    [
        ("fluency", True, {}, EVERY),
        ("content-document", False, {}, OPEN_TO_ANNOTATORS),
        ("pairwise", True, {}, OPEN_TO_ANNOTATORS),
        ("pairwise", False, FORM, OPEN_TO_ANNOTATORS),
    ],
    ids=["fluency", "content-document", "pairwise", "form"],
)
def test_no_response_gives_anything_away(protocol, codes, changes, during, log_in):
    annotator, colleague = make_user(), make_user()
    corpus = make_secretive_corpus()
    campaign = make_campaign(
        protocol, corpus=corpus, annotators=(annotator, colleague), judges=2, **changes
    )
    change_settings(campaign, campaign.owner, completion_codes=codes)
    recruit(campaign)
    secret = make_invitation(by=campaign.owner, campaign=campaign, uses=1000).secret
    client, caller = log_in(annotator), Caller(annotator)
    give_consent(campaign, annotator)
    browser_payload(next_task(campaign, annotator))
    assert_nothing_leaks(campaign, secret, client, caller, wanted=OPEN_TO_ANNOTATORS)

    for style in ("careful", "careless"):
        work_on(campaign, annotator, style)
        work_on(campaign, colleague, style)
    assert Submission.objects.filter(annotator=annotator).exists()
    theirs = Task.objects.filter(annotator=colleague, opened_at__isnull=False).first()
    add_comment(theirs, colleague, uuid4(), text=OTHERS_WORDS, kind="problem")
    submitted = {"annotator": annotator, "state__in": SUBMITTED}
    own = codes_of(**submitted) if codes else set()
    assert assert_nothing_leaks(campaign, secret, client, caller, own, during) == own

    close(campaign, campaign.owner)
    seen = assert_nothing_leaks(campaign, secret, client, caller, own, OPEN_TO_ANNOTATORS)
    assert seen == own


def test_strangers_learn_nothing_before_and_after(log_in):
    annotator = make_user()
    campaign = make_campaign("fluency", corpus=make_secretive_corpus(), annotators=(annotator,))
    change_settings(campaign, campaign.owner, completion_codes=True)
    recruit(campaign)
    secret = make_invitation(by=campaign.owner, campaign=campaign, uses=1000).secret
    stranger, nobody = log_in(), Caller(None)
    assert_nothing_leaks(campaign, secret, stranger, nobody, wanted=OPEN_TO_ANNOTATORS)
    give_consent(campaign, annotator)
    work_on(campaign, annotator)
    close(campaign, campaign.owner)
    assert_nothing_leaks(campaign, secret, stranger, nobody)


PRACTICE = {
    "items": [
        {
            "document": f"doc-okapi-{number}",
            "systems": ["quokka-sum"],
            "right": {"ratings": {"overall": {"value": 4}}},
            "reason": f"Zorilla {number}",
        }
        for number in (1, 2)
    ],
    "comprehension": [
        {"question": "Clear?", "options": ["Yes", "No"], "right": 1, "explanation": "Numbat"}
    ],
    "leaves_out": False,
}
RIGHT_ANSWERS = {"right", "reason", "tolerance", "marks"}
"""Names of JSON fields that come only after an answer."""


def told_about_practice(
    campaign: Campaign, secret: str, client, caller: Caller, wanted: re.Pattern[str]
) -> set[str]:
    """Which reasons, explanations and fields with right answers all responses hold."""
    leaked: set[str] = set()
    for what, response in responses(campaign, secret, client, caller, wanted):
        body = body_of(response)
        assert response.status_code < 500, what
        assert not [word for word in WORDS if word in body], what
        leaked |= {word for word in ("Zorilla 1", "Zorilla 2", "Numbat") if word in body}
        if body and "json" in response.headers.get("Content-Type", ""):
            leaked |= RIGHT_ANSWERS & set(field_names(json.loads(body)))
    return leaked


def test_right_answers_of_practice_come_after_ones_own(log_in, annotator):
    campaign = make_campaign(corpus=make_secretive_corpus(), running=False, annotators=(annotator,))
    replace_practice(campaign, PRACTICE, campaign.owner)
    start(campaign, campaign.owner)
    secret = make_invitation(by=campaign.owner, campaign=campaign, uses=1000).secret
    give_consent(campaign, annotator)
    client, caller = log_in(annotator), Caller(annotator)
    question = campaign.comprehension.get().pk
    answer_comprehension(campaign, annotator, {question: 0})
    answer_comprehension(campaign, annotator, {question: 1})
    item = continue_practice(campaign, annotator)
    assert told_about_practice(campaign, secret, client, caller, OPEN_TO_ANNOTATORS) == set()
    sent = {"items": {"1": {"ratings": {"overall": {"value": 0}}}}}
    submit_practice(item.pk, annotator, uuid4(), sent)
    assert told_about_practice(campaign, secret, client, caller, OPEN_TO_ANNOTATORS) == {
        item.reason
    }
    owner = log_in(campaign.owner)
    with pytest.raises(AssertionError):
        told_about_practice(campaign, secret, owner, Caller(campaign.owner), EVERY)


def test_the_search_would_find_a_leak(log_in):
    campaign = make_campaign(corpus=make_secretive_corpus())
    secret = make_invitation(by=campaign.owner, campaign=campaign, uses=1000).secret
    with pytest.raises(AssertionError):
        assert_nothing_leaks(campaign, secret, log_in(campaign.owner), Caller(campaign.owner))


def test_the_search_would_find_a_code_before_its_time(log_in, annotator, monkeypatch):
    campaign = make_campaign(corpus=make_secretive_corpus(), annotators=(annotator,))
    secret = make_invitation(by=campaign.owner, campaign=campaign, uses=1000).secret
    give_consent(campaign, annotator)
    browser_payload(next_task(campaign, annotator))
    assert not _leaks(campaign, secret, log_in(annotator), Caller(annotator))
    for module in ("api.work.tasks", "annotate.views"):
        with monkeypatch.context() as patch:
            patch.setattr(
                f"gistmark.web.{module}.shown_code",
                lambda task, campaign: completion_code(task.pk, campaign),
            )
            assert _leaks(campaign, secret, log_in(annotator), Caller(annotator)), module


def test_the_search_would_find_a_colleagues_code(log_in, annotator):
    colleague = make_user()
    campaign = make_campaign(corpus=make_secretive_corpus(), annotators=(annotator, colleague))
    change_settings(campaign, campaign.owner, completion_codes=True)
    secret = make_invitation(by=campaign.owner, campaign=campaign, uses=1000).secret
    give_consent(campaign, colleague)
    work_on(campaign, colleague)
    assert not _leaks(campaign, secret, log_in(annotator), Caller(annotator))
    assert _leaks(campaign, secret, log_in(colleague), Caller(annotator))
    assert _leaks(campaign, secret, log_in(annotator), Caller(colleague))


def _leaks(campaign: Campaign, secret: str, client, caller: Caller) -> bool:
    try:
        assert_nothing_leaks(campaign, secret, client, caller, wanted=OPEN_TO_ANNOTATORS)
    except AssertionError:
        return True
    return False
