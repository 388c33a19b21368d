"""The annotator's pages before the first task: questions, practice, results."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest
from django.urls import reverse

from gistmark.web.annotate.models import Task
from gistmark.web.annotate.services.claims import allocate
from gistmark.web.annotate.services.launch import start
from gistmark.web.campaigns.models import Consent
from gistmark.web.campaigns.services.campaigns import change_settings, pause
from gistmark.web.qualification.models import ComprehensionAttempt, PracticeAnswer, PracticeAttempt
from gistmark.web.qualification.services.plans import replace_practice
from web.factories import make_corpus, make_user
from web.qualification.practising import (
    QUESTIONS,
    make_practice,
    only_annotator,
    practise,
    practised_campaign,
    rating,
)

pytestmark = pytest.mark.django_db


def url(name, campaign):
    return reverse(name, args=[campaign.key])


def post_answers(client, campaign, options, number):
    questions = campaign.comprehension.values_list("pk", flat=True)
    chosen = {f"question-{pk}": option for pk, option in zip(questions, options, strict=False)}
    return client.post(
        url("work-comprehension", campaign), chosen | {"number": number}, follow=True
    )


def submit(client, answer, value):
    return client.post(
        reverse("api:submit_practice", args=[answer.pk]),
        json.dumps({"key": str(uuid4()), "answer": {"items": {"1": rating(value)}}}),
        content_type="application/json",
    )


def test_the_way_from_the_terms_to_the_first_task(log_in):
    campaign = practised_campaign(practice=make_practice(comprehension=QUESTIONS))
    user = only_annotator(campaign)
    Consent.objects.filter(membership__user=user).delete()
    client = log_in(user)
    for name in ("work-comprehension", "work-practice"):
        assert client.get(url(name, campaign)).url == url("work-begin", campaign)
    page = client.post(url("work-begin", campaign), follow=True)
    assert page.redirect_chain[-1][0] == url("work-comprehension", campaign)
    assert "You have 2 tries." in page.content.decode()
    page = post_answers(client, campaign, (0, 1), 1)
    assert "Practice before the first task" in page.content.decode()
    assert "70 % of your answers have to be right" in page.content.decode()
    while PracticeAttempt.objects.filter(finished_at__isnull=False).count() == 0:
        page = client.post(url("work-practice", campaign), follow=True)
        answer = page.context["answer"]
        assert 'data-mode="practice"' in page.content.decode()
        assert "Because" not in page.content.decode()
        assert submit(client, answer, answer.right["ratings"]["overall"]["value"]).json()["marks"]
        page = client.get(reverse("practice-item", args=[answer.pk])).content.decode()
        assert answer.reason in page
        assert "The right answer" in page
    page = client.get(url("work-practice", campaign)).content.decode()
    assert "You have qualified." in page
    assert "2 of 2 of your answers are right; the pass mark is 70 %." in page
    page = client.post(url("work-next", campaign))
    assert page.url.startswith("/tasks/")


def test_wrong_answers_are_named_and_after_two_tries_one_is_thanked(log_in):
    campaign = practised_campaign(practice={"comprehension": QUESTIONS})
    client = log_in(only_annotator(campaign))
    assert "Take the time" not in client.get(url("work-comprehension", campaign)).content.decode()
    page = post_answers(client, campaign, (0, 0), 1).content.decode()
    assert page.count("Your last answer to this was not right.") == 1
    assert "Take the time that you need." in page
    assert "You have 1 more try." in page
    page = post_answers(client, campaign, (0, 2), 2).content.decode()
    assert "Thank you for your interest." in page
    assert "Start" not in page
    page = client.get("/work/").content.decode()
    assert "there are no tasks for you in it" in page
    assert "Start next task" not in page
    assert client.post(url("work-next", campaign)).url == url("work-practice", campaign)
    assert not Task.objects.filter(annotator__isnull=False).exists()


def test_a_double_click_is_one_try_and_a_gap_is_none(log_in):
    campaign = practised_campaign(practice={"comprehension": QUESTIONS})
    client = log_in(only_annotator(campaign))
    page = post_answers(client, campaign, (0,), 1)
    assert page.status_code == 400
    assert "Please answer every question." in page.content.decode()
    for number in ("x", "", "9" * 30):
        assert post_answers(client, campaign, ("x", 1), number).status_code == 400
    for _ in range(2):
        post_answers(client, campaign, (1, 1), 1)
    assert ComprehensionAttempt.objects.count() == 1


def test_who_fails_reads_how_it_went_and_what_is_left(log_in):
    campaign = practised_campaign(practice=make_practice(tries=2, pass_mark=100))
    user = only_annotator(campaign)
    client = log_in(user)
    practise(campaign, user, right=False)
    page = client.get(url("work-practice", campaign)).content.decode()
    assert "0 of 2 of your answers are right; the pass mark is 100 %." in page
    assert "You have 1 more try. The items come in another order." in page
    practise(campaign, user, right=False)
    page = client.get(url("work-practice", campaign)).content.decode()
    assert "Thank you for your time and your care." in page
    assert "Try again" not in page
    assert client.post(url("work-practice", campaign)).status_code == 403


def test_an_allocated_task_waits_for_the_practice(log_in):
    campaign = practised_campaign()
    user = only_annotator(campaign)
    allocate(campaign, [user], campaign.owner, 1)
    task = Task.objects.get(annotator=user)
    client = log_in(user)
    assert client.get(f"/tasks/{task.pk}/").url == url("work-practice", campaign)
    refused = client.get(f"/api/tasks/{task.pk}")
    assert (refused.status_code, refused.json()["detail"]) == (
        403,
        "Please do the practice before the first task.",
    )
    practise(campaign, user)
    assert client.get(f"/tasks/{task.pk}/").status_code == 200


def test_nobody_elses_item_is_shown_and_a_paused_campaign_takes_nothing(log_in):
    people = (make_user(), make_user())
    campaign = practised_campaign(annotators=people)
    client = log_in(people[0])
    client.post(url("work-practice", campaign))
    answer = PracticeAnswer.objects.first()
    for other in (people[1], campaign.owner):
        stranger = log_in(other)
        assert stranger.get(reverse("practice-item", args=[answer.pk])).status_code == 404
        assert submit(stranger, answer, 3).status_code == 404
    pause(campaign, campaign.owner)
    assert client.post(url("work-practice", campaign)).status_code == 409
    assert submit(client, answer, 3).status_code == 409
    assert "not running just now" in client.get(url("work-practice", campaign)).content.decode()


@pytest.mark.parametrize(
    ("protocol", "systems", "right", "own", "words"),
    [
        ("pairwise", ["sys1", "sys2"], "right", "left", ("Left", "Right", "not right")),
        ("highlight", [], (4, 8), (13, 20), ("marked by you only", "town", "is-own")),
    ],
)
def test_the_right_answer_stands_beside_ones_own(log_in, protocol, systems, right, own, words):
    corpus = make_corpus(documents=3)
    campaign = practised_campaign(protocol, corpus=corpus, practice={}, running=False)
    names = [each["name"] for each in campaign.protocol["dimensions"]]

    def parts(given):
        if protocol == "highlight":
            return {"highlights": [{"start": given[0], "end": given[1]}]}
        return {"choices": dict.fromkeys(names, given)}

    item = {"document": "d1", "systems": systems, "right": parts(right), "reason": "So it is."}
    replace_practice(campaign, {"items": [item]}, campaign.owner)
    start(campaign, campaign.owner)
    client = log_in(only_annotator(campaign))
    answer = client.post(url("work-practice", campaign), follow=True).context["answer"]
    sent = {"key": str(uuid4()), "answer": {"items": {"1": parts(own)}}}
    where = reverse("api:submit_practice", args=[answer.pk])
    assert client.post(where, sent, content_type="application/json").json()["finished"]
    page = client.get(reverse("practice-item", args=[answer.pk])).content.decode()
    for word in (*words, "So it is."):
        assert word in page


def test_answers_to_a_form_stand_beside_the_right_ones_in_the_language_of_the_campaign(log_in):
    blocks = [
        {"type": "show", "what": "pair"},
        {
            "type": "pairwise",
            "name": "better",
            "question": "Which one?",
            "ties": True,
            "strength": ["ein wenig", "klar"],
        },
        {"type": "yes-no", "name": "same", "question": "The same?"},
        {"type": "choice", "name": "kind", "question": "What is it?", "options": ["no", "left"]},
        {"type": "text", "name": "why", "question": "Why?", "required": False},
        {"type": "yes-no", "name": "awake", "question": "Please answer “no”.", "expected": "no"},
    ]
    form = {"kind": "form", "dimensions": [], "blocks": blocks, "checks": {"attention": "flag"}}
    corpus = make_corpus(documents=3)
    campaign = practised_campaign("pairwise", corpus=corpus, practice={}, running=False, **form)
    right = {"better": {"choice": "left", "strength": 2}, "same": "no", "kind": "no"}
    item = {"document": "d1", "systems": ["sys1", "sys2"], "right": {"answers": right}}
    replace_practice(campaign, {"items": [item]}, campaign.owner)
    change_settings(campaign, campaign.owner, language="de")
    start(campaign, campaign.owner)
    client = log_in(only_annotator(campaign))
    answer = client.post(url("work-practice", campaign), follow=True).context["answer"]
    own = {"better": {"choice": "tie"}, "same": "unsure", "kind": "left", "awake": "yes"}
    sent = {"key": str(uuid4()), "answer": {"items": {"1": {"answers": own}}}}
    where = reverse("api:submit_practice", args=[answer.pk])
    assert client.post(where, sent, content_type="application/json").json()["finished"]
    parts = client.get(reverse("practice-item", args=[answer.pk])).context["parts"]
    assert [(each.question, each.given, each.right, each.correct) for each in parts] == [
        ("Which one?", "Kein Unterschied", "Links (klar)", False),
        ("The same?", "Unsicher", "Nein", False),
        ("What is it?", "left", "no", False),
    ]


def test_comprehension_by_the_api(log_in):
    campaign = practised_campaign(practice={"comprehension": QUESTIONS})
    client = log_in(only_annotator(campaign))
    base = f"/api/campaigns/{campaign.key}"
    shown = client.get(f"{base}/comprehension").json()
    assert [set(each) for each in shown["questions"]] == [
        {"id", "question", "options", "wrong", "explanation"}
    ] * 2
    ids = [str(each["id"]) for each in shown["questions"]]
    for options, stage in (((1, 1), "comprehension"), ((0, 1), "ready")):
        sent = {"answers": dict(zip(ids, options, strict=True))}
        reply = client.post(f"{base}/comprehension", sent, content_type="application/json")
        assert reply.json()["stage"] == stage
    assert client.get(f"{base}/comprehension").json()["questions"] == []
