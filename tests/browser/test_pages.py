"""Every page of the platform, as an admin with a running campaign and a draft sees it: axe has
nothing to say, and nothing sticks out sideways, on a wide screen and on a phone, light and dark.
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver, reverse
from django.urls.exceptions import NoReverseMatch
from django.utils import timezone

from browser.platform import Person, violations
from gistmark.web.accounts.models import User
from gistmark.web.accounts.sign_in.credentials import make_password_link
from gistmark.web.annotate.models import Submission, Task
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import change_settings
from gistmark.web.campaigns.services.checks import generate_checks
from gistmark.web.campaigns.services.invitations import make_invitation
from gistmark.web.campaigns.services.machines import add_machine
from gistmark.web.crowd.models import (
    Bonus,
    BonusPayment,
    MarketAccount,
    Participant,
    Recruitment,
    Visit,
)
from gistmark.web.crowd.recruitments import create_recruitment
from gistmark.web.crowd.settings import RecruitmentSettings
from gistmark.web.qualification.services.plans import replace_practice
from web.crowd.arriving import recruiting
from web.factories import make_campaign, make_corpus, make_user
from web.qualification.practising import QUESTIONS
from web.results.working import worked_campaign

pytestmark = [pytest.mark.timeout(400), pytest.mark.django_db(transaction=True)]

WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 390, "height": 800}
IN_THE_DARK = ("campaigns", "campaign", "campaign-settings", "campaign-checks", "campaign-work")
OF_DRAFTS_TOO = (
    "campaign", "campaign-settings", "campaign-fewer", "campaign-checks", "campaign-people"
)  # fmt: skip
"""Pages that look different before the start; of the others one is enough."""
BY_WIDTH = ("scrollable-region-focusable", "target-size")
"""The rules whose outcome depends on the width of the screen."""
BY_COLOUR = "color-contrast"
"""The rule whose outcome depends on the colours, and which takes most of axe's time."""


@pytest.fixture
def admin(server: str) -> User:
    return make_user("admin")


def names_and_arguments() -> dict[str, tuple[str, ...]]:
    """The arguments of every address that has a name, the API's aside."""
    resolver = get_resolver()
    patterns = {name: resolver.reverse_dict.getlist(name) for name in resolver.reverse_dict}
    return {
        name: tuple(result[0][0][0][1])
        for name, result in patterns.items()
        if isinstance(name, str) and result
    }


def addresses(user: User, known: dict[str, list[Any]]) -> dict[str, str]:
    """A page for every address that the admin can open, with the name of the address."""
    client = Client()
    client.force_login(user)
    pages = {}
    for name, arguments in names_and_arguments().items():
        if name == "log-out":
            continue
        for values in itertools.product(*(known.get(each, [1]) for each in arguments)):
            try:
                address = reverse(name, args=values)
            except NoReverseMatch:
                continue
            response = client.get(address)
            kind = response.headers.get("Content-Type", "")
            if response.status_code == 200 and kind.startswith("text/html"):
                pages.setdefault(address, name)
                if name not in OF_DRAFTS_TOO:
                    break
    return pages


def a_platform(admin: User) -> dict[str, list[Any]]:
    """A campaign with work, a draft with checks that wait, people, links; what addresses need."""
    running = worked_campaign("likert", annotators=2, tasks=1, owner=admin)
    Task.objects.filter(campaign=running, state="done").update(flagged=True)
    change_settings(running, admin, registration_open=True)
    add_machine(running, model="a-model/with-a-name", url="http://localhost:8000/v1")
    draft = make_campaign("content-document", owner=admin, running=False, corpus=make_corpus())
    draft.questions.first().delete()
    generate_checks(draft, admin)
    annotator = User.objects.filter(role="annotator").first()
    task = next_task(running, annotator)
    practice = {"items": [{"document": "d1", "systems": ["sys1"]}], "comprehension": QUESTIONS}
    replace_practice(running, practice, admin)
    recruitment = recruiting(running, market="generic")
    query = {"participant": "p", "study": "s", "session": "v"}
    assert Client().get(f"/crowd/{recruitment.key}/", query).status_code == 302
    secrets = [
        make_invitation(by=admin, campaign=running).secret,
        make_password_link(by=admin, user=annotator).secret,
    ]
    numbers = {
        task.pk,
        annotator.pk,
        Submission.objects.first().pk,
        task.batch.items.first().pk,
        draft.questions.first().pk,
        draft.planted.first().pk,
        running.practice_items.get().pk,
        running.comprehension.first().pk,
    }
    study, visit = a_study(running)
    return {
        "key": [running.key, draft.key],
        "pk": sorted({*numbers, visit.pk}),
        "position": [0],
        "secret": secrets,
        "format": [],
        "study": [study.key, recruitment.key],
    }


