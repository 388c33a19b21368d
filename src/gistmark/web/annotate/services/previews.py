"""A campaign's tasks as its managers preview them; nothing here is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from django.utils.translation import gettext

from gistmark.corpus import Corpus
from gistmark.errors import UsageError
from gistmark.judgements.checks import CheckResult
from gistmark.judgements.questions import Texts
from gistmark.judgements.tasks.previews import Preview, judge, preview, sketch
from gistmark.judgements.tasks.task import payload
from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.corpora import corpus_of, practised_documents
from gistmark.web.campaigns.services.markets import failures_needed
from gistmark.web.campaigns.services.protocols import protocol_of

Design = dict[str, Any]
"""A protocol as JSON, whole or not."""
Fate = Literal["accepted", "flagged", "paid", "rejected"]
_SENTENCES: dict[Fate, str] = {
    "accepted": "It would be accepted.",
    "flagged": "It would be flagged, and would not count until you decide on it, because:",
    "paid": "It would not count, but would be paid, because:",
    "rejected": "It would be rejected, because:",
}


@dataclass(frozen=True, slots=True)
class PreviewedTask:
    """A task, what the managers know of it, and what an annotator's browser would get."""

    preview: Preview
    payload: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What would become of an answer; `message` is what its annotator would read."""

    outcome: Fate
    sentence: str
    reasons: tuple[str, ...]
    message: str


def preview_task(
    campaign: Campaign, user: User, number: int = 1, *, design: Design | None = None
) -> PreviewedTask:
    """Task `number` of a campaign in any state, assembled for this manager.

    A `design` is a form as somebody is working on it, which stands in for the campaign's protocol;
    blocks in which something is wrong are left out.
    """
    corpus = corpus_of(campaign)
    seen = _preview(campaign, user, number, corpus, design)
    shown = payload(seen.task, seen.protocol, corpus)
    return PreviewedTask(seen, shown | {"draft": None, "version": 0})


def check_preview(
    campaign: Campaign,
    user: User,
    number: int,
    answer: object,
    *,
    design: Design | None = None,
) -> Outcome:
    """What would become of an answer; an `AnswerError` says what the annotator would be told."""
    corpus = corpus_of(campaign)
    seen = _preview(campaign, user, number, corpus, design)
    needed = failures_needed(campaign)
    checked = judge(seen, answer, texts=Texts.of(corpus), failures_needed=needed)
    fate = _fate(checked)
    reasons = tuple(flag.reason for flag in checked.flags)
    return Outcome(fate, _SENTENCES[fate], reasons, gettext(checked.for_annotator))


def _preview(
    campaign: Campaign, user: User, number: int, corpus: Corpus, design: Design | None
) -> Preview:
    protocol = protocol_of(campaign) if design is None else sketch(design)
    if protocol.question_type.composed and not protocol.blocks:
        raise UsageError(
            "There is nothing to show yet: the form has no blocks, or all of them have problems."
        )
    return preview(
        corpus,
        protocol,
        number,
        seed=campaign.seed,
        annotator=user.username,
        without=practised_documents(campaign),
    )


def _fate(checked: CheckResult) -> Fate:
    if checked.verdict != "counts":
        return checked.verdict
    return "flagged" if checked.flags else "accepted"
