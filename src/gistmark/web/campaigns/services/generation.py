"""True/False statements and planted summaries for a corpus that has too few of them.

What is generated waits for the manager, who approves, rewrites or removes it (`review`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.db import transaction

from gistmark.corpus import Corpus
from gistmark.errors import Problem
from gistmark.judgements import propose_missing_planted, propose_missing_questions
from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.audit import record
from gistmark.web.campaigns.services.corpora import (
    material_of,
    planted_of,
    questions_of,
    store_checks,
)
from gistmark.web.campaigns.services.locking import locked_draft
from gistmark.web.campaigns.services.protocols import protocol_of

_VERB = "checks-generated"


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
    draws anew, so what was removed does not simply come back.
    """
    current = locked_draft(campaign)
    protocol = protocol_of(current)
    seed = current.seed + current.events.filter(verb=_VERB).count()
    corpus = _with_all_checks(current)
    made = Generated()
    if protocol.asks_question:
        asked = propose_missing_questions(corpus, seed=seed, about=protocol.question_about)
        store_checks(current, [each.question for each in asked.questions], (), generated=True)
        made = replace(made, questions=len(asked.questions), problems=asked.problems)
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
