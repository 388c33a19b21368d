"""Outcomes: how a visit ends, its code, and the way back to the market."""

from __future__ import annotations

import pytest
from django.test import Client

from gistmark.web.annotate.models import Task
from gistmark.web.annotate.overview import work_of
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.campaigns.services.campaigns import close, pause
from gistmark.web.campaigns.services.consents import give_consent
from gistmark.web.crowd.markets import completion_codes
from gistmark.web.crowd.models import Recruitment, Visit
from gistmark.web.crowd.outcomes import done_in, outcome_for
from gistmark.web.crowd.recruitments import create_recruitment, draw_codes
from gistmark.web.crowd.settings import OUTCOMES, RecruitmentSettings
from gistmark.web.qualification.services.plans import replace_practice
from web.annotate.answering import done
from web.crowd.arriving import arrive, person, recruiting, visit
from web.factories import again, make_campaign, make_corpus
from web.qualification.practising import QUESTIONS

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("stage", "submitted", "left", "gone", "outcome"),
    [
        ("comprehension", 0, True, False, None),
        ("practice", 0, False, False, None),
        ("misunderstood", 0, False, False, "failed_comprehension"),
        ("failed", 0, False, True, "screened_out"),
        ("unqualified", 0, False, False, "screened_out"),
        ("withdrawn", 0, False, False, "screened_out"),
        ("withdrawn", 1, False, False, "completed"),
        ("ready", 0, True, False, None),
        ("ready", 1, True, False, None),
        ("ready", 1, True, True, None),
        ("ready", 2, True, False, "completed"),
        ("ready", 2, True, True, "too_late"),
        ("ready", 1, False, False, "completed"),
        ("ready", 0, False, False, "too_late"),
        ("comprehension", 2, True, False, "completed"),
    ],
)
def test_every_end_has_its_outcome(
    stage: str, submitted: int, left: bool, gone: bool, outcome: str | None
) -> None:
    assert outcome_for(stage, submitted=submitted, wanted=2, left=left, gone=gone) == outcome  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def made_recruitment(shared_db) -> Recruitment:
    return recruiting()


@pytest.fixture
def recruitment(made_recruitment, db) -> Recruitment:
    return again(made_recruitment)


@pytest.fixture
def client(recruitment: Recruitment) -> Client:
    """The browser of somebody who has arrived."""
    client = Client()
    arrive(client, recruitment)
    return client


def finish(client: Client, recruitment: Recruitment) -> str:
    return client.get(f"/work/{recruitment.campaign.key}/finish/", follow=True).text


def work(recruitment: Recruitment, count: int = 1) -> None:
    """Do tasks, as whoever has arrived."""
    give_consent(recruitment.campaign, person())
    for _ in range(count):
        done(recruitment.campaign, person())


def test_the_codes_of_all_outcomes_differ() -> None:
    codes = draw_codes()
    assert tuple(codes) == OUTCOMES
    assert len(set(codes.values())) == len(OUTCOMES)
    assert codes != draw_codes()


def test_who_has_done_their_tasks_gets_the_code_and_the_way_back(
    recruitment: Recruitment, client: Client
) -> None:
    work(recruitment)
    assert not visit().outcome
    work(recruitment)
    assert next_task(recruitment.campaign, person()) is None, "two tasks are enough"
    page = finish(client, recruitment)
    code = recruitment.codes["completed"]
    assert f'value="{code}"' in page
    assert f'href="https://app.prolific.com/submissions/complete?cc={code}"' in page
    ended = visit()
    assert (ended.outcome, ended.code_shown_at is not None) == ("completed", True)
    shown_at = ended.code_shown_at
    assert code in finish(client, recruitment)
    assert visit().code_shown_at == shown_at
    assert not [other for other in OUTCOMES[1:] if recruitment.codes[other] in page]


def test_no_code_is_shown_before_the_end(recruitment: Recruitment, client: Client) -> None:
    texts = [finish(client, recruitment)]
    work(recruitment)
    texts += [finish(client, recruitment), client.get("/work/").text]
    assert not [code for code in recruitment.codes.values() for text in texts if code in text]


def test_the_last_task_leads_to_the_code(recruitment: Recruitment, client: Client) -> None:
    work(recruitment)
    pages = []
    for _ in range(2):
        task = next_task(recruitment.campaign, person())
        pages.append(client.get(f"/tasks/{task.pk}/").text if task else finish(client, recruitment))
        if task:
            done(recruitment.campaign, person())
    link = "Finish and get the completion code"
    assert link in pages[0]
    assert recruitment.codes["completed"] in pages[1]
    first = Task.objects.filter(annotator=person()).order_by("pk").first()
    assert first is not None
    assert link in client.get(f"/tasks/{first.pk}/").text
    assert link in client.get("/work/").text