def a_study(campaign: Campaign) -> tuple[Recruitment, Visit]:
    """A study on Prolific that somebody has finished, with a difference and a bonus."""
    account = MarketAccount.objects.create(
        owner=campaign.owner, market="prolific", hint="ab12", workspace_title="Texts"
    )
    settings = RecruitmentSettings(places=3, reward=150, title="Judge summaries")
    study = create_recruitment(campaign, market="prolific", settings=settings, by=None)
    people = [
        Participant.objects.create(market="prolific", pid=f"p{number}", user=make_user())
        for number in range(3)
    ]
    visits = [
        Visit.objects.create(
            recruitment=study,
            participant=each,
            session=each.pid,
            status=status,
            outcome="completed",
            arrived_at=timezone.now(),
        )
        for each, status in zip(people, ("AWAITING REVIEW", "APPROVED", "RETURNED"), strict=True)
    ]
    study.account, study.study, study.market_status, study.state = account, "s1", "ACTIVE", "active"
    study.report = {
        "there": {"APPROVED": 1, "AWAITING REVIEW": 1, "RETURNED": 1},
        "here": {"APPROVED": 1, "AWAITING REVIEW": 1, "RETURNED": 1},
        "differences": [
            {"kind": "no-code", "count": 1, "sentence": "1 participant finished here.",
             "people": [people[0].user.username]},
        ],
    }  # fmt: skip
    study.synced_at = timezone.now()
    study.save()
    payment = BonusPayment.objects.create(recruitment=study, bulk="b1", amount=50, total=64)
    Bonus.objects.create(payment=payment, visit=visits[1], amount=50)
    return study, visits[0]


def look(axe: Any, page: Any, *, dark: bool = False) -> list[str]:
    """What is wrong with the page that is open, on a wide screen and on a phone."""
    page.set_viewport_size(WIDE)
    wrong = violations(axe, page)
    page.set_viewport_size(NARROW)
    inner, outer = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    if inner > outer:
        wrong.append(f"it is {inner} pixels wide on a screen of {outer}")
    if not dark:
        return wrong + violations(axe, page, rules=BY_WIDTH)
    page.emulate_media(color_scheme="dark")
    wrong += violations(axe, page, rules=(*BY_WIDTH, BY_COLOUR))
    page.emulate_media(color_scheme="light")
    return wrong


def test_axe_finds_nothing_on_any_page_and_nothing_sticks_out(
    axe: Any, chromium: Any, server: str, people: list[Person], admin: User
):
    known = a_platform(admin)
    pages = addresses(admin, known)
    assert len(pages) > 30
    person = Person(chromium, server, admin)
    people.append(person)
    person.enter()
    wrong = {}
    for address, name in pages.items():
        person.page.goto(f"{server}{address}")
        wrong[address] = look(axe, person.page, dark=name in IN_THE_DARK)
    person.page.goto(f"{server}/people/")
    person.page.get_by_role("button", name="Remove the chosen accounts").click()
    person.page.locator(".message").wait_for()
    wrong["a message"] = look(axe, person.page)
    person.context.clear_cookies()
    (key, _), (invitation, link) = known["key"], known["secret"]
    for address in ("/log-in/", f"/register/{key}/", f"/join/{invitation}/", f"/password/{link}/"):
        person.page.goto(f"{server}{address}")
        wrong[address] = look(axe, person.page)
    assert {address: lines for address, lines in wrong.items() if lines} == {}


def test_a_refusal_takes_the_focus_and_opens_its_section(
    axe: Any, chromium: Any, server: str, people: list[Person], admin: User
):
    draft = make_campaign("likert", owner=admin, running=False)
    person = Person(chromium, server, admin)
    people.append(person)
    person.trouble_is_meant = True
    person.enter()
    page = person.page
    page.goto(f"{server}/campaigns/{draft.key}/settings/")
    page.get_by_text("Scale", exact=True).click()
    page.fill("#id_scale_labels", "only one")
    page.get_by_role("button", name="Save").nth(1).click()
    page.locator(".form-errors").wait_for()
    assert page.evaluate("document.activeElement.className") == "form-errors"
    assert page.locator(".form-errors").bounding_box()["y"] >= 0
    assert violations(axe, page) == []
    assert page.locator("#id_scale_labels").is_visible()
    page.get_by_role("link", name="Labels of the scale").click()
    assert page.evaluate("document.activeElement.id") == "id_scale_labels"


def test_deciding_on_a_check_stays_where_the_list_is(
    chromium: Any, server: str, people: list[Person], admin: User
):
    corpus = make_corpus(documents=12)
    draft = make_campaign("content-document", owner=admin, running=False, corpus=corpus)
    Campaign.objects.get(pk=draft.pk).questions.update(approved=False)
    person = Person(chromium, server, admin)
    people.append(person)
    person.enter()
    page = person.page
    page.goto(f"{server}/campaigns/{draft.key}/checks/")
    eighth = page.locator(".statement").nth(7)
    eighth.get_by_role("button", name="Approve").click()
    page.wait_for_url("**#questions-*")
    assert page.evaluate("window.scrollY") > 500
    assert eighth.locator(".badge").inner_text() == "counts"
