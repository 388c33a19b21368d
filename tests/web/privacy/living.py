"""Somebody who has left traces in every table, and a search for them."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import uuid4

from django.contrib.sessions.backends.db import SessionStore
from django.db import connection

from gistmark.web.accounts.models import (
    Device,
    Identity,
    Link,
    MailAddress,
    RecoveryCode,
    SecondFactor,
    User,
)
from gistmark.web.accounts.people import rename
from gistmark.web.accounts.sign_in.attempts import note_failure
from gistmark.web.accounts.sign_in.credentials import make_password_link, make_token
from gistmark.web.annotate.models import Submission
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.annotate.services.comments import add_comment
from gistmark.web.annotate.services.decisions import decide
from gistmark.web.annotate.services.drafts import browser_payload, save_draft
from gistmark.web.campaigns.models import Campaign, Highlight
from gistmark.web.campaigns.services.consents import give_consent
from gistmark.web.campaigns.services.invitations import make_invitation
from gistmark.web.campaigns.services.members import add_member
from gistmark.web.crowd.models import Participant, Recruitment, Visit
from gistmark.web.qualification.services.people import grant
from gistmark.web.results.statistics.study import statistics_of
from web.annotate.answering import whole
from web.factories import make_campaign, make_corpus, make_user
from web.qualification.practising import (
    QUESTIONS,
    comprehend,
    make_practice,
    practise,
    practised_campaign,
)
from web.results.working import work_on

FORMER, NAME = "zeb.früher", "zebediah.quillß"
EMAIL, FIRST, LAST = "zeb@mail.example", "Zebediah", "Quillfeather"
PID, VISIT, ADDRESS = "5f3zebpid0001", "sess-zeb-1", "203.0.113.77"
SUBJECT, MAILBOX = "oidc-zeb-0001", "zebediah@post.example"
WORDS = (FORMER, NAME, EMAIL, FIRST, LAST, PID, VISIT, ADDRESS, SUBJECT, MAILBOX)


@dataclass(frozen=True)
class World:
    """A person of many traces, the campaign they worked in, and its manager."""

    person: User
    campaign: Campaign
    manager: User

    def refreshed(self) -> User:
        return User.objects.get(pk=self.person.pk)


def make_world() -> World:
    """Somebody who worked, wrote, failed to log in, was renamed, judged and talked about."""
    admin, manager = make_user("admin"), make_user("manager")
    person = make_user(name=FORMER)
    campaign = make_campaign(
        owner=manager, corpus=make_corpus(documents=3), annotators=(person,), judges=3
    )
    others = [make_user() for _ in range(2)]
    for user in others:
        add_member(campaign, user)
    give_consent(campaign, person)
    rename(person, NAME, by=admin)
    User.objects.filter(pk=person.pk).update(email=EMAIL, first_name=FIRST, last_name=LAST)
    person.refresh_from_db()
    grant(campaign, person, manager)
    _let_in(person, admin)
    _practise(person)
    _work(campaign, person, others, manager)
    _recruit(campaign, person)
    return World(person, campaign, manager)


def _let_in(person: User, admin: User) -> None:
    make_token(person, f"{NAME}'s laptop")
    make_password_link(by=admin, user=person)
    make_invitation(by=admin)
    Link.objects.filter(kind="invitation").update(created_by=person)
    note_failure(NAME, ADDRESS)
    session = SessionStore()
    session["_auth_user_id"] = str(person.pk)
    session.create()
    Device.objects.create(user=person, session=session.session_key, agent=f"{NAME}'s browser")
    SecondFactor.objects.create(user=person, secret="JBSWY3DPEHPK3PXP")
    RecoveryCode.objects.create(user=person, hash="0" * 64)
    MailAddress.objects.create(user=person, address=MAILBOX)
    Identity.objects.create(user=person, issuer="https://id.example", subject=SUBJECT)


def _practise(person: User) -> None:
    campaign = practised_campaign(
        annotators=(person,), practice=make_practice(comprehension=QUESTIONS)
    )
    comprehend(campaign, person, *(each["right"] for each in QUESTIONS))
    practise(campaign, person)


def _work(campaign: Campaign, person: User, others: list[User], manager: User) -> None:
    for user in (person, *others):
        for _ in range(2):
            work_on(campaign, user)
    held = next_task(campaign, person)
    payload = browser_payload(held)
    held.refresh_from_db()
    add_comment(held, person, uuid4(), text=f"{FIRST} {LAST} here, write to {EMAIL}.", item="1")
    save_draft(held, person, whole(payload), 0)
    other = next_task(campaign, others[0])
    browser_payload(other)
    other.refresh_from_db()
    add_comment(other, others[0], uuid4(), text=f"I sat beside {NAME.upper()}.", item="1")
    sent = Submission.objects.filter(annotator=person).first()
    decide(sent, manager, verdict="counts", reason=f"{NAME} told me on the phone.")
    Highlight.objects.create(document=campaign.documents.first(), annotator=NAME, start=0, end=3)
    assert statistics_of(campaign).annotators is not None


def _recruit(campaign: Campaign, person: User) -> None:
    recruitment = Recruitment.objects.create(campaign=campaign, market="prolific", state="ended")
    participant = Participant.objects.create(market="prolific", pid=PID, user=person)
    Visit.objects.create(
        recruitment=recruitment, participant=participant, session=VISIT, browser="0" * 64
    )


def traces(words: tuple[str, ...] = WORDS) -> list[str]:
    """Where the words stand in the database: every column of every row of every table."""
    wanted = {word.casefold() for word in words}
    wanted |= {word.encode("unicode_escape").decode().replace("\\x", "\\u00") for word in wanted}
    found = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names():
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            names = [column[0] for column in cursor.description]
            for row in cursor.fetchall():
                found += [
                    f"{table}.{name}: {word}"
                    for name, value in zip(names, row, strict=True)
                    for word in wanted
                    if word in str(value).casefold()
                ]
    return found
