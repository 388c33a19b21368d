"""Studies on the local market, and events that it sends to the platform."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.test import Client

from gistmark.web.annotate.models import Submission, Task
from gistmark.web.campaigns.models import Campaign
from gistmark.web.crowd.models import MarketAccount, Recruitment, Visit
from gistmark.web.crowd.outcomes import settle
from gistmark.web.crowd.prolific.accounts import connect
from gistmark.web.crowd.prolific.hooks import subscribe
from gistmark.web.crowd.prolific.review import VisitWork, find_work
from gistmark.web.crowd.prolific.studies import change_study, create_study
from gistmark.web.crowd.prolific.sync import sync
from web.annotate.answering import done
from web.crowd.arriving import arrive, person, recruiting
from web.crowd.market import Event
from web.crowd.market_server import Served

ORIGIN = "https://rate.example.org"
MISSED = {"kind": "attention", "reason": "Says 2, but 3 was chosen.", "severity": "flag"}
STATEMENT = {"kind": "question", "reason": "It is true.", "severity": "paid"}
PAID = {"places": 30, "minutes": 10, "reward": 150}


def drafted(served: Served, campaign: Campaign | None = None, **settings: Any) -> Recruitment:
    """A study whose draft is on the market."""
    recruitment = recruiting(campaign, **PAID | settings)
    account = connect(recruitment.campaign.owner, served.market.token)
    return create_study(recruitment, account, recruitment.campaign.owner, origin=ORIGIN)


def published(served: Served, campaign: Campaign | None = None, **settings: Any) -> Recruitment:
    """A study that participants can take."""
    recruitment = drafted(served, campaign, **settings)
    return change_study(recruitment, "publish", recruitment.campaign.owner)


def listening(account: MarketAccount) -> str:
    """Have events sent to the platform; where they go."""
    address = f"{ORIGIN}/crowd/hooks/{account.key}/"
    subscribe(account, address, account.owner)
    return address


def postman(client: Client) -> Callable[[Event], int]:
    """Brings events to the platform, as the market does."""

    def post(event: Event) -> int:
        headers = {name: value for name, value in event.headers.items() if name != "Content-Type"}
        response = client.post(
            urlsplit(event.target).path,
            event.body,
            content_type="application/json",
            headers=headers,
        )
        return response.status_code

    return post


def work_on(served, recruitment) -> VisitWork:
    """Somebody who took a place, did both tasks, and gave the code to the market."""
    taken, client = served.market.take(recruitment.study), Client()
    arrive(client, recruitment, taken.participant, taken.id, recruitment.study)
    client.post(f"/work/{recruitment.campaign.key}/", follow=True)
    user = person(taken.participant)
    for _ in range(2):
        done(recruitment.campaign, user)
    visit = Visit.objects.get(session=taken.id)
    settle(visit)
    served.market.complete(taken.id, recruitment.codes["completed"])
    sync(recruitment)
    return find_work(recruitment, user.username)


def judged(work: VisitWork, state: str, *flags: dict[str, str]) -> VisitWork:
    """The same work, after the checks have said this about the first task."""
    first = Submission.objects.filter(annotator__username=work.name).first()
    verdict = {"done": "counts", "paid": "paid", "rejected": "rejected"}[state]
    Submission.objects.filter(pk=first.pk).update(flags=list(flags), verdict=verdict)
    Task.objects.filter(pk=first.task_id).update(state=state)
    return find_work(work.visit.recruitment, work.name)
