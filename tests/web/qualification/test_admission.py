"""Qualifications: where they count, who decides, and what other campaigns take over."""

from __future__ import annotations

import pytest

from gistmark.web.annotate.programs.simulation import run_simulation
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.annotate.services.launch import start
from gistmark.web.annotate.services.pilots import discard_pilot, start_pilot
from gistmark.web.campaigns.services.members import add_member
from gistmark.web.campaigns.services.protocols import change_protocol, outlook
from gistmark.web.config.errors import ConflictError, NotAllowedError
from gistmark.web.qualification.models import PracticeAttempt, Qualification
from gistmark.web.qualification.services.admission import admission
from gistmark.web.qualification.services.people import candidates_of, forgive, grant, withdraw
from gistmark.web.qualification.services.plans import (
    change_practice_settings,
    copy_practice,
    practice_of,
    replace_practice,
)
from web.factories import make_campaign, make_corpus, make_user
from web.qualification.practising import (
    QUESTIONS,
    comprehend,
    make_practice,
    only_annotator,
    practise,
    practised_campaign,
)

pytestmark = pytest.mark.django_db
NEWS = {"qualification": "news"}


def qualified(owner=None, **practice):
    """Somebody who has qualified in a campaign of this owner."""
    campaign = practised_campaign(owner=owner, practice=make_practice(**practice))
    user = only_annotator(campaign)
    practise(campaign, user)
    return campaign, user


def test_a_qualification_carries_over_by_its_name_but_questions_are_asked(manager):
    _, user = qualified(manager, **NEWS)
    practice = make_practice(comprehension=QUESTIONS, **NEWS)
    other = practised_campaign(owner=manager, practice=practice, annotators=(user,))
    assert admission(other, user).stage == "comprehension"
    comprehend(other, user, 0, 1)
    assert admission(other, user).ready
    assert next_task(other, user) is not None
    unnamed = practised_campaign(owner=manager, annotators=(user,))
    assert admission(unnamed, user).stage == "practice"


def test_without_a_name_it_counts_in_its_own_campaign_alone(manager):
    campaign, user = qualified(manager)
    other = practised_campaign(owner=manager, annotators=(user,))
    assert admission(campaign, user).ready
    assert admission(other, user).stage == "practice"


def test_what_strangers_grant_does_not_count(manager, admin):
    first, user = qualified(make_user("manager"), **NEWS)
    mine = practised_campaign(owner=manager, practice=make_practice(**NEWS), annotators=(user,))
    assert admission(mine, user).stage == "practice"
    add_member(first, manager, "manager")
    assert admission(mine, user).ready
    admins = practised_campaign(owner=admin, practice=make_practice(**NEWS), annotators=(user,))
    assert admission(admins, user).ready


def test_a_campaign_without_items_is_for_those_who_qualified_elsewhere(manager):
    _, user = qualified(manager, **NEWS)
    stranger = make_user()
    campaign = practised_campaign(owner=manager, practice=NEWS, annotators=(user, stranger))
    assert next_task(campaign, user) is not None
    with pytest.raises(NotAllowedError, match="qualified for them in an earlier one"):
        next_task(campaign, stranger)


def test_managers_grant_withdraw_and_forgive(manager):
    campaign = practised_campaign(owner=manager, practice=make_practice(tries=1, pass_mark=100))
    user = only_annotator(campaign)
    practise(campaign, user, right=False)
    assert admission(campaign, user).stage == "failed"
    forgive(campaign, user, manager)
    assert (admission(campaign, user).stage, admission(campaign, user).tries_left) == (
        "practice",
        1,
    )
    granted = grant(campaign, user, manager)
    assert grant(campaign, user, manager) == granted
    assert admission(campaign, user).ready
    withdraw(campaign, user, manager)
    assert admission(campaign, user).stage == "withdrawn"
    with pytest.raises(NotAllowedError, match="no longer qualified"):
        next_task(campaign, user)
    for refused in (withdraw, forgive):
        with pytest.raises(ConflictError):
            refused(campaign, user, manager)
    with pytest.raises(ConflictError, match="not among the annotators"):
        grant(campaign, manager, manager)


