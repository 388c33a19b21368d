"""Campaigns that give completion codes, with work in every state that a market may ask about."""

from __future__ import annotations

from dataclasses import dataclass

from gistmark.judgements.tasks.slots import State, verdict_in
from gistmark.web.accounts.models import User
from gistmark.web.annotate.codes import completion_code
from gistmark.web.annotate.models import Submission, Task
from gistmark.web.annotate.services.decisions import decide
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import change_settings
from gistmark.web.campaigns.services.consents import give_consent
from web.annotate.answering import done
from web.factories import make_campaign, make_corpus, make_user

TOO_FAST = {"kind": "too_fast", "reason": "The task took 1.0 seconds.", "severity": "flag"}
WRONG = {
    "kind": "question",
    "reason": "The statement 'The town has a bridge.' is true, but was called false.",
    "severity": "reject",
}
LATE = {"kind": "late", "reason": "It came after the time had run out.", "severity": "reject"}


def coded_campaign(annotators: tuple[User, ...] = (), documents: int = 5) -> Campaign:
    """A running campaign that gives codes; its people have accepted the terms."""
    people = annotators or (make_user(),)
    campaign = make_campaign(
        annotators=people, corpus=make_corpus(documents=documents), judges=len(people)
    )
    change_settings(campaign, campaign.owner, completion_codes=True)
    for user in people:
        give_consent(campaign, user)
    return campaign


@dataclass(frozen=True)
class Worked:
    """A campaign and the codes of its tasks, by what became of them."""

    campaign: Campaign
    codes: dict[str, str]


def worked() -> Worked:
    """Six tasks: good, flagged, failed, late, and one that a manager accepted, one rejected."""
    campaign = coded_campaign()
    user = campaign.memberships.get(role="annotator").user
    codes = {}
    for name in ("good", "flagged", "failed", "late", "accepted", "rejected"):
        submission = done(campaign, user)
        codes[name] = completion_code(submission.task_id, campaign)
        if name == "flagged":
            mark(submission, "done", TOO_FAST)
        elif name == "failed":
            mark(submission, "rejected", WRONG)
        elif name == "late":
            mark(submission, "late", LATE)
        elif name == "accepted":
            mark(submission, "rejected", WRONG)
            decide(submission, campaign.owner, "counts")
        elif name == "rejected":
            decide(submission, campaign.owner, "rejected", "=The text\nwas not read.")
    return Worked(campaign, codes)


def mark(submission: Submission, state: State, flag: dict[str, str]) -> None:
    """As if the checks had said this."""
    Submission.objects.filter(pk=submission.pk).update(flags=[flag], verdict=verdict_in(state))
    Task.objects.filter(pk=submission.task_id).update(state=state, flagged=True)


def batch(*codes: str) -> bytes:
    """A market's file with these codes, as the market writes it."""
    rows = [f'"A{number}","{code}"' for number, code in enumerate(codes, start=1)]
    return "\n".join(['"AssignmentId","Answer.surveycode","Approve","Reject"', *rows]).encode()