def test_who_does_not_agree_gets_the_code_for_that(
    recruitment: Recruitment, client: Client
) -> None:
    response = client.post(f"/work/{recruitment.campaign.key}/decline/", follow=True)
    assert recruitment.codes["no_consent"] in response.text
    assert visit().outcome == "no_consent"
    client.post(f"/work/{recruitment.campaign.key}/")
    assert not Task.objects.filter(annotator=person()).exists(), "they get no task any more"
    assert recruitment.codes["no_consent"] in finish(client, recruitment)


def test_who_has_agreed_cannot_get_the_code_for_not_agreeing(
    recruitment: Recruitment, client: Client
) -> None:
    give_consent(recruitment.campaign, person())
    client.post(f"/work/{recruitment.campaign.key}/decline/")
    assert not visit().outcome


def test_who_misunderstands_twice_is_asked_to_return(
    recruitment: Recruitment, client: Client
) -> None:
    campaign = recruitment.campaign
    replace_practice(campaign, {"comprehension": QUESTIONS}, None)
    give_consent(campaign, person())
    wrong = {f"question-{each.pk}": "0" for each in campaign.comprehension.all()}
    for number in (1, 2):
        page = client.post(
            f"/work/{campaign.key}/questions/", wrong | {"number": str(number)}, follow=True
        ).text
        assert ("Go back to the market" in page) == (number == 2)
    assert recruitment.codes["failed_comprehension"] in finish(client, recruitment)
    assert visit().outcome == "failed_comprehension"


def test_who_finds_nothing_left_came_too_late() -> None:
    campaign = make_campaign(corpus=make_corpus(documents=1, systems=1), judges=1)
    recruitment = recruiting(campaign)
    first, second = Client(), Client()
    arrive(first, recruitment)
    work(recruitment)
    assert recruitment.codes["completed"] in finish(first, recruitment), "one task was all"
    arrive(second, recruitment, pid="bob")
    give_consent(campaign, person("bob"))
    page = finish(second, recruitment)
    assert recruitment.codes["too_late"] in page
    assert "There is no work left in this study" in page


def test_work_after_the_market_gave_the_place_away_is_kept_and_late(
    recruitment: Recruitment, client: Client
) -> None:
    work(recruitment)
    Visit.objects.update(status="TIMED-OUT")
    assert recruitment.codes["too_late"] not in finish(client, recruitment)
    work(recruitment)
    page = finish(client, recruitment)
    assert recruitment.codes["too_late"] in page
    assert "It came after the time that the market allows" in page
    assert done_in(visit()).count() == 2


@pytest.mark.parametrize("step", [pause, close], ids=["paused", "closed"])
def test_who_has_finished_gets_the_code_whatever_became_of_the_campaign(
    recruitment: Recruitment, client: Client, step: object
) -> None:
    work(recruitment, 2)
    step(recruitment.campaign, recruitment.campaign.owner)  # type: ignore[operator]
    assert recruitment.codes["completed"] in finish(client, recruitment)


def test_who_has_done_a_part_when_the_campaign_closes_has_completed_it(
    recruitment: Recruitment, client: Client
) -> None:
    work(recruitment)
    pause(recruitment.campaign, None)
    assert "is paused" in finish(client, recruitment)
    close(recruitment.campaign, None)
    assert recruitment.codes["completed"] in finish(client, recruitment)


def test_a_second_place_is_for_as_many_tasks_more(recruitment: Recruitment, client: Client) -> None:
    work(recruitment, 2)
    finish(client, recruitment)
    campaign = recruitment.campaign
    second = create_recruitment(
        campaign, market="prolific", settings=RecruitmentSettings(), by=campaign.owner
    )
    arrive(client, second, session="again")
    assert [each.waiting for each in work_of(person())] == [2]
    assert second.codes["completed"] not in finish(client, second)
    work(second)
    assert [each.waiting for each in work_of(person())] == [0], "one task was all that it is for"
    assert second.codes["completed"] in finish(client, second)
    arrive(client, recruitment)
    assert recruitment.codes["completed"] in finish(client, recruitment), "the first one stays"


def test_work_on_a_place_that_was_given_up_counts_for_the_next(
    recruitment: Recruitment, client: Client
) -> None:
    work(recruitment)
    Visit.objects.update(status="RETURNED")
    arrive(client, recruitment, session="again")
    work(recruitment)
    assert recruitment.codes["completed"] in finish(client, recruitment)
    assert [each.outcome for each in Visit.objects.order_by("pk")] == ["", "completed"]


def test_the_market_learns_what_each_code_leads_to(recruitment: Recruitment) -> None:
    codes = {each["code"]: each for each in completion_codes(recruitment)}
    actions = {
        outcome: codes[recruitment.codes[outcome]]["actions"][0]["action"] for outcome in OUTCOMES
    }
    assert actions == {
        "completed": "MANUALLY_REVIEW",
        "no_consent": "REQUEST_RETURN",
        "failed_comprehension": "REQUEST_RETURN",
        "screened_out": "REQUEST_RETURN",
        "too_late": "MANUALLY_REVIEW",
    }
    trusting = recruiting(approve_automatically=True)
    assert completion_codes(trusting)[0]["actions"] == [{"action": "AUTOMATICALLY_APPROVE"}]
