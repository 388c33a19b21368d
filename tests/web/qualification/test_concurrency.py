"""Several tabs at the same moment: one attempt, one answer, one try."""

from __future__ import annotations

from uuid import uuid4

import pytest

from gistmark.web.qualification.models import (
    ComprehensionAttempt,
    PracticeAttempt,
    Qualification,
)
from gistmark.web.qualification.services.attempts import (
    answer_comprehension,
    continue_practice,
    submit_practice,
)
from web.annotate.answering import at_once
from web.qualification.practising import (
    QUESTIONS,
    make_practice,
    only_annotator,
    practised_campaign,
    rating,
)

pytestmark = pytest.mark.django_db(transaction=True)


def test_tabs_begin_one_attempt_and_a_double_click_answers_once():
    campaign = practised_campaign(practice=make_practice((4,)))
    user = only_annotator(campaign)
    items = at_once([lambda: continue_practice(campaign, user)] * 4)
    assert len({item.pk for item in items}) == 1
    key, sent = uuid4(), {"items": {"1": rating(4)}}
    at_once([lambda: submit_practice(items[0].pk, user, key, sent)] * 4)
    assert PracticeAttempt.objects.get().passed
    assert Qualification.objects.count() == 1


def test_a_double_click_on_the_questions_is_one_try():
    campaign = practised_campaign(practice={"comprehension": QUESTIONS})
    user = only_annotator(campaign)
    wrong = dict.fromkeys(campaign.comprehension.values_list("pk", flat=True), 0)
    at_once([lambda: answer_comprehension(campaign, user, wrong, 1)] * 4)
    assert ComprehensionAttempt.objects.count() == 1
