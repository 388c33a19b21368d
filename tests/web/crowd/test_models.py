"""Recruitments, participants and visits: what the database refuses, and what settings may be."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from gistmark.errors import UsageError
from gistmark.web.accounts.people import remove_account
from gistmark.web.crowd.models import Participant, Recruitment, Visit
from gistmark.web.crowd.settings import RecruitmentSettings, settings_from
from web.factories import make_campaign, make_user

pytestmark = pytest.mark.django_db


def make_recruitment(**values: object) -> Recruitment:
    return Recruitment.objects.create(campaign=make_campaign(), market="prolific", **values)


def make_visit(recruitment: Recruitment, pid: str = "p1", session: str = "s1") -> Visit:
    participant = Participant.objects.create(market="prolific", pid=pid, user=make_user())
    return Visit.objects.create(recruitment=recruitment, participant=participant, session=session)


def test_a_study_of_a_market_recruits_for_one_campaign_only() -> None:
    make_recruitment(study="abc")
    make_recruitment()
    make_recruitment()
    with pytest.raises(IntegrityError), transaction.atomic():
        make_recruitment(study="abc")


def test_an_id_of_a_market_is_one_person() -> None:
    make_visit(make_recruitment())
    with pytest.raises(IntegrityError), transaction.atomic():
        Participant.objects.create(market="prolific", pid="p1", user=make_user())
    Participant.objects.create(market="connect", pid="p1", user=make_user())


def test_a_session_is_one_visit_of_a_recruitment() -> None:
    recruitment = make_recruitment()
    make_visit(recruitment)
    with pytest.raises(IntegrityError), transaction.atomic():
        make_visit(recruitment, pid="p2")
    make_visit(make_recruitment(), pid="p2")


@pytest.mark.parametrize(
    ("model", "column"), [(Recruitment, "state"), (Visit, "outcome")], ids=["state", "outcome"]
)
def test_only_known_words_are_stored(model: type[Recruitment | Visit], column: str) -> None:
    make_visit(make_recruitment())
    with pytest.raises(IntegrityError), transaction.atomic():
        model.objects.update(**{column: "nonsense"})


def test_an_account_with_a_visit_is_closed_and_not_deleted() -> None:
    visit = make_visit(make_recruitment())
    user = visit.participant.user
    assert not remove_account(user)
    assert not user.is_active
    with pytest.raises(ProtectedError):
        visit.recruitment.delete()


def test_settings_come_back_as_they_were_stored() -> None:
    chosen = RecruitmentSettings(
        places=30, tasks_per_participant=4, minutes=12, reward=180, currency="EUR",
        filters={"languages": ["en"]}, require_token=True,
        return_addresses={"completed": "https://market.example/done?code={code}"},
    )  # fmt: skip
    recruitment = make_recruitment(settings=chosen.to_mapping())
    recruitment.refresh_from_db()
    assert recruitment.read_settings() == chosen
    assert make_recruitment().read_settings() == RecruitmentSettings()


@pytest.mark.parametrize(
    ("stored", "sentence"),
    [
        ({"places": 0}, "The number of places must be 1 to 100,000, not 0."),
        ({"minutes": "ten"}, "The number of minutes must be 1 to 129,600, not 'ten'."),
        ({"places": True}, "The number of places must be 1 to 100,000, not True."),
        ({"currency": "£"}, "A currency is three letters such as GBP, USD or EUR, not '£'."),
        (
            {"parameters": {"participant": "a", "session": "a"}},
            "The names of parameters must differ, and have 1 to 50 letters, digits and . _ -.",
        ),
        (
            {"return_addresses": {"too_late": "javascript:alert(1)"}},
            "The return address for too late must begin with https:// and have at most 2,000 "
            "characters and no blanks.",
        ),
        (
            {"return_addresses": {"bored": ""}},
            "There is no outcome 'bored'; outcomes are completed, no_consent, "
            "failed_comprehension, screened_out, too_late.",
        ),
    ],
)
def test_a_wrong_setting_gets_one_sentence(stored: dict[str, object], sentence: str) -> None:
    with pytest.raises(UsageError) as refused:
        settings_from(stored)
    assert str(refused.value) == sentence


def test_an_unknown_setting_is_named() -> None:
    with pytest.raises(UsageError, match="has no setting 'palces'"):
        settings_from({"palces": 3})
