"""Several browsers at the same moment: one of them is the participant's, and one visit is made."""

from __future__ import annotations

import pytest
from django.test import Client

from gistmark.web.crowd.models import Participant, Visit
from gistmark.web.crowd.outcomes import end_visit
from web.annotate.answering import at_once
from web.crowd.arriving import arrive, is_in, person, recruiting, visit

pytestmark = pytest.mark.django_db(transaction=True)


def test_of_several_browsers_with_one_id_one_is_let_in() -> None:
    recruitment = recruiting()
    clients = [Client() for _ in range(4)]
    responses = at_once([lambda each=each: arrive(each, recruitment) for each in clients])
    assert sorted(each.status_code for each in responses) == [302, 403, 403, 403]
    assert [is_in(each, person()) for each in clients].count(True) == 1
    assert Participant.objects.count() == Visit.objects.count() == 1


def test_a_visit_ends_once() -> None:
    recruitment = recruiting()
    arrive(Client(), recruitment)
    outcomes = at_once(
        [lambda each=each: end_visit(visit(), each).outcome for each in ("completed", "no_consent")]
    )
    assert len(set(outcomes)) == 1
    assert recruitment.campaign.events.filter(verb="visit-ended").count() == 1
