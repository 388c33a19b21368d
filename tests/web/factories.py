"""People and campaigns for tests, made by the services as the pages make them."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TypeVar

from django.db.models import Model

from gistmark.corpus import Corpus, load, sample_folder
from gistmark.judgements import configured, get_protocol
from gistmark.records import ContentUnit, Document, Planted, Question, Summary
from gistmark.web.accounts.models import User
from gistmark.web.accounts.people import create_user
from gistmark.web.annotate.services.launch import start
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import create_campaign
from gistmark.web.campaigns.services.members import add_member

PASSWORD = "quiet-river-stone-41"
_NUMBERS = itertools.count(1)
Row = TypeVar("Row", bound=Model)


def make_user(role: str = "annotator", name: str | None = None, password: str = PASSWORD) -> User:
    """Somebody new; names count up, so they never clash, and sort in that order."""
    return create_user(name or f"{role}-{next(_NUMBERS):05}", role=role, password=password)


def again(row: Row) -> Row:
    """A row as the database has it now: what a module shares is read anew by each of its tests."""
    return type(row)._default_manager.get(pk=row.pk)


def make_corpus(documents: int = 2, systems: int = 2) -> Corpus:
    """Documents of four sentences; each has a reference, a summary of every system, a question."""
    names = [f"d{number}" for number in range(1, documents + 1)]
    writers = [("gold", True), *((f"sys{number}", False) for number in range(1, systems + 1))]
    return Corpus(
        documents=tuple(Document(name, (_text(name),), title=f"Title of {name}") for name in names),
        summaries=tuple(
            Summary(name, system, f"Summary of {name} by {system} is short.", reference=gold)
            for name in names
            for system, gold in writers
        ),
        questions=tuple(
            Question(name, f"The town of {name} has a bridge.", answer=True) for name in names
        ),
        planted=tuple(
            Planted(f"Good for {name}.", f"Mediocre for {name}.", f"Bad for {name}.", document=name)
            for name in names
        ),
    )


def sample_with_units() -> Corpus:
    """The bundled sample, with a content unit for each document."""
    corpus = load(sample_folder())
    units = (ContentUnit(each.id, "u1", "A fact.", 2.0, "gold", "zoe") for each in corpus.documents)
    return replace(corpus, units=tuple(units))


def make_campaign(
    protocol: str = "overall",
    *,
    owner: User | None = None,
    name: str | None = None,
    corpus: Corpus | None = None,
    running: bool = True,
    annotators: tuple[User, ...] = (),
    **changes: object,
) -> Campaign:
    """A campaign of a small corpus; `changes` are options of the protocol, such as judges=2."""
    owner = owner or make_user("manager")
    campaign = create_campaign(
        owner=owner,
        name=name or f"Campaign {next(_NUMBERS)}",
        protocol=configured(get_protocol(protocol), changes),
        corpus=corpus or make_corpus(),
    )
    for user in annotators:
        add_member(campaign, user)
    if running:
        start(campaign, owner)
    return campaign


def _text(name: str) -> str:
    return (
        f"The town of {name} lies on a river. Its people built a bridge in 1920. "
        f"The bridge of {name} was closed last week. It will open again in spring."
    )
