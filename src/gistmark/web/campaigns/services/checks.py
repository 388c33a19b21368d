"""The checks of a campaign: True/False statements and planted summaries.

What a corpus lacks is generated; the manager approves, rewrites or removes it, and adds others. All
of that ends with the start of the campaign.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.db import transaction

from gistmark.corpus import Corpus
from gistmark.errors import Problem, UsageError
from gistmark.judgements.checks.planted import propose_missing_planted, same_words
from gistmark.judgements.checks.statements import propose_missing_questions
from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign, Document, Planted, Question
from gistmark.web.campaigns.services.campaigns import locked_draft, record
from gistmark.web.campaigns.services.corpora import (
    material_of,
    planted_of,
    questions_of,
    store_checks,
)
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.config.errors import NotFoundError

_VERB = "checks-generated"
LONGEST_TEXT = 20_000
Check = Question | Planted


@dataclass(frozen=True, slots=True)
class Generated:
    """How many statements and triples were made, and what could not be made."""

    questions: int = 0
    planted: int = 0
    problems: tuple[Problem, ...] = ()


@transaction.atomic
def generate_checks(campaign: Campaign, by: User | None) -> Generated:
    """Make what the protocol's checks need and the campaign does not have.

    A document that has a statement or a triple, approved or not, gets no other one. Each call
    samples anew, so what was removed does not simply come back.
    """
    current = locked_draft(campaign)
    protocol = protocol_of(current)
    seed = current.seed + current.events.filter(verb=_VERB).count()
    corpus = _with_all_checks(current)
    made = Generated()
    if protocol.asks_question:
        proposed = propose_missing_questions(corpus, seed=seed, about=protocol.question_about)
        store_checks(current, [each.question for each in proposed.questions], (), generated=True)
        made = replace(made, questions=len(proposed.questions), problems=proposed.problems)
    if protocol.plants:
        planted = propose_missing_planted(corpus, seed=seed)
        store_checks(current, (), planted.planted, generated=True)
        problems = made.problems + planted.problems
        made = replace(made, planted=len(planted.planted), problems=problems)
    record(current, by, _VERB, questions=made.questions, planted=made.planted)
    return made


def _with_all_checks(campaign: Campaign) -> Corpus:
    """The corpus with everything that was ever stored as a check, approved or waiting."""
    return replace(
        material_of(campaign),
        questions=questions_of(campaign, approved=None),
        planted=planted_of(campaign, approved=None),
    )


def question_of(campaign: Campaign, pk: int) -> Question:
    """A True/False statement of this campaign."""
    question = campaign.questions.select_related("document").filter(pk=pk).first()
    if question is None:
        raise NotFoundError("The campaign has no such statement.")
    return question


def triple_of(campaign: Campaign, pk: int) -> Planted:
    """A planted triple of this campaign."""
    planted = campaign.planted.select_related("document").filter(pk=pk).first()
    if planted is None:
        raise NotFoundError("The campaign has no such planted triple.")
    return planted


@transaction.atomic
def approve(check: Check, by: User | None) -> None:
    """Let a generated statement or triple count."""
    locked_draft(check.campaign)
    check.approved = True
    check.save(update_fields=["approved"])
    record(check.campaign, by, "check-approved", **_named(check))


@transaction.atomic
def approve_all(campaign: Campaign, by: User | None) -> int:
    """Let everything that waits count; tells how much that was."""
    locked_draft(campaign)
    count = campaign.questions.filter(approved=False).update(approved=True)
    count += campaign.planted.filter(approved=False).update(approved=True)
    record(campaign, by, "checks-approved", count=count)
    return count


@transaction.atomic
def remove(check: Check, by: User | None) -> None:
    """Take a statement or a triple out of the campaign."""
    locked_draft(check.campaign)
    record(check.campaign, by, "check-removed", **_named(check))
    check.delete()


@transaction.atomic
def rewrite_question(
    question: Question, *, statement: str, answer: bool, by: User | None
) -> Question:
    """Change a statement, which approves it: the manager has just read it."""
    locked_draft(question.campaign)
    question.statement, question.answer = _checked("statement", statement), answer
    question.approved = True
    question.save()
    record(question.campaign, by, "check-rewritten", **_named(question))
    return question


@transaction.atomic
def rewrite_planted(
    planted: Planted, *, good: str, mediocre: str, bad: str, by: User | None
) -> Planted:
    """Change a triple, which approves it."""
    locked_draft(planted.campaign)
    _fill(planted, good, mediocre, bad)
    planted.save()
    record(planted.campaign, by, "check-rewritten", **_named(planted))
    return planted


@transaction.atomic
def add_question(
    campaign: Campaign, *, document: str, statement: str, answer: bool, about: str, by: User | None
) -> Question:
    """Write a statement about a document of the campaign or about its reference."""
    locked_draft(campaign)
    if about not in ("document", "reference"):
        raise UsageError(f"A statement is about the document or the reference, not {about!r}.")
    question = Question.objects.create(
        campaign=campaign,
        document=_document(campaign, document),
        statement=_checked("statement", statement),
        answer=answer,
        about=about,
        approved=True,
    )
    record(campaign, by, "check-added", **_named(question))
    return question


@transaction.atomic
def add_planted(
    campaign: Campaign, *, good: str, mediocre: str, bad: str, by: User | None
) -> Planted:
    """Write a triple of planted summaries."""
    locked_draft(campaign)
    planted = Planted(campaign=campaign)
    _fill(planted, good, mediocre, bad)
    planted.save()
    record(campaign, by, "check-added", **_named(planted))
    return planted


def _fill(planted: Planted, good: str, mediocre: str, bad: str) -> None:
    texts = {"good": good, "mediocre": mediocre, "bad": bad}
    checked = {name: _checked(f"{name} summary", text) for name, text in texts.items()}
    if len(set(checked.values())) < len(checked):
        raise UsageError("The three planted summaries must differ from each other.")
    if same_words(mediocre, bad):
        raise UsageError(
            "The bad summary has exactly the words of the mediocre one, by which a program could "
            "tell both; change some of them."
        )
    planted.good, planted.mediocre, planted.bad = checked.values()
    planted.approved = True


def _checked(noun: str, text: str) -> str:
    text = text.strip()
    if not text or len(text) > LONGEST_TEXT or "\x00" in text:
        raise UsageError(f"The {noun} must be text of 1 to {LONGEST_TEXT:,} characters.")
    return text


def _document(campaign: Campaign, name: str) -> Document:
    document = campaign.documents.filter(name=name).first()
    if document is None:
        raise UsageError(f"There is no document {name[:100]!r} in the corpus of the campaign.")
    return document


def _named(check: Check) -> dict[str, object]:
    """What the audit trail says about a check."""
    kind = "question" if isinstance(check, Question) else "planted"
    return {"kind": kind, "id": check.pk, "document": check.document and check.document.name}
