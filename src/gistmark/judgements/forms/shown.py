"""Blocks that ask nothing: what an annotator reads, and notes of the manager."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Self, get_args

from gistmark.corpus.fields import OneOf, Wording
from gistmark.judgements.fields import Fields
from gistmark.judgements.forms.base import Block
from gistmark.judgements.forms.inputs import Setting, Start
from gistmark.judgements.questions.base import Faults, Subject

if TYPE_CHECKING:
    from gistmark.judgements.protocols.protocol import Protocol, Shown

What = Literal["document", "heat-map", "reference", "title", "summary", "pair", "summaries"]
WHAT: tuple[What, ...] = get_args(What)
SUBJECTS: Mapping[What, Subject] = {"summary": "summary", "pair": "pair", "summaries": "set"}
"""What an item of a form is, by the block that shows it; a document if there is no such block."""
_TITLES: Mapping[What, tuple[str, str]] = {
    "document": ("Document", "the text that was summarised"),
    "heat-map": ("Heat map", "the document, coloured by its highlights"),
    "reference": ("Reference", "the reference summary of the document"),
    "title": ("Title", "the title of the document"),
    "summary": ("One summary", "the summary that is judged"),
    "pair": ("Two summaries", "two summaries side by side, to compare"),
    "summaries": ("Several summaries", "some or all summaries of a document, to rank"),
}


@dataclass(frozen=True, kw_only=True)
class ShowBlock(Block):
    """Something to read: what is judged, or what is shown beside it."""

    type = "show"
    title = "Shown"
    about = "a text to read: the document, a reference, or the summaries to judge"
    inputs = (
        Setting(
            name="what",
            label="What is shown",
            input="choice",
            start="document",
            options=tuple((what, f"{title}: {about}") for what, (title, about) in _TITLES.items()),
        ),
    )
    starts = tuple(Start(title, about, {"what": what}) for what, (title, about) in _TITLES.items())

    what: What

    @classmethod
    def from_fields(cls, given: Fields) -> Self:
        return cls(what=given.take("what", OneOf(WHAT)))

    def faults(self, protocol: Protocol) -> Faults:
        shown = [block.what for block in protocol.blocks if isinstance(block, ShowBlock)]
        if shown.count(self.what) > 1:
            yield "what", f"shows {self.what!r} a second time; each can be shown once"
        if self.what == "heat-map" and "document" in shown:
            yield "what", "must not be 'heat-map' beside 'document': they show the same text"
        judged = [what for what in shown if what in SUBJECTS]
        if self.what in SUBJECTS and len(set(judged)) > 1:
            names = " and ".join(map(repr, dict.fromkeys(judged)))
            yield "what", f"must agree with the other blocks: a form shows one of {names}"


@dataclass(frozen=True, kw_only=True)
class NoteBlock(Block):
    """A heading or an explanation between the questions."""

    type = "note"
    title = "Note"
    about = "a heading or an explanation of your own"
    inputs = (Setting(name="text", label="Text", input="lines", start=""),)

    text: str

    @classmethod
    def from_fields(cls, given: Fields) -> Self:
        return cls(text=given.take("text", Wording()))


def showing(blocks: tuple[Block, ...], shows: Iterable[Shown]) -> tuple[Block, ...]:
    """The blocks with exactly this shown beside what is judged; what is new comes first."""
    wanted = tuple(shows)
    kept = tuple(
        block
        for block in blocks
        if not isinstance(block, ShowBlock) or block.what in (*wanted, *SUBJECTS)
    )
    there = {block.what for block in kept if isinstance(block, ShowBlock)}
    return (*(ShowBlock(what=what) for what in wanted if what not in there), *kept)
