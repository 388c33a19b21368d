"""Blocks that ask nothing: what an annotator reads, and notes of the manager."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Self, get_args

from gistmark.corpus.fields import OneOf, Wording
from gistmark.judgements.fields import Fields
from gistmark.judgements.forms.base import Block
from gistmark.judgements.questions.base import Faults, Subject

if TYPE_CHECKING:
    from gistmark.judgements.protocols.protocol import Protocol, Shown

What = Literal["document", "heat-map", "reference", "title", "summary", "pair", "summaries"]
WHAT: tuple[What, ...] = get_args(What)
SUBJECTS: Mapping[What, Subject] = {"summary": "summary", "pair": "pair", "summaries": "set"}
"""What an item of a form is, by the block that shows it; a document where none does."""


@dataclass(frozen=True, kw_only=True)
class ShowBlock(Block):
    """Something to read: what is judged, or what stands beside it."""

    type = "show"
    about = "a text to read: the document, a reference, or the summaries to judge"

    what: What

    @classmethod
    def from_fields(cls, given: Fields) -> Self:
        return cls(what=given.take("what", OneOf(WHAT)))

    def faults(self, protocol: Protocol) -> Faults:
        shown = [block.what for block in protocol.blocks if isinstance(block, ShowBlock)]
        if shown.count(self.what) > 1:
            yield "what", f"shows {self.what!r} a second time; each can be shown once"
        judged = [what for what in shown if what in SUBJECTS]
        if self.what in SUBJECTS and len(set(judged)) > 1:
            names = " and ".join(map(repr, dict.fromkeys(judged)))
            yield "what", f"must agree with the other blocks: a form shows one of {names}"


@dataclass(frozen=True, kw_only=True)
class NoteBlock(Block):
    """A heading or an explanation between the questions."""

    type = "note"
    about = "a heading or an explanation of your own"

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