def test_what_was_withdrawn_does_not_carry_over(manager):
    campaign, user = qualified(manager, **NEWS)
    other = practised_campaign(owner=manager, practice=make_practice(**NEWS), annotators=(user,))
    assert admission(other, user).ready
    withdraw(campaign, user, manager)
    assert admission(other, user).stage == "practice"


def test_a_copy_brings_the_practice_along(manager):
    source = practised_campaign(
        owner=manager, practice=make_practice((4, 0), comprehension=QUESTIONS, **NEWS)
    )
    target = make_campaign(owner=manager, corpus=make_corpus(documents=6), running=False)
    copy_practice(source, target, manager)
    assert practice_of(target) == practice_of(source)
    smaller = make_campaign(owner=manager, corpus=make_corpus(documents=1), running=False)
    assert [each.document for each in copy_practice(source, smaller, manager).items] == ["d1"]
    likert = make_campaign("likert", owner=manager, corpus=make_corpus(6), running=False)
    assert {each.right for each in copy_practice(source, likert, manager).items} == {None}


def test_a_right_answer_that_does_not_fit_a_changed_protocol_is_to_be_given_anew(manager):
    campaign = practised_campaign(owner=manager, running=False)
    change_protocol(campaign, {"judges": 5}, manager)
    assert None not in [each.right for each in practice_of(campaign).items]
    change_protocol(campaign, {"scale": {"low": 3, "labels": []}}, manager)
    assert [each.right is None for each in practice_of(campaign).items] == [False, True]
    assert "has no right answer yet" in str(outlook(campaign).problems)


def test_what_is_added_in_a_pilot_is_left_out_once_that_is_thrown_away(manager):
    campaign = practised_campaign(owner=manager, practice={}, running=False)
    start_pilot(campaign, manager, annotators=1)
    replace_practice(campaign, make_practice((4,)), manager)
    assert not campaign.documents.filter(for_practice=True).exists()
    discard_pilot(campaign, manager, submissions=0)
    assert [each.name for each in campaign.documents.filter(for_practice=True)] == ["d1"]


def test_practice_can_be_switched_off(manager):
    campaign = practised_campaign(owner=manager)
    user = only_annotator(campaign)
    assert not admission(campaign, user).ready
    change_practice_settings(campaign, manager, required=False)
    assert next_task(campaign, user) is not None


def test_managers_see_all_annotators_with_their_tries(manager):
    people = (make_user(), make_user())
    campaign = practised_campaign(owner=manager, annotators=people)
    practise(campaign, people[0])
    first, second = candidates_of(campaign)
    assert (first.stage, first.practice[0].score.percent) == ("ready", 100)
    assert (second.stage, second.practice, second.qualification) == ("practice", (), None)


@pytest.mark.django_db(transaction=True, reset_sequences=True)
def test_simulated_annotators_pass_or_fail_by_their_answers():
    campaign = make_campaign(corpus=make_corpus(documents=4), running=False)
    practice = make_practice((3, 3), pass_mark=50, tries=1, comprehension=QUESTIONS)
    practice["items"][1] |= {"systems": ["sys2"]}
    for item in practice["items"]:
        item["tolerance"] = 1
    replace_practice(campaign, practice, campaign.owner)
    start(campaign, campaign.owner)
    simulated = run_simulation(campaign, {"careful": 1, "careless": 1}, seed=3)
    by_style = {each.style: each.submissions for each in simulated.conduct}
    assert by_style["careful"] > 0
    assert PracticeAttempt.objects.filter(finished_at__isnull=False).exists()
    admitted = Qualification.objects.filter(user__username__startswith="simulated-careless")
    assert bool(by_style["careless"]) == admitted.exists()
    assert simulated.left == 0 or by_style["careless"] == 0
